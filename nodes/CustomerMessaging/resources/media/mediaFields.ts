import type { INodeProperties } from 'n8n-workflow';

/** What people are told about a media item; the same on create and update. */
export const mediaFields: INodeProperties[] = [
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Header of shipping messages',
		description: 'What the file shows, for people',
		routing: { send: { type: 'body', property: 'description' } },
	},
	{
		displayName: 'File Name',
		name: 'filename',
		type: 'string',
		default: '',
		placeholder: 'e.g. parcel.jpg',
		description: 'The technical name of the file',
		routing: { send: { type: 'body', property: 'filename' } },
	},
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Parcel',
		description: 'The title of the file, for people',
		routing: { send: { type: 'body', property: 'title' } },
	},
];
