import type { At, Body } from '../contract/endpoints';
import { fieldConversion, type Mapping, type TenantField } from '../fields/mapping';
import { profileFields } from '../fields/profileFields';
import { type Conversion, ValueProblem } from '../values/conversion';
import { phoneDigits } from '../values/phoneNumber';
import { shown, text } from '../values/text';
import { titleList } from '../values/titles';

/** A customer of an import. */
type Customer = Body<'POST /customers/bulk-import'>['customers'][number];

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
	convert: Conversion<unknown>;
}

/** A column whose conversion gives what the interface takes at its member. */
function column<const Member extends string, Value>(
	member: Member,
	convert: Conversion<Value> & ([Value] extends [At<Customer, Member>] ? unknown : never),
	{ id, displayName, required }: Pick<ImportColumn, 'displayName' | 'id' | 'required'>,
): ImportColumn {
	const [first, second] = member.split('.');
	return {
		id,
		displayName,
		property: second ?? first,
		inProfile: second !== undefined,
		...(required && { required }),
		convert,
	};
}

/** The service skips an invalid address without a word, so it is looked at before. */
const email: Conversion<string> = (value) => {
	const address = String(value).trim();
	return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)
		? address
		: new ValueProblem(`"${address}" is not an email address`, 'Use an address such as name@email.com.');
};

const channel: Conversion<'chatapp'> = (value) =>
	value === 'chatapp'
		? value
		: new ValueProblem(
				`"${shown(value)}" is not possible`,
				'Customers can only be imported for the channel chatapp.',
			);

export const importColumns: ImportColumn[] = [
	column('display_id', phoneDigits, { id: 'displayId', displayName: 'Phone Number', required: true }),
	column('name', text, { id: 'name', displayName: 'Name', required: true }),
	column('channel', channel, { id: 'channel', displayName: 'Channel' }),
	...profileFields.map(
		({ parameter, member, convert }): ImportColumn => ({
			id: parameter.name,
			displayName: parameter.displayName,
			property: member,
			inProfile: true,
			convert: member === 'email' ? email : convert,
		}),
	),
	column('profile.tags', titleList, { id: 'tags', displayName: 'Tags' }),
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
