import type { INodeProperties } from 'n8n-workflow';

export const tagTitle: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. VIP',
	description: 'The title of the tag',
	routing: { send: { type: 'body', property: 'title' } },
};
