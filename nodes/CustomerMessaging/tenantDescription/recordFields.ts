import type { FieldType } from 'n8n-workflow';

import type { JsonType, TenantField } from '../fields/mapping';
import { isObject, ownMember } from '../values/json';
import { isUsable, labelFrom, MAX_FIELDS } from './fieldNames';
import type { DescribedFields } from './requestFields';

/** Maximum number of names that the editor cannot use. */
const MAX_UNUSABLE = 10_000;

/** The types of values that JSON tells apart. `null` may stand for any of them. */
function typeOf(value: unknown): (FieldType & JsonType) | undefined {
	if (Array.isArray(value)) return 'array';
	if (isObject(value)) return 'object';
	const type = typeof value;
	return type === 'boolean' || type === 'number' || type === 'string' ? type : undefined;
}

/** Returns the members of a record as fields with the types of their values, up to a number that a person can look through. */
export function recordFields(record: object): DescribedFields {
	const fields: TenantField[] = [];
	let more = 0;
	// A loop, since the members of a large object are not to be listed.
	for (const name in record) {
		if (fields.length === MAX_FIELDS) {
			// n8n shows no notice beside fields.
			fields[MAX_FIELDS - 1].displayName += ' (further fields are not listed: use Other Fields)';
			break;
		}
		if (!isUsable(name)) {
			if (++more === MAX_UNUSABLE) break;
			continue;
		}
		const type = typeOf(ownMember(record, name));
		fields.push({
			id: name,
			displayName: labelFrom(name),
			type: type ?? 'string',
			...(type && { jsonType: type }),
			required: false,
			defaultMatch: false,
			canBeUsedToMatch: false,
			display: true,
		});
	}
	return { fields, more };
}
