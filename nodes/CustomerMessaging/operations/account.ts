import { pages } from '../fields/list';
import { listOrDone } from '../core/outputs';
import { operation, resource } from './resource';

// What belongs to the user behind the token: the user, and the notifications.

export const accountResource = resource(
	'account',
	{ get: operation('GET /me', 'Get the user behind the access token') },
	{ default: 'get' },
);

export const notificationResource = resource('notification', {
	getAll: operation(
		'GET /me/notifications',
		'Retrieve a list of the notifications for the user behind the access token',
		pages,
	),
	markAllRead: operation(
		'POST /me/notifications/read',
		'Mark all notifications of the user behind the access token as read',
		{ name: 'Mark All as Read', action: 'Mark all notifications as read', output: listOrDone },
	),
	markRead: operation('POST /me/notifications/{uuid}/read', 'Mark one notification as read', {
		name: 'Mark as Read',
		action: 'Mark notification as read',
	}),
});
