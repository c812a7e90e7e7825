import { fieldParser, type Mapping, type TenantField } from '../fields/mapping';
import { profileFields } from '../fields/profileFields';
import { bodyField, clearable, type MemberField, shownAs, within } from '../core/field';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { titleList } from '../values/ids';
import { oneOf } from '../values/choices';
import { parameterFor } from '../values/field';
import { phoneDigits } from '../values/phoneNumber';
import { isBlank, isWordForNothing, quote, trimmedText } from '../values/text';

/** The channel of a new customer. The interface allows only this one (rule 1 for customers). */
export const channel = bodyField('channel', oneOf('chatapp'), {
	type: 'hidden',
	default: 'chatapp',
	required: true,
});

/** The phone number that identifies a customer of the chat app (rule 2 for customers). */
export const phoneNumber = bodyField('display_id', phoneDigits, {
	displayName: 'Phone Number',
	required: true,
	placeholder: 'e.g. +49 171 1234567',
	description: 'With country code, in any usual format',
});

/** The name of a customer, which is also the name of its profile (rule 3 for customers). */
export const name = bodyField('name', trimmedText, {
	required: true,
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the customer and their profile',
});

/** Words with single dots between them, and a domain whose parts neither begin nor end with a dash. Letters of any script. */
const ADDRESS =
	/^(?:[^\s\p{C}@,;:<>()[\]\\".]+\.)*[^\s\p{C}@,;:<>()[\]\\".]+@(?:(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)$/u;

/** The service skips an invalid address and does not report it. So the node checks it first. */
const emailAddress: Parse<string> = (value) => {
	const address = orUndefinedIfInvalid(trimmedText, value) ?? '';
	if (ADDRESS.test(address)) return address;
	throw new InvalidValue(
		`"${quote(value)}" is not an email address`,
		'Use one address such as name@email.com. The service would leave out any other value.',
	);
};

/** The fields of the profile that a write of the customer takes. */
export const ofProfile = profileFields.map((field) =>
	within('profile', field.target.name === 'email' ? clearable({ ...field, parse: emailAddress }) : field),
);

const [address, custom1, custom2, custom3, custom4, custom5, dateOfBirth, email, marketingOptIn] = ofProfile;

const tags = within('profile', clearable(bodyField('tags', titleList, {})));

/** What stands before the member of a profile in the name of a column's target. */
const PROFILE = 'profile.';

/** Returns the member of the profile that a column becomes; undefined if it becomes one of the customer. */
export const profileMember = ({ target: { name } }: ImportColumn) =>
	name.startsWith(PROFILE) ? name.slice(PROFILE.length) : undefined;

/** A column of a bulk import ("Bulk import body" of the interface). A row without a value for a required one is not imported. */
export type ImportColumn = MemberField<'body'>;

export const importColumns: ImportColumn[] = [
	phoneNumber,
	name,
	// What most lists of customers have stands before what few have.
	...[email, marketingOptIn, tags, dateOfBirth, address],
	...[custom1, custom2, custom3, custom4, custom5],
	shownAs(channel, { required: false }),
];

/** Returns the names by which an input field is that of a column: the parameter's, and the member's. */
const namesOf = (column: ImportColumn) => [column.path, profileMember(column) ?? column.target.name];

const KNOWN = new Set(importColumns.flatMap(namesOf));

export const furtherFields = (fields: TenantField[]) => fields.filter(({ id }) => !KNOWN.has(id));

/** Returns the columns of a mapping: those of the interface, and further profile fields that the tenant describes. */
export function mappedColumns({ schema = [] }: Mapping): ImportColumn[] {
	const further = furtherFields(schema).map((field): ImportColumn => {
		const { id, displayName } = field;
		const target = { place: 'body' as const, name: `${PROFILE}${id}` };
		const parameter = parameterFor(id, { name: id, displayName });
		return { path: id, parameter, parse: fieldParser(field), target, isClearable: true };
	});
	return [...importColumns, ...further];
}

/** Returns the value of a cell, without the apostrophe with which exports keep a spreadsheet from calculating. */
export function cellOf(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return isWordForNothing(value) ? null : value.replace(/^'(?=[=+@-])/, '');
}

export const isNothing = (value: unknown) => isBlank(cellOf(value));

/** What lists of customers call a column, without spaces, hyphens, quotes and capitals, a mobile number before others. */
const USUAL_NAMES: Record<string, string> = {
	displayId:
		'whatsapp whatsappnumber mobile mobilephone mobilephonenumber mobilenumber mobileno cell cellphone handy handynummer mobil mobilnummer mobiltelefon phone phonenumber phoneno phone1value tel telephone telephonenumber telefon telefonnummer rufnummer',
	name: 'fullname customername contactname kundenname',
	email: 'mail emailaddress mailaddress emailadresse email1value',
	marketingOptIn: 'optin marketingconsent',
	tags: 'tag',
	dateOfBirth: 'birthday birthdate dob geburtsdatum geburtstag',
	address: 'postaladdress adresse anschrift',
};

/** Returns a name without what CSV files have around it too: a byte order mark, which is a space here, and quotes. */
const plain = (name: string) => name.toLowerCase().replace(/[\s_.\-"'„“”‘’«»]+/g, '');

/**
 * Returns the field of each column for *Map Automatically*: one that has the name of the column or of its member, else any
 * spelling of these or of the usual names. A field with the name of another column does not count. Of several, the first by this
 * order counts.
 *
 * @param groups names of fields: those of a later group only count for columns that have no field yet
 */
export function fieldsByName(columns: ImportColumn[], groups: string[][]): Map<ImportColumn, string> {
	const exact = columns.flatMap((column) => namesOf(column).map((name) => [name, column] as const));
	const spelled = columns.flatMap((column) => {
		const usual = Object.hasOwn(USUAL_NAMES, column.path) ? USUAL_NAMES[column.path].split(' ') : [];
		return [...namesOf(column).map(plain), ...usual].map((name) => [name, column] as const);
	});
	const fields = new Map<ImportColumn, string>();
	for (const names of groups) {
		const free = new Map(names.map((name) => [name, plain(name)]));
		const take = (name: string, column: ImportColumn) => {
			free.delete(name);
			if (!fields.has(column)) fields.set(column, name);
		};
		for (const [name, column] of exact) if (free.has(name)) take(name, column);
		for (const [spelling, column] of spelled)
			for (const [name, plainName] of free) if (plainName === spelling) take(name, column);
	}
	return fields;
}
