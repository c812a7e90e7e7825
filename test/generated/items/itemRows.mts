import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { firstCases, isLocator } from '../../contract/firstCases.mts';
import { ANY_IDS } from '../../contract/operationCases.mts';
import { byId } from '../../engine/tenant.mts';
import { REFUSED } from './itemsTenant.mts';

/**
 * What two items for the same record mean.
 *
 * - last wins: the record is as the last item says, so they are carried out in their order
 * - in order: both come to the same person, in their order
 * - union, without: the set has both elements more, or less
 * - first deletes: the first item deletes the record, which the second then does not find
 * - each: each item gets its own answer
 */
export type Meaning = 'each' | 'first deletes' | 'in order' | 'last wins' | 'union' | 'without';

/** An operation that several items are given to, whose `record` and `mark` say which record and what about it. */
export interface ItemRow {
	name: string;
	parameters: INodeParameters;
	meaning: Meaning;
	marks: [unknown, unknown];
	/** Two spellings of one record. */
	spellings: [unknown, unknown];
	/** Another record. */
	other: unknown;
	/** A record that the tenant refuses, and one that the node does; undefined where there is none. */
	refused: unknown;
	invalid: unknown;
	/** Path of the set, where it is one. */
	set?: string;
}

const RECORD = '={{ $json.record }}';
const MARK = '={{ $json.mark }}';

const row = (
	resource: string,
	operation: string,
	meaning: Meaning,
	parameters: INodeParameters,
	more: Partial<ItemRow> = {},
): ItemRow => ({
	name: `${resource}: ${operation}`,
	parameters: { resource, operation, simple: false, ifEmpty: 'removeAll', ...parameters },
	meaning,
	marks: ['Ada', 'Bea'],
	spellings: [7, '007'],
	other: 8,
	refused: Number(REFUSED),
	invalid: '',
	...more,
});

const [agentId, customerId, groupId] = [byId(RECORD), byId(RECORD), byId(RECORD)];
const [mediaId, profileId, tagId, userId] = [byId(RECORD), byId(RECORD), byId(RECORD), byId(RECORD)];
const ids: Partial<ItemRow> = { marks: [41, 42] };
const free = (name: string): INodeParameters => ({ field: [{ name, value: MARK }] });
const users = { ...ids, set: '/customers/7/users' };
const tags = { ...ids, set: '/profiles/7/tags' };
const groups = { ...ids, set: '/profiles/7/groups' };
const mediaTags = { ...ids, set: '/media/7/tags' };

const numbers: Partial<ItemRow> = {
	spellings: ['+49 171 1234567', '0049 171 1234567'],
	other: '+49 171 1234568',
	refused: `+49 171 ${REFUSED}`,
	invalid: 'none',
};

const template = { agentId: byId(11), templateName: byId(MARK), templateLanguage: 'en_US' };

/** Operations of which somebody has to say what two items for one record mean. */
const written: ItemRow[] = [
	row('agent', 'update', 'last wins', { agentId, updateFields: { proxyEmail: MARK } }),
	row('customer', 'setUsers', 'last wins', { customerId, userIds: MARK }, users),
	row('customer', 'addUsers', 'union', { customerId, userIds: MARK }, users),
	row('customer', 'removeUsers', 'without', { customerId, userIds: MARK }, users),
	row('customer', 'upsert', 'last wins', { displayId: RECORD, name: MARK }, numbers),
	row('profile', 'update', 'last wins', { profileId, updateFields: { name: MARK } }),
	row('profile', 'setConsent', 'last wins', { profileId, optIn: MARK }, { marks: [true, false] }),
	row('profile', 'getActivity', 'each', { profileId, activityId: byId(5) }),
	row('profile', 'setTags', 'last wins', { profileId, tagIds: MARK }, tags),
	row('profile', 'addTags', 'union', { profileId, tagIds: MARK }, tags),
	row('profile', 'removeTag', 'without', { profileId, tagId: byId(MARK) }, tags),
	row('profile', 'setGroups', 'last wins', { profileId, groupIds: MARK }, groups),
	row('profile', 'addGroups', 'union', { profileId, groupIds: MARK }, groups),
	row('profile', 'removeGroup', 'without', { profileId, groupId: byId(MARK) }, groups),
	row('tag', 'update', 'last wins', { tagId, title: MARK }),
	row('group', 'update', 'last wins', { groupId, fields: free('note') }),
	row('media', 'update', 'last wins', { mediaId, updateFields: { title: MARK } }),
	row('media', 'setTags', 'last wins', { mediaId, tagIds: MARK }, mediaTags),
	row('media', 'addTags', 'union', { mediaId, tagIds: MARK }, mediaTags),
	row('media', 'removeTag', 'without', { mediaId, tagId: byId(MARK) }, mediaTags),
	row(
		'notification',
		'markRead',
		'each',
		{ notificationUuid: byId(RECORD) },
		{ spellings: ['a-7', ' a-7 '], other: 'a-8', refused: `a-${REFUSED}` },
	),
	row('user', 'update', 'last wins', { userId, updateFields: { name: MARK } }),
	row('user', 'verifyPin', 'each', { userId, pin: MARK }, { marks: ['012345', '123456'] }),
	row(
		'message',
		'send',
		'in order',
		{ conversationId: RECORD, messageType: 'text', text: MARK },
		// The interface does not say that it is a number.
		{ spellings: [7, ' 7 '] },
	),
	row('message', 'sendTemplate', 'in order', { recipient: 'customer', customerId, ...template }),
	row(
		'message',
		'previewTemplate',
		'each',
		{ recipient: 'customer', customerId, ...template },
		// A preview tells of an unusable record among its problems.
		{ invalid: undefined },
	),
	{
		...row(
			'message',
			'sendTemplate',
			'in order',
			{ recipient: 'phoneNumber', phoneNumber: RECORD, ...template },
			numbers,
		),
		name: 'message: sendTemplate to a number',
	},
	...['general', 'thirdParty', 'crm'].map((category) => ({
		...row('settings', 'update', 'last wins', { category, fields: free('note') }),
		name: `settings: update ${category}`,
		spellings: [category, category] as [unknown, unknown],
		refused: undefined,
		invalid: undefined,
	})),
];

/** Reading and deleting one record mean the same everywhere. */
const plain: ItemRow[] = firstCases(ANY_IDS).flatMap(({ resource, operation, parameters, endpoint }) => {
	const locators = Object.keys(parameters).filter((name) => isLocator(parameters[name]));
	const meaning = endpoint?.method === 'DELETE' ? 'first deletes' : 'each';
	const isPlain = endpoint?.answer && ['DELETE', 'GET'].includes(endpoint.method) && locators.length === 1;
	return isPlain ? [row(resource, operation, meaning, { [locators[0]]: byId(RECORD), returnAll: true })] : [];
});

/** Operations that work on a record that the item names. */
export const ROWS: ItemRow[] = [...plain, ...written];

/** Items as the rows read them. */
export const itemsOf = (...items: Array<[record: unknown, mark: unknown]>) =>
	items.map(([record, mark]) => ({ json: { record, mark } as IDataObject }));
