import { bodyField, collection, queryField } from '../runner/field';
import { oneOf } from '../values/choices';
import { trimmedText } from '../values/text';

/** The channel of a new customer. The interface allows only this one (rule 1 for customers). */
export const customerChannel = bodyField('channel', oneOf('chatapp'), {
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [{ name: 'Chat App', value: 'chatapp' }],
	default: 'chatapp',
	required: true,
	description: 'The channel the customer is reached on; customers can only be created for the chat app',
});

/** Limits a list to the records of one channel. */
export const channelFilter = queryField('channel', trimmedText, {
	displayName: 'Channel Name or ID',
	name: 'channel',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getChannels' },
	default: '',
	description:
		'Only records of this channel. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** The filters of a list that can only filter by channel. */
export const channelFilters = collection(
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
	},
	[channelFilter],
);
