import { bodyField, options, pathField } from '../core/field';
import { howMany, pages } from '../fields/list';
import { tag } from '../fields/locators';
import { otherFields, otherFieldsJson } from '../fields/openFields';
import { deleted } from '../core/outputs';
import { operation } from '../core/declare';
import { emptyCells } from '../core/emptyValues';
import { trimmedText } from '../values/text';
import { resource } from './resource';

const tagTitle = bodyField('title', trimmedText, {
	required: true,
	placeholder: 'e.g. VIP',
});

export const tagResource = resource(
	'tag',
	{ name: 'Tag', default: 'getAll' },
	{
		create: operation('POST /tags', {
			description: 'Create a tag for profiles and media',
			fields: [tagTitle, otherFields, options(otherFieldsJson)],
		}),
		delete: operation('DELETE /tags/{id}', {
			description: 'Delete a tag',
			fields: [pathField('id', tag)],
			output: deleted,
		}),
		get: operation('GET /tags/{id}', {
			description: 'Get one tag by ID',
			fields: [pathField('id', tag)],
		}),
		getAll: operation('GET /tags', {
			description: 'Retrieve a list of tags, sorted by title',
			fields: howMany,
			...pages,
		}),
		update: operation('PATCH /tags/{id}', {
			description: 'Change the title of a tag',
			fields: [pathField('id', tag), tagTitle, otherFields, options(emptyCells, otherFieldsJson)],
		}),
	},
);
