import type { IDataObject } from 'n8n-workflow';

import { fieldParser, type Mapping, type TenantField } from '../fields/mapping';
import { profileFields } from '../fields/profileFields';
import { bodyField, type MemberField, shownAs } from '../core/field';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { titleList } from '../values/ids';
import { oneOf } from '../values/choices';
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
	description: 'With country code, in any usual writing',
});

/** The name of a customer, which is also the name of its profile (rule 3 for customers). */
export const name = bodyField('name', trimmedText, {
	required: true,
	placeholder: 'e.g. Nathan Smith',
	description: 'The name of the customer and of its profile',
});

/** A column of a bulk import ("Bulk import body" of the interface). */
export interface ImportColumn {
	id: string;
	displayName: string;
	property: string;
	inProfile: boolean;
	/** Whether a row without a value for this column cannot be imported. */
	required?: boolean;
	/** Makes of an empty cell what clears the member; undefined if nothing does. */
	clear?: (value: unknown) => unknown;
	parse: Parse<unknown>;
}

/** Words with single dots between them, and a domain whose parts neither begin nor end with a dash. Letters of any script. */
const ADDRESS =
	/^(?:[^\s\p{C}@,;:<>()[\]\\".]+\.)*[^\s\p{C}@,;:<>()[\]\\".]+@(?:(?!-)[\p{L}\p{M}\p{N}_-]+(?<!-)\.)+(?!-)[\p{L}\p{M}\p{N}-]+(?<!-)$/u;

/** The service skips an invalid address and does not report it. So the node checks it first. */
export const emailAddress: Parse<string> = (value) => {
	const address = orUndefinedIfInvalid(trimmedText, value) ?? '';
	if (ADDRESS.test(address)) return address;
	throw new InvalidValue(
		`"${quote(value)}" is not an email address`,
		'Use one address such as name@email.com. The service would leave out any other value.',
	);
};

const channelOfRow: Parse<'chatapp'> = (value) => {
	if (value === 'chatapp') return value;
	throw new InvalidValue(
		`"${quote(value)}" is not possible`,
		'Customers can only be imported for the channel chatapp.',
	);
};

type ColumnField = Omit<MemberField, 'in' | 'kind'>;

const columnOf = ({ parameter, member, parse, isClearable }: ColumnField): ImportColumn => ({
	id: parameter.name,
	displayName: parameter.displayName,
	property: member,
	inProfile: false,
	required: parameter.required,
	clear: isClearable ? () => null : undefined,
	parse,
});

const inProfile = (field: ColumnField) => ({ ...columnOf(field), inProfile: true });

const [address, custom1, custom2, custom3, custom4, custom5, dateOfBirth, email, marketingOptIn] =
	profileFields;

const tags: ColumnField = {
	member: 'tags',
	parse: titleList,
	parameter: { displayName: 'Tags', name: 'tags', type: 'string', default: '' },
	isClearable: true,
};

export const importColumns: ImportColumn[] = [
	columnOf(phoneNumber),
	columnOf(name),
	// What most lists of customers have stands before what few have.
	...[{ ...email, parse: emailAddress }, marketingOptIn, tags, dateOfBirth, address].map(inProfile),
	...[custom1, custom2, custom3, custom4, custom5].map(inProfile),
	columnOf(shownAs({ ...channel, parse: channelOfRow }, { required: false })),
];

const KNOWN = new Set(importColumns.flatMap(({ id, property }) => [id, property]));

export const furtherFields = (fields: TenantField[]) => fields.filter(({ id }) => !KNOWN.has(id));

/** Returns the columns of a mapping: those of the interface, and further profile fields that the tenant describes. */
export function mappedColumns({ schema = [] }: Mapping): ImportColumn[] {
	const further = furtherFields(schema).map((field) => {
		const { id, displayName } = field;
		const parse = fieldParser(field);
		return { id, displayName, property: id, inProfile: true, clear: parse, parse };
	});
	return [...importColumns, ...further];
}

/** Returns the value of a cell, without the apostrophe with which exports keep a spreadsheet from calculating. */
export function cellOf(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return isWordForNothing(value) ? null : value.replace(/^'(?=[=+@-])/, '');
}

export const isNothing = (value: unknown) =>
	isBlank(value) || (typeof value === 'string' && isWordForNothing(value));

/** What lists of customers call a column, without spaces, hyphens, quotes and capitals, a mobile number before others. */
const USUAL_NAMES: Record<string, string> = {
	displayId:
		'whatsapp whatsappnumber mobile mobilephone mobilephonenumber mobilenumber mobileno cell cellphone handy handynummer mobil mobilnummer phone phonenumber phoneno tel telephone telephonenumber telefon telefonnummer rufnummer',
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
 * Makes the reader of *Map Automatically*. An input field counts for a column if it has the name of the column or its member, or
 * any spelling of these and the usual names; a field with the name of another column does not. Of several, the first by
 * this order, and that of the usual names, that has a value counts. `read` returns undefined where no field counts, and null where none has a value. `unused`
 * returns the names of the fields that no column takes.
 */
export function automaticReader(columns: ImportColumn[]) {
	const exact = new Map(
		columns.flatMap((column) => [column.id, column.property].map((name) => [name, column])),
	);
	const spelled = new Map<string, ImportColumn>();
	for (const column of columns) {
		const usual = Object.hasOwn(USUAL_NAMES, column.id) ? USUAL_NAMES[column.id].split(' ') : [];
		for (const name of [plain(column.id), plain(column.property), ...usual])
			if (!spelled.has(name)) spelled.set(name, column);
	}
	// Rows of one list have the same names.
	const known = new Map<string, ImportColumn | undefined>();
	const columnOf = (name: string) => {
		if (!known.has(name)) known.set(name, exact.get(name) ?? spelled.get(plain(name)));
		return known.get(name);
	};
	const ranks = [...spelled.keys()];
	const rankOf = (name: string) => ranks.indexOf(plain(name));
	const fieldOf = (json: IDataObject, column: ImportColumn): string | undefined => {
		const isFilled = (name: string) => Object.hasOwn(json, name) && !isNothing(json[name]);
		const names = [column.id, column.property];
		const filled = names.find(isFilled);
		if (filled !== undefined) return filled;
		const given = Object.keys(json).filter((name) => columnOf(name) === column);
		if (given.length > 1) given.sort((a, b) => rankOf(a) - rankOf(b));
		return given.find(isFilled) ?? names.find((name) => Object.hasOwn(json, name)) ?? given[0];
	};
	const read = (json: IDataObject, column: ImportColumn): unknown => {
		const name = fieldOf(json, column);
		return name === undefined ? undefined : (json[name] ?? null);
	};
	const unused = (json: IDataObject): string[] =>
		Object.keys(json).filter((name) => {
			// n8n's Google Sheets node numbers the rows.
			if (name === 'row_number') return false;
			const column = columnOf(name);
			const taken = column && fieldOf(json, column);
			return taken === undefined || (!isNothing(json[name]) && json[name] !== json[taken]);
		});
	return { read, unused };
}
