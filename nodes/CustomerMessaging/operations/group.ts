import { bodyField, options, pathField, undocumented } from '../core/field';
import { howMany, pages } from '../fields/list';
import { group } from '../fields/locators';
import { otherFields, otherFieldsJson } from '../fields/openFields';
import { deleted, list } from '../core/outputs';
import { simplifiedProfiles, simplify } from '../core/simplified';
import { operation } from '../core/declare';
import { emptyCells } from '../core/emptyValues';
import { trimmedText } from '../values/text';
import { resource } from './resource';

/** The name of a group, as the records of a tenant have it. */
const groupName = undocumented(bodyField('name', trimmedText, { placeholder: 'e.g. Regulars' }));

export const groupResource = resource(
	'group',
	{ name: 'Group', default: 'getAll' },
	{
		create: operation('POST /groups', {
			description: 'Create a group of profiles',
			fields: [groupName, otherFields, options(otherFieldsJson)],
		}),
		delete: operation('DELETE /groups/{id}', {
			description: 'Delete a group',
			fields: [pathField('id', group)],
			output: deleted,
		}),
		get: operation('GET /groups/{id}', {
			description: 'Get one group by ID',
			fields: [pathField('id', group)],
		}),
		getAll: operation('GET /groups', {
			description: 'Retrieve a list of groups',
			fields: howMany,
			...pages,
		}),
		getProfiles: operation('GET /groups/{groupId}/profiles', {
			description: 'Get the profiles that are in a group',
			fields: [pathField('groupId', group), ...howMany, ...simplify],
			...pages,
			output: simplifiedProfiles(list),
		}),
		update: operation('PATCH /groups/{id}', {
			description: 'Change fields of a group',
			fields: [pathField('id', group), groupName, otherFields, options(emptyCells, otherFieldsJson)],
		}),
	},
);
