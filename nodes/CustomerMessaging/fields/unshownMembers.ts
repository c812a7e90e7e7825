import type { IDataObject } from 'n8n-workflow';

import { type MemberField, memberNames, type OpenField } from '../runner/field';
import { converted, fieldError } from '../runner/fieldError';
import { ABSENT, isBlank, NOT_CLEARABLE } from '../values/text';

/**
 * Makes the parameters of members that the interface does not show, but the records of a tenant.
 *
 * None of them is required. Fields that the tenant describes, and *Other Fields*, may have the same members, with values
 * of other types.
 */
export function unshownMembers(fields: Array<MemberField<'body'>>): OpenField {
	return {
		kind: 'open',
		hasTenantTypes: true,
		members: fields.map(({ member }) => member),
		parameters: fields.map(({ parameter }) => parameter),
		membersOf(context, body, isUpdate) {
			const members: IDataObject = { ...body };
			for (const { member, convert, parameter } of fields) {
				const { name, displayName, default: usual } = parameter;
				const value: unknown = context.getNodeParameter(name, usual as object);
				if (!isBlank(value))
					members[member] = converted(context, displayName, convert, value) as IDataObject[string];
				else if (isUpdate && typeof value !== 'string')
					throw fieldError(context, displayName, value === null ? NOT_CLEARABLE : ABSENT);
			}
			return members;
		},
		namesOf: () => memberNames(fields),
	};
}
