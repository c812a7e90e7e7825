import { bodyField } from '../../runner/field';
import { text } from '../../values/text';

/** What people are told about a media item; the same on create and update. */
export const mediaFields = [
	bodyField('description', text, {
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '',
		placeholder: 'e.g. Header of shipping messages',
		description: 'What the file shows, for people',
	}),
	bodyField('filename', text, {
		displayName: 'File Name',
		name: 'filename',
		type: 'string',
		default: '',
		placeholder: 'e.g. parcel.jpg',
		description: 'The technical name of the file',
	}),
	bodyField('title', text, {
		displayName: 'Title',
		name: 'title',
		type: 'string',
		default: '',
		placeholder: 'e.g. Parcel',
		description: 'The title of the file, for people',
	}),
] as const;
