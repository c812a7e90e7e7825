import { bodyField, options } from '../core/field';
import { pages } from '../fields/list';
import { otherFields, otherFieldsJson } from '../fields/openFields';
import { emptyCells } from '../core/emptyValues';
import { trimmedText } from '../values/text';
import { operation, resource } from './resource';

const tagTitle = bodyField('title', trimmedText, {
	required: true,
	placeholder: 'e.g. VIP',
});

export const tagResource = resource('tag', {
	create: operation('POST /tags', 'Create a tag for profiles and media', {
		fields: [tagTitle, otherFields, options(otherFieldsJson)],
	}),
	delete: operation('DELETE /tags/{id}', 'Delete a tag'),
	get: operation('GET /tags/{id}', 'Get one tag by ID'),
	getAll: operation('GET /tags', 'Retrieve a list of tags, sorted by title', pages),
	update: operation('PATCH /tags/{id}', 'Change the title of a tag', {
		fields: [tagTitle, otherFields, options(emptyCells, otherFieldsJson)],
	}),
});
