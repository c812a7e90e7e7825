import type { TenantField } from '../tenantDescription/requestFields';
import { phoneDigits } from './phoneNumber';
import { profileFields } from './profileFields';
import { fieldConversion, type Mapping } from './tenantFields';
import { type Conversion, ValueProblem } from './values';

/** A column of a bulk import ("Bulk import body" of the interface). */
export interface ImportColumn {
	/** Name in the workflow; an input field of this name, or of the wire's, is mapped by itself. */
	id: string;
	displayName: string;
	/** Name on the wire. */
	property: string;
	/** Whether it is a member of the customer's `profile`. */
	inProfile: boolean;
	/** Without a value for it a row cannot be imported. */
	required?: boolean;
	convert?: Conversion;
}

/** The service skips an invalid address without a word, so it is looked at before. */
const email: Conversion = (value) => {
	const address = String(value).trim();
	return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)
		? address
		: new ValueProblem(`"${address}" is not an email address`, 'Use an address such as name@email.com.');
};

const channel: Conversion = (value) =>
	value === 'chatapp'
		? value
		: new ValueProblem(
				`"${String(value)}" is not possible`,
				'Customers can only be imported for the channel chatapp.',
			);

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
	{ id: 'channel', displayName: 'Channel', property: 'channel', inProfile: false, convert: channel },
	...profileFields.map(({ parameter, property, convert }) => ({
		id: parameter.name,
		displayName: parameter.displayName,
		property,
		inProfile: true,
		convert: property === 'email' ? email : convert,
	})),
	{ id: 'tags', displayName: 'Tags', property: 'tags', inProfile: true },
];

const KNOWN = new Set(importColumns.flatMap(({ id, property }) => [id, property]));

/** The fields that are not columns yet. */
export function furtherFields(fields: TenantField[]): TenantField[] {
	return fields.filter(({ id }) => !KNOWN.has(id));
}

/** The columns of a mapping: those of the interface, and the fields of a profile that the tenant describes besides. */
export function mappedColumns({ schema = [] }: Mapping): ImportColumn[] {
	const further = furtherFields(schema).map((field) => ({
		id: field.id,
		displayName: field.displayName,
		property: field.id,
		inProfile: true,
		convert: fieldConversion(field),
	}));
	return [...importColumns, ...further];
}
