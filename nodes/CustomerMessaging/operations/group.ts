import { bodyField, options, undocumented } from '../core/field';
import { howMany, pages } from '../fields/list';
import { otherFields, otherFieldsJson } from '../fields/openFields';
import { list } from '../core/outputs';
import { simplifiedProfiles, simplify } from '../core/simplified';
import { emptyCells } from '../core/emptyValues';
import { trimmedText } from '../values/text';
import { operation, resource } from './resource';

/** The name of a group, as the records of a tenant have it. */
const groupName = undocumented(bodyField('name', trimmedText, { placeholder: 'e.g. Regulars' }));

export const groupResource = resource('group', {
	create: operation('POST /groups', 'Create a group of profiles', {
		fields: [groupName, otherFields, options(otherFieldsJson)],
	}),
	delete: operation('DELETE /groups/{id}', 'Delete a group'),
	get: operation('GET /groups/{id}', 'Get one group by ID'),
	getAll: operation('GET /groups', 'Retrieve a list of groups', pages),
	getProfiles: operation('GET /groups/{groupId}/profiles', 'Get the profiles that are in a group', {
		...pages,
		fields: [...howMany, ...simplify],
		output: simplifiedProfiles(list),
	}),
	update: operation('PATCH /groups/{id}', 'Change fields of a group', {
		fields: [groupName, otherFields, options(emptyCells, otherFieldsJson)],
	}),
});
