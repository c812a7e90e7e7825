import type { At, Body } from '../contract/endpoints';
import { fieldConversion, type Mapping, type TenantField } from '../fields/mapping';
import { profileFields } from '../fields/profileFields';
import { type Conversion, ValueProblem } from '../values/conversion';
import { phoneDigits } from '../values/phoneNumber';
import { shown, text } from '../values/text';
import { titleList } from '../values/ids';

/** A customer in an import request. */
type Customer = Body<'POST /customers/bulk-import'>['customers'][number];

/** A column of a bulk import ("Bulk import body" of the interface). */
export interface ImportColumn {
	/**
	 * Name in the workflow. *Map Automatically* uses the input field with this name, or with the name in `property`, or
	 * else one of the usual names for it, see `usualNames`.
	 */
	id: string;
	displayName: string;
	/** Name in the request. */
	property: string;
	/** Whether the value is a member of the customer's `profile`. */
	inProfile: boolean;
	/** Whether a row without a value for this column cannot be imported. */
	required?: boolean;
	/** Whether `null` clears the member. Otherwise it leaves the member out. */
	isClearable?: boolean;
	convert: Conversion<unknown>;
}

/** Makes a column. The conversion must return the type that the interface defines for the member. */
function column<const Member extends string, Value>(
	member: Member,
	convert: Conversion<Value> & ([Value] extends [At<Customer, Member>] ? unknown : never),
	{ id, displayName, ...rest }: Pick<ImportColumn, 'displayName' | 'id' | 'required'>,
): ImportColumn {
	const [first, second] = member.split('.');
	return {
		id,
		displayName,
		property: second ?? first,
		inProfile: second !== undefined,
		...rest,
		convert,
	};
}

/** Maximum length of an email address in SMTP. */
const MAX_ADDRESS_LENGTH = 254;

/** The service skips an invalid address and does not report it. So the node checks it first. */
export const emailAddress: Conversion<string> = (value) => {
	const address = text(value);
	return typeof address === 'string' &&
		address.length <= MAX_ADDRESS_LENGTH &&
		/^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/.test(address.trim())
		? address.trim()
		: new ValueProblem(
				`"${shown(value)}" is not an email address`,
				'Use one address such as name@email.com. The service would leave out any other value.',
			);
};

/** Lets null through, which clears a member. */
const orNull =
	<Value>(convert: Conversion<Value>): Conversion<Value | null> =>
	(value) =>
		value === null ? null : convert(value);

const channel: Conversion<'chatapp'> = (value) =>
	value === 'chatapp'
		? value
		: new ValueProblem(
				`"${shown(value)}" is not possible`,
				'Customers can only be imported for the channel chatapp.',
			);

const profileColumns = profileFields.map(
	({ parameter, member, convert, isClearable = false }): ImportColumn => ({
		id: parameter.name,
		displayName: parameter.displayName,
		property: member,
		inProfile: true,
		isClearable,
		convert: orNull<unknown>(member === 'email' ? emailAddress : convert),
	}),
);

/** What most lists of customers have, before what few have. */
const FIRST = ['email', 'marketingOptIn', 'tags', 'dateOfBirth', 'address'];

const place = ({ id }: ImportColumn) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);

/** The columns of the interface, in the order of the editor. */
export const importColumns: ImportColumn[] = [
	column('display_id', phoneDigits, { id: 'displayId', displayName: 'Phone Number', required: true }),
	column('name', text, { id: 'name', displayName: 'Name', required: true }),
	...[...profileColumns, column('profile.tags', titleList, { id: 'tags', displayName: 'Tags' })].sort(
		(one, other) => place(one) - place(other),
	),
	column('channel', channel, { id: 'channel', displayName: 'Channel' }),
];

const KNOWN = new Set(importColumns.flatMap(({ id, property }) => [id, property]));

/** Returns the fields that are not among the columns of the interface. */
export function furtherFields(fields: TenantField[]): TenantField[] {
	return fields.filter(({ id }) => !KNOWN.has(id));
}

/** Returns the columns of a mapping: those of the interface, and further profile fields that the tenant describes. */
export function mappedColumns({ schema = [] }: Mapping): ImportColumn[] {
	const further = furtherFields(schema).map((field) => ({
		id: field.id,
		displayName: field.displayName,
		property: field.id,
		inProfile: true,
		isClearable: true,
		convert: fieldConversion(field),
	}));
	return [...importColumns, ...further];
}
