import { bodyField } from '../../runner/field';
import { trimmedText } from '../../values/text';

export const tagTitle = bodyField('title', trimmedText, {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. VIP',
	description: 'The title of the tag',
});
