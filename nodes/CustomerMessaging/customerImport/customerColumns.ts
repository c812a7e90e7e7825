import type { IDataObject } from 'n8n-workflow';

import type { At, Body } from '../contract/endpoints';
import { fieldConversion, type Mapping, type TenantField } from '../fields/mapping';
import { profileFields } from '../fields/profileFields';
import { type Conversion, ValueProblem } from '../values/conversion';
import { phoneDigits } from '../values/phoneNumber';
import { isBlank, shown, text } from '../values/text';
import { titleList } from '../values/ids';

/** A customer in an import request. */
type Customer = Body<'POST /customers/bulk-import'>['customers'][number];

/** A column of a bulk import ("Bulk import body" of the interface). */
export interface ImportColumn {
	/**
	 * Name in the workflow. *Map Automatically* uses the input field with this name, or with the name in `property`, or
	 * else one of the usual names for it.
	 */
	id: string;
	displayName: string;
	/** Name in the request. */
	property: string;
	/** Whether the value is a member of the customer's `profile`. */
	inProfile: boolean;
	/** Whether a row without a value for this column cannot be imported. */
	required?: boolean;
	/** Makes of an empty cell what clears the member; undefined if nothing does. */
	clear?: (value: unknown) => unknown;
	convert: Conversion<unknown>;
}

/** Makes a column. The conversion must return the type that the interface defines for the member. */
function column<const Member extends string, Value>(
	member: Member,
	convert: Conversion<Value> & ([Value] extends [At<Customer, Member>] ? unknown : never),
	{ id, displayName, ...rest }: Pick<ImportColumn, 'clear' | 'displayName' | 'id' | 'required'>,
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

const channel: Conversion<'chatapp'> = (value) =>
	value === 'chatapp'
		? value
		: new ValueProblem(
				`"${shown(value)}" is not possible`,
				'Customers can only be imported for the channel chatapp.',
			);

const toNull = () => null;

const profileColumns = profileFields.map(
	({ parameter, member, convert, isClearable = false }): ImportColumn => ({
		id: parameter.name,
		displayName: parameter.displayName,
		property: member,
		inProfile: true,
		...(isClearable && { clear: toNull }),
		convert: member === 'email' ? emailAddress : convert,
	}),
);

/** What most lists of customers have, before what few have. */
const FIRST = ['email', 'marketingOptIn', 'tags', 'dateOfBirth', 'address'];

const place = ({ id }: ImportColumn) => (FIRST.includes(id) ? FIRST.indexOf(id) : FIRST.length);

/** The columns of the interface, in the order of the editor. */
export const importColumns: ImportColumn[] = [
	column('display_id', phoneDigits, { id: 'displayId', displayName: 'Phone Number', required: true }),
	column('name', text, { id: 'name', displayName: 'Name', required: true }),
	...[
		...profileColumns,
		column('profile.tags', titleList, { id: 'tags', displayName: 'Tags', clear: toNull }),
	].sort((one, other) => place(one) - place(other)),
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
		clear: fieldConversion(field),
		convert: fieldConversion(field),
	}));
	return [...importColumns, ...further];
}

/** What lists of customers call a column, without spaces, hyphens, quotes and capitals. */
const USUAL_NAMES: Record<string, string> = {
	displayId:
		'phone phonenumber phoneno mobile mobilephone mobilenumber mobileno cell cellphone tel telephone telephonenumber whatsapp whatsappnumber telefon telefonnummer handy handynummer mobil mobilnummer rufnummer',
	name: 'fullname customername contactname kundenname',
	email: 'mail emailaddress mailaddress emailadresse',
	marketingOptIn: 'optin marketingconsent',
	tags: 'tag',
	dateOfBirth: 'birthday birthdate dob geburtsdatum geburtstag',
	address: 'postaladdress adresse anschrift',
};

/** Returns a name without what CSV files have around it too: a byte order mark, which is a space here, and quotes. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_.\-"'„“”‘’«»]+/g, '');

/**
 * Makes the reader of *Map Automatically*. An input field counts for a column if it has the column's name or that of the
 * member; otherwise any spelling of these and the usual names count. A field whose name is that of another column does not.
 *
 * The reader returns undefined where no field counts, null where one has no value, and a problem where several fields count and differ: nobody knows then which one is meant.
 */
export function automaticReader(columns: ImportColumn[]) {
	const exact = new Set(columns.flatMap(({ id, property }) => [id, property]));
	const meanings = new Map<string, string>();
	for (const { id, property } of columns) {
		const usual = Object.hasOwn(USUAL_NAMES, id) ? USUAL_NAMES[id].split(' ') : [];
		for (const name of [plain(id), plain(property), ...usual])
			if (!meanings.has(name)) meanings.set(name, id);
	}
	// Rows of one list have the same names.
	const known = new Map<string, string | undefined>();
	const meaningOf = (name: string) => {
		if (!known.has(name)) known.set(name, exact.has(name) ? undefined : meanings.get(plain(name)));
		return known.get(name);
	};
	return (json: IDataObject, { id, property }: ImportColumn): unknown => {
		const named = [...new Set([id, property])].filter((name) => Object.hasOwn(json, name));
		const given = named.length > 0 ? named : Object.keys(json).filter((name) => meaningOf(name) === id);
		const filled = given.filter((name) => !isBlank(json[name]));
		const [name = given[0], ...others] = filled;
		const other = others.find((one) => json[one] !== json[name]);
		if (other !== undefined)
			return new ValueProblem(`is in ${name} and in ${other}, with different values`, '');
		return name === undefined ? undefined : (json[name] ?? null);
	};
}
