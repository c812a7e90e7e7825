import type { FieldType } from 'n8n-workflow';

import { profileFields } from './profileFields';
import { phoneDigits } from './phoneNumber';
import type { Conversion } from './values';

/** A column of a bulk import ("Bulk import body" of the interface). */
export interface ImportColumn {
	/** Name in the workflow; an input field of this name, or of the wire's, is mapped by itself. */
	id: string;
	displayName: string;
	/** Name on the wire. */
	property: string;
	/** Whether it is a member of the customer's `profile`. */
	inProfile: boolean;
	required?: boolean;
	type?: FieldType;
	convert?: Conversion;
}

export const importColumns: ImportColumn[] = [
	{
		id: 'displayId',
		displayName: 'Phone Number',
		property: 'display_id',
		inProfile: false,
		required: true,
		convert: phoneDigits,
	},
	{ id: 'name', displayName: 'Name', property: 'name', inProfile: false, required: true },
	...profileFields.map(({ parameter, property, convert }) => ({
		id: parameter.name,
		displayName: parameter.displayName,
		property,
		inProfile: true,
		convert,
	})),
	{ id: 'tags', displayName: 'Tags', property: 'tags', inProfile: true },
];
