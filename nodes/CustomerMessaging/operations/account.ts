import { howMany, pages } from '../fields/list';
import { notification } from '../fields/locators';
import { listOrDone } from '../core/outputs';
import { operation } from '../core/declare';
import { pathField } from '../core/field';
import { resource } from './resource';

// What belongs to the user behind the token: the user, and the notifications.

export const accountResource = resource(
	'account',
	{ name: 'Account', default: 'get' },
	{
		get: operation('GET /me', {
			description: 'Get the user behind the access token',
			fields: [],
		}),
	},
);

export const notificationResource = resource(
	'notification',
	{ name: 'Notification', default: 'getAll' },
	{
		getAll: operation('GET /me/notifications', {
			description: 'Retrieve a list of the notifications for the user behind the access token',
			fields: howMany,
			...pages,
		}),
		markAllRead: operation('POST /me/notifications/read', {
			name: 'Mark All as Read',
			action: 'Mark all notifications as read',
			description: 'Mark all notifications of the user behind the access token as read',
			fields: [],
			output: listOrDone,
		}),
		markRead: operation('POST /me/notifications/{uuid}/read', {
			name: 'Mark as Read',
			action: 'Mark notification as read',
			description: 'Mark one notification as read',
			fields: [pathField('uuid', notification)],
		}),
	},
);
