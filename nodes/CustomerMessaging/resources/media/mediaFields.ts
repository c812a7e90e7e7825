import { bodyField } from '../../runner/field';
import { text } from '../../values/text';

/** The descriptive fields of a media item, which create and update share. */
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
