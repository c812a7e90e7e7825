import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { PIXEL } from '../engine/pixel.mts';
import type { Json } from './records.mts';
import type { Group } from './traits.mts';

/**
 * A locator's value as chosen from its list. A value typed as an ID is checked by n8n with a pattern, for which it allows a
 * quarter of a second: too little for thousands of runs on a machine that has other things to do.
 */
const chosen = (value: number | string) => ({ __rl: true, mode: 'list', value });

/** An operation of the node with parameters that any tenant can be asked with. */
export interface Operation {
	name: string;
	parameters: INodeParameters;
	items?: INodeExecutionData[];
}

const operation = (resource: string, name: string, parameters: INodeParameters = {}): Operation => ({
	name: `${resource}: ${name}`,
	parameters: { resource, operation: name, ...parameters },
});

/** An operation that reads a list. */
export interface ListOperation extends Operation {
	/** Path of the list. */
	path: string;
	/** Whether the interface shows the parameter `per_page` for it. */
	hasPageSize?: true;
	/** Whether it always gives all there is. */
	isUnlimited?: true;
}

const list = (
	resource: string,
	name: string,
	path: string,
	parameters: INodeParameters = {},
	more: Partial<ListOperation> = {},
): ListOperation => ({ ...operation(resource, name, parameters), path, ...more });

const profileId = chosen(7);
const customerId = chosen(7);
const mediaId = chosen(7);
const whole = { simple: false };

/** The lists that the interface calls paginated. */
export const PAGED_LISTS: ListOperation[] = [
	list('user', 'getAll', '/users'),
	list('agent', 'getAll', '/agents'),
	list('customer', 'getAll', '/customers'),
	list('profile', 'getAll', '/profiles', whole, { hasPageSize: true }),
	list('profile', 'getActivities', '/profiles/7/activities', { profileId }),
	list('template', 'getAll', '/templates'),
];

/** The lists that the interface shows as `{data: ...}`. */
export const UNPAGED_LISTS: ListOperation[] = [
	list('notification', 'getAll', '/me/notifications'),
	list('customer', 'getUsers', '/customers/7/users', { customerId }),
	list('profile', 'getTags', '/profiles/7/tags', { profileId }),
	list('profile', 'getGroups', '/profiles/7/groups', { profileId }),
	list('tag', 'getAll', '/tags'),
	list('group', 'getAll', '/groups'),
	list('group', 'getProfiles', '/groups/7/profiles', { groupId: chosen(7), ...whole }),
	list('media', 'getAll', '/media'),
	list('media', 'getTags', '/media/7/tags', { mediaId }),
	list('support', 'getChannels', '/support/channels', {}, { isUnlimited: true }),
	list('support', 'getActivityTypes', '/support/activity-types', {}, { isUnlimited: true }),
	list('support', 'getTemplateLanguages', '/support/chatapp-template-languages', {}, { isUnlimited: true }),
];

/** What an operation on something else than a list is for, which decides what its items hold. */
export type AnswerGroup = Exclude<Group, 'list of pages' | 'list at once'>;

export const ANSWER_GROUPS: AnswerGroup[] = [
	'read',
	'record',
	'message',
	'set',
	'deletion',
	'import',
	'mark all read',
];

/** An operation that reads or writes something that is no list of pages. */
export interface AnsweredOperation extends Operation {
	kind: AnswerGroup;
	/** Whether the interface shows the answer without its `data` wrapper. */
	isBare?: true;
	/** Output field of a set. */
	setField?: string;
}

const answered =
	(kind: AnswerGroup) =>
	(
		resource: string,
		name: string,
		parameters: INodeParameters = {},
		more: Partial<AnsweredOperation> = {},
	) => ({
		...operation(resource, name, parameters),
		kind,
		...more,
	});

const read = answered('read');
const write = answered('record');
const message = answered('message');
const remove = answered('deletion');
const set = (
	resource: string,
	name: string,
	setField: string,
	parameters: INodeParameters,
): AnsweredOperation =>
	answered('set')(resource, name, { ...parameters, ifEmpty: 'removeAll' }, { setField });
const bare = { isBare: true } as const;
const free = { fields: { field: [{ name: 'note', value: 'free' }] } };

const image: INodeExecutionData = {
	json: {},
	binary: { data: { data: PIXEL.toString('base64'), mimeType: 'image/png', fileName: 'dot.png' } },
};

