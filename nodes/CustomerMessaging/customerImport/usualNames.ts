import type { IDataObject } from 'n8n-workflow';

import { ValueProblem } from '../values/conversion';
import { isBlank } from '../values/text';
import type { ImportColumn } from './columns';

/** What lists of customers call a column, without spaces, hyphens and capitals. */
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

const plain = (name: string) => name.toLowerCase().replace(/[\s_.-]+/g, '');

/** Reads the value of a column from an item. */
type Automatic = (json: IDataObject, column: ImportColumn) => unknown;

/**
 * Makes the reader of *Map Automatically*. An input field counts for a column if it has the column's name or that of the
 * member; otherwise any spelling of these and the usual names count. A field whose name is that of another column does not.
 *
 * The reader returns undefined where no field counts, and a problem where several fields count and differ: nobody knows then which one is meant.
 */
export function automaticReader(columns: ImportColumn[]): Automatic {
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
	return (json, { id, property }) => {
		const named = [...new Set([id, property])].filter((name) => Object.hasOwn(json, name));
		const given = named.length > 0 ? named : Object.keys(json).filter((name) => meaningOf(name) === id);
		const filled = given.filter((name) => !isBlank(json[name]));
		const [name = given[0], ...others] = filled;
		const other = others.find((one) => json[one] !== json[name]);
		if (other !== undefined)
			return new ValueProblem(`is in ${name} and in ${other}, with different values`, '');
		return name === undefined ? undefined : json[name];
	};
}
