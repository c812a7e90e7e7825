import { mediaItem } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { clearable, collection, pathField } from '../../runner/field';
import { mediaFields } from './mediaFields';

const [description, filename, title] = mediaFields;

export const update = operation('PATCH /media/{id}', {
	fields: [
		pathField('id', mediaItem),
		collection(
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[clearable(description), filename, clearable(title)],
		),
	],
	output: record,
});
