import { mediaItem } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { collection, pathField } from '../../runner/field';
import { mediaFields } from './mediaFields';

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
			[...mediaFields],
		),
	],
	output: record,
});
