import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { IdOf, TableName } from '../../sandbox/store/store.mts';
import { byId } from '../engine/tenant.mts';
import { PIXEL } from '../engine/pixel.mts';

/** Gives the id of a record of the demo tenant: of the first of a table, of the one at a place, or of the last with -1. */
export type Ids = <Name extends TableName>(table: Name, place?: number) => IdOf<Name>;

/** Ids that no tenant needs to have. */
export const ANY_IDS = ((table, place = 0) =>
	['files', 'notifications'].includes(table) ? 'a-uuid' : Math.abs(place) + 1) as Ids;

/** One way to run an operation. */
export interface OperationCase {
	resource: string;
	operation: string;
	parameters: INodeParameters;
	items?: INodeExecutionData[];
	/** It leaves n8n waiting for an answer, which only n8n's engine can do. */
	waits?: true;
	/** It needs more than its one endpoint: look-ups, uploads, read before write. */
	composed?: true;
}

const image: INodeExecutionData[] = [
	{
		json: {},
		binary: { data: { data: PIXEL.toString('base64'), mimeType: 'image/png', fileName: 'dot.png' } },
	},
];

const rows = (fields: Record<string, unknown>) =>
	({ field: Object.entries(fields).map(([name, value]) => ({ name, value })) }) as INodeParameters;

