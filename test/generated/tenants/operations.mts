import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { contractOperations } from './contractOperations.mts';
import type { Json } from './records.mts';

/** A locator's value as chosen from its list. */
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

const profileId = chosen(7);
const customerId = chosen(7);
const mediaId = chosen(7);
const whole = { simple: false };

/** What an operation on something else than a list is for, which decides what its items hold. */
export type AnswerGroup = 'deletion' | 'import' | 'mark all read' | 'message' | 'read' | 'record' | 'set';

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

const message = answered('message');
const remove = answered('deletion');
const set = (
	resource: string,
	name: string,
	setField: string,
	parameters: INodeParameters,
): AnsweredOperation =>
	answered('set')(resource, name, { ...parameters, ifEmpty: 'removeAll' }, { setField });

/** Operations of which the contract does not tell what kind they are, or whose kind is one of its own. */
const OWN_KIND: AnsweredOperation[] = [
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
	remove('customer', 'bulkDelete', { customerIds: [7] }),
	answered('import')('customer', 'upsert', { displayId: '+49 171 1234567', name: 'Jo' }),
	answered('import')('customer', 'bulkImport', {
		options: { output: 'summary' },
		// Each item is somebody else: the node leaves out repeated numbers, and counts them.
		columns: {
			mappingMode: 'defineBelow',
			value: { displayId: '=+49 171 123456{{ $itemIndex }}', name: 'Jo' },
		},
	}),
	answered('mark all read')('notification', 'markAllRead'),
];

/**
 * Operations whose items are not the answer of their endpoint: a preview never asks it, and a question gives what a person
 * answers. An export has its own tests in test/operations/profile/export.test.mts.
 */
const OWN_REQUESTS = ['message: previewTemplate', 'message: sendAndWait', 'profile: export'];

const {
	paged,
	unpaged,
	answered: plain,
	unclear,
} = contractOperations(new Set([...OWN_KIND.map(({ name }) => name), ...OWN_REQUESTS]));

/** The lists that the interface calls paginated. */
export const PAGED_LISTS: ListOperation[] = paged;

/** The lists that the interface shows as `{data: ...}`. */
export const UNPAGED_LISTS: ListOperation[] = unpaged;

/** The operations that read or write something that is no list of pages. */
export const ANSWERED: AnsweredOperation[] = [...plain, ...OWN_KIND];

/** The operations of which nobody told what kind they are. */
export const UNCLEAR: string[] = unclear;

/** What a bulk import answers. */
export const COUNTS: Json = { created_count: 1, updated_count: 0, skipped_count: 0 };