/** The operations that read or write something that is no list of pages. */
export const ANSWERED: AnsweredOperation[] = [
	read('account', 'get'),
	read('user', 'get', { userId: chosen(7) }),
	read('agent', 'get', { agentId: chosen(7) }),
	read('customer', 'get', { customerId }),
	read('profile', 'get', { profileId, ...whole }),
	read('profile', 'getConsent', { profileId }),
	read('profile', 'getActivity', { profileId, activityId: chosen(7) }),
	read('settings', 'get', { category: 'general' }),
	read('tag', 'get', { tagId: chosen(7) }),
	read('group', 'get', { groupId: chosen(7) }),
	read('media', 'get', { mediaId }),
	read('support', 'getAllowedMimeTypes'),
	read('support', 'getMediaSizeLimits'),
	read('support', 'getPricing'),
	read('file', 'getTemporaryUrl', { fileUuid: 'a' }, bare),
	write('notification', 'markRead', { notificationUuid: chosen('a') }),
	write('user', 'create', { name: 'Jo', email: 'jo@mail.example', isAdmin: false }, bare),
	write('user', 'update', { userId: chosen(7), updateFields: { name: 'Jo' } }),
	write('user', 'verifyPin', { userId: chosen(7), pin: '012345' }),
	write('settings', 'update', { category: 'crm', ...free }),
	write('agent', 'update', { agentId: chosen(7), updateFields: { botId: '7' } }),
	write('customer', 'create', { displayId: '+49 171 1234567', name: 'Jo' }, bare),
	write('profile', 'update', { profileId, updateFields: { name: 'Jo' }, ...whole }),
	write('profile', 'setConsent', { profileId, optIn: true }),
	write('tag', 'create', { title: 'VIP' }, bare),
	write('tag', 'update', { tagId: chosen(7), title: 'VIP' }, bare),
	write('group', 'create', free, bare),
	write('group', 'update', { groupId: chosen(7), ...free }, bare),
	write('file', 'upload', { type: 'image' }, { isBare: true, items: [image] }),
	write('media', 'create', { source: 'uploadedFile', fileUuid: 'a', type: 'image' }, bare),
	write('media', 'update', { mediaId, updateFields: { title: 'Dot' } }, bare),
	write('template', 'create', { fieldsJson: '{"name":"fresh"}' }, bare),
	message('message', 'send', { conversationId: '7', messageType: 'text', text: 'Hello', ...whole }),
	message('message', 'sendTemplate', {
		recipient: 'customer',
		customerId,
		agentId: chosen(7),
		templateName: chosen('opening_hours'),
		templateLanguage: 'en_US',
		...whole,
	}),
	set('customer', 'setUsers', 'users', { customerId, userIds: [7] }),
	set('customer', 'addUsers', 'users', { customerId, userIds: [7] }),
	set('customer', 'removeUsers', 'users', { customerId, userIds: [7] }),
	set('profile', 'setTags', 'tags', { profileId, tagIds: [7] }),
	set('profile', 'addTags', 'tags', { profileId, tagIds: [7] }),
	set('profile', 'removeTag', 'tags', { profileId, tagId: chosen(7) }),
	set('profile', 'setGroups', 'groups', { profileId, groupIds: [7] }),
	set('profile', 'addGroups', 'groups', { profileId, groupIds: [7] }),
	set('profile', 'removeGroup', 'groups', { profileId, groupId: chosen(7) }),
	set('media', 'setTags', 'tags', { mediaId, tagIds: [7] }),
	set('media', 'addTags', 'tags', { mediaId, tagIds: [7] }),
	set('media', 'removeTag', 'tags', { mediaId, tagId: chosen(7) }),
	remove('user', 'delete', { userId: chosen(7) }),
	remove('customer', 'delete', { customerId }),
	remove('tag', 'delete', { tagId: chosen(7) }),
	remove('group', 'delete', { groupId: chosen(7) }),
	remove('media', 'delete', { mediaId }),
	remove('customer', 'bulkDelete', { customerIds: [7] }),
	answered('import')('customer', 'upsert', { displayId: '+49 171 1234567', name: 'Jo' }),
	answered('import')('customer', 'bulkImport', {
		columns: { mappingMode: 'defineBelow', value: { displayId: '+49 171 1234567', name: 'Jo' } },
	}),
	answered('mark all read')('notification', 'markAllRead'),
];

/** What a bulk import answers. */
export const COUNTS: Json = { created_count: 1, updated_count: 0, skipped_count: 0 };