/** Every operation of the node with every parameter that reaches the service, at least once. */
export function operationCases(id: Ids): OperationCase[] {
	const one = (
		resource: string,
		operation: string,
		parameters: INodeParameters = {},
		more: Partial<OperationCase> = {},
	) => ({
		resource,
		operation,
		parameters,
		...more,
	});
	const profileId = byId(id('profiles'));
	const customerId = byId(id('customers'));
	const userId = byId(id('users', 1));
	const mediaId = byId(id('media'));
	const tagId = byId(id('tags', 1));
	const groupId = byId(id('groups'));
	const message = (parameters: INodeParameters, more: Partial<OperationCase> = {}) =>
		one('message', 'send', { conversationId: String(id('conversations')), ...parameters }, more);
	const profileFields = {
		address: '1 Example Street',
		custom1: 'a',
		custom2: 'b',
		custom3: 'c',
		custom4: 'd',
		custom5: 'e',
		dateOfBirth: '17.05.1990',
		email: 'new@mail.example',
		marketingOptIn: true,
	};
	const template = {
		agentId: byId(id('agents')),
		templateName: byId('opening_hours'),
		templateLanguage: 'en_US',
	};
	const templateOptions = {
		customerName: 'New',
		fromAutomation: true,
		placeholders: { placeholder: [{ key: '%name%', value: 'Jo' }] },
		assignBotId: '5',
		assignUserId: userId,
		assignFolderId: '6',
		assignTagId: tagId,
		assignGroupId: groupId,
	};

	return [
		one('account', 'get'),
		one('notification', 'getAll'),
		one('notification', 'markAllRead'),
		one('notification', 'markRead', { notificationUuid: byId(id('notifications', 1)) }),
		one('user', 'create', {
			name: 'Jo Doe',
			email: 'jo@tenant.example',
			isAdmin: false,
			additionalFields: { externalId: 'x-1', externalGroup: 'sales', pin: '012345' },
		}),
		one('user', 'delete', { userId }),
		one('user', 'get', { userId }),
		one('user', 'getAll'),
		one('user', 'update', {
			userId,
			updateFields: {
				name: 'Jo Doe',
				email: 'jo@tenant.example',
				externalId: 'x-1',
				externalGroup: 'sales',
				pin: '654321',
			},
		}),
		one('user', 'verifyPin', { userId, pin: '012345' }),
		...['general', 'thirdParty', 'crm'].flatMap((category) => [
			one('settings', 'get', { category }),
			one('settings', 'update', { category, fields: rows({ note: 'free' }) }),
		]),
		one('agent', 'get', { agentId: byId(id('agents')) }),
		one('agent', 'getAll', { filters: { channel: 'chatapp' } }),
		one('agent', 'update', {
			agentId: byId(id('agents')),
			updateFields: { botId: '7', proxyEmail: 'proxy@tenant.example' },
		}),
		one('customer', 'addUsers', { customerId, userIds: [id('users', 1)] }, { composed: true }),
		one('customer', 'bulkDelete', { customerIds: [id('customers')] }),
		one('customer', 'bulkImport', {
			options: { duplicates: 'skip' },
			columns: {
				mappingMode: 'defineBelow',
				value: { displayId: '+49 171 1234567', name: 'New', ...profileFields, tags: 'VIP' },
			},
		}),
		one('customer', 'create', { displayId: '+49 171 1234567', name: 'New' }),
		one(
			'customer',
			'create',
			{ displayId: '+49 171 1234567', name: 'New', options: { returnIds: true } },
			{ composed: true },
		),
		one('customer', 'delete', { customerId }),
		one('customer', 'get', { customerId }),
		one('customer', 'getAll', { filters: { channel: 'chatapp' } }),
		one('customer', 'getUsers', { customerId }),
		one('customer', 'removeUsers', { customerId, userIds: [id('users', 1)] }, { composed: true }),
		one('customer', 'setUsers', { customerId, userIds: [id('users', 1)] }),
		one(
			'customer',
			'upsert',
			{
				...{ displayId: '+49 171 1234567', name: 'New' },
				...{ additionalFields: { ...profileFields, tags: 'VIP' }, options: { returnIds: true } },
			},
			{ composed: true },
		),
		one('profile', 'addGroups', { profileId, groupIds: [id('groups')] }, { composed: true }),
		one('profile', 'addTags', { profileId, tagIds: [id('tags', 2)], tags: 'Fresh' }, { composed: true }),
		one('profile', 'export', { profileId }, { composed: true }),
		one('profile', 'get', { profileId }),
		one('profile', 'getActivities', { profileId }),
		one('profile', 'getActivity', { profileId, activityId: byId(id('activities', -1)) }),
		one('profile', 'getAll', {
			filters: { channel: 'chatapp', search: 'a' },
			orderBy: { sort: [{ field: 'name', direction: 'desc' }, { field: 'id' }] },
		}),
		one('profile', 'getAll', { filters: { group: groupId } }, { composed: true }),
		one('profile', 'getConsent', { profileId }),
		one('profile', 'getGroups', { profileId }),
		one('profile', 'getTags', { profileId }),
		one('profile', 'removeGroup', { profileId, groupId }),
		one('profile', 'removeTag', { profileId, tagId }),
		one('profile', 'setConsent', { profileId, optIn: true }),
		one('profile', 'setGroups', { profileId, groupIds: [id('groups')] }),
		one('profile', 'setTags', { profileId, tagIds: [id('tags', 1)] }),
		one('profile', 'setTags', { profileId, tags: 'Fresh' }, { composed: true }),
		one('profile', 'update', { profileId, updateFields: { ...profileFields, name: 'New Name' } }),
		one('tag', 'create', { title: 'Fresh' }),
		one('tag', 'delete', { tagId }),
		one('tag', 'get', { tagId }),
		one('tag', 'getAll'),
		one('tag', 'update', { tagId, title: 'Renamed' }),
		one('group', 'create', { name: 'Fresh' }),
		one('group', 'create', { fields: rows({ name: 'Fresh' }) }),
		one('group', 'delete', { groupId }),
		one('group', 'get', { groupId }),
		one('group', 'getAll'),
		one('group', 'getProfiles', { groupId }),
		one('group', 'update', { groupId, fields: rows({ name: 'Renamed' }) }),
		one('file', 'download', { fileUuid: id('files', -1) }),
		one('file', 'getTemporaryUrl', { fileUuid: id('files', -1) }),
		one('file', 'upload', { type: 'image', options: { public: true } }, { items: image }),
		one('file', 'upload', {}, { items: image, composed: true }),
		one('media', 'addTags', { mediaId, tagIds: [id('tags', 1)] }, { composed: true }),
		one('media', 'create', {
			source: 'uploadedFile',
			fileUuid: id('files', -1),
			type: 'image',
			additionalFields: { title: 'Dot', description: 'A dot', filename: 'dot.png' },
		}),
		one('media', 'create', { source: 'binary', type: 'image' }, { items: image, composed: true }),
		one('media', 'delete', { mediaId }),
		one('media', 'get', { mediaId }),
		one('media', 'getAll'),
		one('media', 'getTags', { mediaId }),
		one('media', 'removeTag', { mediaId, tagId }),
		one('media', 'setTags', { mediaId, tagIds: [id('tags', 1)] }),
		one('media', 'setTags', { mediaId, tags: 'Fresh' }, { composed: true }),
		one('media', 'update', {
			mediaId,
			updateFields: { title: 'Dot', description: 'A dot', filename: 'dot.png' },
		}),
		one('template', 'create', {
			name: 'parcel',
			language: 'en_US',
			templateCategory: 'UTILITY',
		}),
		one('template', 'create', {
			options: {
				fieldsJson: JSON.stringify({
					name: 'fresh',
					language: 'en_US',
					components: [{ type: 'BODY', text: 'Hello' }],
				}),
			},
		}),
		one('template', 'getAll'),
		message({
			messageType: 'text',
			text: 'Hello',
			options: {
				fromAutomation: true,
				referenceId: String(id('messages', -1)),
			},
		}),
		message({
			messageType: 'image',
			mediaSource: 'uploadedFile',
			fileUuid: id('files', -1),
			options: { caption: 'A dot' },
		}),
		message({ messageType: 'image', mediaSource: 'binary' }, { items: image, composed: true }),
		message({
			messageType: 'video',
			mediaSource: 'url',
			fileUrl: 'https://files.example/a.mp4',
			options: { caption: 'A film' },
		}),
		message({
			messageType: 'audio',
			mediaSource: 'url',
			fileUrl: 'https://files.example/a.ogg',
			options: { voice: true },
		}),
		message({
			messageType: 'document',
			mediaSource: 'url',
			fileUrl: 'https://files.example/a.pdf',
			options: { caption: 'Terms', filename: 'terms.pdf' },
		}),
		message({
			messageType: 'location',
			latitude: '52.52',
			longitude: '13.40',
			locationFields: '{ "name": "Shop" }',
		}),
		message({ messageType: 'contact', contactName: 'Jo Doe', contactFields: '{ "phones": [] }' }),
		message({
			messageType: 'custom',
			customType: byId('text'),
			customBody: '{ "text": { "content": "Made by hand" } }',
		}),
		one(
			'message',
			'sendAndWait',
			{
				sendAs: 'text',
				conversationId: String(id('conversations')),
				message: 'May we deliver on Monday?',
				approvalOptions: { values: { approveLabel: 'Yes', disapproveLabel: 'No' } },
				options: { fromAutomation: true, responseFormTitle: 'Delivery' },
			},
			{ waits: true, composed: true },
		),
		one(
			'message',
			'sendAndWait',
			{
				sendAs: 'text',
				conversationId: String(id('conversations')),
				message: 'When may we deliver?',
				responseType: 'choice',
				choices: 'On Monday\nOn Tuesday',
				options: { wordsBeforeLink: 'Choose a day:' },
			},
			{ waits: true, composed: true },
		),
		one(
			'message',
			'sendAndWait',
			{
				...template,
				templateName: byId('question'),
				sendAs: 'template',
				message: 'May we deliver on Monday?',
				responseType: 'freeText',
				variablesMode: 'components',
				recipient: 'customer',
				customerId,
				linkVariable: 1,
				options: templateOptions,
			},
			{ waits: true, composed: true },
		),
		one('message', 'sendTemplate', {
			...template,
			phoneNumber: '+49 171 1234567',
			options: templateOptions,
		}),
		one('message', 'sendTemplate', { ...template, recipient: 'customer', customerId }),
		one(
			'message',
			'previewTemplate',
			{
				...template,
				phoneNumber: '+49 171 1234567',
				options: { placeholders: { placeholder: [{ key: '%name%', value: 'Jo' }] } },
			},
			{ composed: true },
		),
		one('message', 'previewTemplate', { ...template, recipient: 'customer', customerId }, { composed: true }),
		one('support', 'getActivityTypes'),
		one('support', 'getAllowedMimeTypes'),
		one('support', 'getChannels'),
		one('support', 'getMediaSizeLimits'),
		one('support', 'getOpenApi'),
		one('support', 'getPricing'),
		one('support', 'getTemplateLanguages'),
	];
}
