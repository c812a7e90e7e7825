import type { INodeProperties } from 'n8n-workflow';

/** The channel a customer is created on; the interface allows no other (rule 1 for customers). */
export const customerChannel: INodeProperties = {
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	options: [{ name: 'Chat App', value: 'chatapp' }],
	default: 'chatapp',
	required: true,
	description: 'The channel the customer is reached on; customers can only be created for the chat app',
};

/** Keeps a list to the records of one channel. */
export const channelFilter: INodeProperties = {
	displayName: 'Channel Name or ID',
	name: 'channel',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getChannels' },
	default: '',
	description:
		'Only records of this channel. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	routing: { send: { type: 'query', property: 'channel' } },
};

/** The filters of a list that can only be kept to a channel. */
export const channelFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [channelFilter],
};
