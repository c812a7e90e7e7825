import { unshownMembers } from '../../fields/unshownMembers';
import { bodyField } from '../../runner/field';
import { trimmedText } from '../../values/text';

/** The name of a group, as the records of a tenant have it. */
export const groupName = unshownMembers([
	bodyField('name', trimmedText, {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		placeholder: 'e.g. Regulars',
		description: 'The name of the group. Tenant Fields and Other Fields win.',
	}),
]);
