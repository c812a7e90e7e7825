import { emptyCells } from '../core/emptyValues';
import {
	bodyField,
	clearable,
	type Flat,
	type MemberField,
	options,
	setting,
	shownAs,
	within,
} from '../core/field';
import { fieldParser, type Mapping, type TenantField } from '../fields/mapping';
import { separator } from '../fields/sets';
import { choice } from '../values/choices';
import { parameterFor } from '../values/field';
import { titleList } from '../values/ids';
import { objectOrEmpty } from '../values/json';
import { channel, displayId, name, ofProfile } from './writeCustomer';

export const duplicates = setting(
	'options.duplicates',
	...choice(
		{
			override: 'Existing customers get the new values',
			skip: 'Existing customers stay as they are',
		},
		'override',
		{ displayName: 'Existing Customers' },
	),
	'duplicates',
);

export const columns = setting('columns', objectOrEmpty, {
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'autoMapInputData', value: null },
	required: true,
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getImportColumns',
			mode: 'add',
			fieldWords: { singular: 'column', plural: 'columns' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: true,
		},
	},
});

export const invalidValues = setting(
	'options.invalidValues',
	...choice(
		{
			fail: 'Nothing is sent if any value is invalid',
			skipRow: 'The row is left out and reported',
			skipValue: 'The value is left out and reported. Rows without a phone number or name are left out.',
		},
		'skipValue',
		{ description: 'What to do with invalid phone numbers, dates and email addresses' },
	),
);

export const repeatedNumbers = setting(
	'options.repeatedNumbers',
	...choice(
		{
			fail: 'Nothing is sent if two rows have the same number',
			first: ['Keep First', 'Later rows with the same number are left out and reported'],
			last: ['Keep Last', 'Earlier rows with the same number are left out and reported'],
		},
		'last',
		{ displayName: 'Repeated Phone Numbers' },
	),
);

export const ambiguousDates = setting(
	'options.ambiguousDates',
	...choice(
		{
			dayFirst: '04/12/1990 is the 4th of December',
			monthFirst: '04/12/1990 is the 12th of April',
			refuse: 'Such dates are invalid',
		},
		'refuse',
		{ displayName: 'Dates Like 04/12' },
	),
);

export const outputMode = setting(
	'options.output',
	...choice(
		{
			rows: ['One Item per Row', 'The result of each row'],
			summary: 'The counts of each request, with up to 500 rows',
		},
		'rows',
		{ description: 'What to output' },
	),
);

export const importFields = [
	columns,
	options(ambiguousDates, emptyCells, duplicates, invalidValues, outputMode, repeatedNumbers, separator),
] as const;

export type ImportSetting = Extract<Flat<(typeof importFields)[number]>, { parse: unknown }>;

const [email, marketingOptIn, ...others] = ofProfile;

const tags = within('profile', clearable(bodyField('tags', titleList, {})));

/** What stands before the member of a profile in the name of a column's target. */
const PROFILE = 'profile.';

/** Returns the member of the profile that a column becomes; undefined if it becomes one of the customer. */
export const profileMember = ({ target: { name } }: ImportColumn) =>
	name.startsWith(PROFILE) ? name.slice(PROFILE.length) : undefined;

/** A column of a bulk import ("Bulk import body" of the interface). A row without a value for a required one is not imported. */
export type ImportColumn = MemberField<'body'>;

export const importColumns: ImportColumn[] = [
	displayId,
	name,
	email,
	marketingOptIn,
	tags,
	...others,
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
