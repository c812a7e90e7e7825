/** A row of a list of people, all made up, and what an import does with it. */
export interface MessyRow {
	cells: Record<string, unknown>;
	result: 'created or updated' | 'imported in part' | 'not imported' | 'skipped';
	/** What the reason says, among else. */
	reason?: string;
	/** The profile that is sent. */
	profile?: object;
	/** What a person corrects in a row that was not imported. */
	mend?: Record<string, string>;
}

const DONE = 'created or updated';
const PART = 'imported in part';
const NOT = 'not imported';

type Kind = [
	cells: Record<string, unknown>,
	result: MessyRow['result'],
	told?: string | object,
	mend?: Record<string, string>,
];

/** Makes rows from kinds, with a name and the column of the number where a kind does not name them. */
const rowsOf = (kinds: Kind[], usual: (index: number) => Record<string, unknown>): MessyRow[] =>
	kinds.map(([cells, result, told, mend], index) => ({
		...{ cells: { ...usual(index), ...cells }, result, mend },
		...(typeof told === 'string' ? { reason: told } : { profile: told }),
	}));

const digits = (index: number) => String(index).padStart(3, '0');

/** A spreadsheet in German, which saves it with a byte order mark and semicolons. */
const german = rowsOf(
	[
		[{ Mobil: '+49 170 2000900', Adresse: 'Weg 1; Kiel' }, 'skipped', 'is also that of row 41'],
		[{ Mobil: '0049 170/2000001' }, DONE, {}],
		[{ Mobil: '+49\u00a0(0)170\u20112000002', Name: 'Mustermann, Erika' }, DONE, {}],
		[{ Mobil: "'+491702000003" }, DONE, {}],
		[{ Mobil: '491702000004.0' }, DONE, {}],
		[{ Mobil: 'tel:+49-170-2000005', Name: '"Theo" O’Neil' }, DONE, {}],
		[{ Mobil: '(+49) 170 2000006' }, DONE, {}],
		[{ Mobil: '\u202a+49 170 2000007\u202c' }, DONE, {}],
		[{ Mobil: '0170 2000008' }, NOT, 'has no country code. ', { Mobil: '+49 170 2000008' }],
		[{ Mobil: '+49 0170 2000009' }, NOT, 'probably +491702000009 is meant', { Mobil: '+491702000009' }],
		[{ 'E-Mail': 'a@mail.example', Mobil: ' ' }, NOT, 'Phone Number is empty.', { Mobil: '491702000010' }],
		[
			{ Mobil: '4,9170E+11', Geburtstag: 'bald' },
			NOT,
			'Date of Birth "bald" is not a date. ',
			{ Mobil: '491702000011', Geburtstag: '1.2.1990' },
		],
		[
			{ Mobil: '+49 170 2000012 / 2000013' },
			NOT,
			'has 19 digits, a phone number has 7 to 15. ',
			{ Mobil: '+49 170 2000012' },
		],
		[{ Mobil: '170 2000013' }, NOT, 'has no + before the country code. ', { Mobil: '+49 170 2000013' }],
		[{ Mobil: 'unbekannt' }, NOT, 'is not a phone number. ', { Mobil: '+49 170 2000014' }],
		[{ Name: ' ' }, NOT, 'Name is empty.', { Name: 'Nora Nachname' }],
		[{ Name: 'J\ufffdrgen' }, NOT, 'read the file as Windows-1252. ', { Name: 'Jürgen' }],
		[{ Name: '', Mobil: '' }, 'skipped', ''],
		[{ Name: 'NULL', Mobil: '#NV', Tags: 'nan' }, 'skipped', ''],
		[
			{ 'E-Mail': 'jo(at)mail.example', Adresse: 'Kiel' },
			PART,
			'Left out: Email "jo(at)mail.example" is not an email address. ',
		],
		[{ 'E-Mail': 'jo@mail,example' }, PART, 'is not an email address. '],
		[{ 'E-Mail': 'jo@mail.example; jo@other.example' }, PART, 'is not an email address. '],
		[{ 'E-Mail': ' jo@mail.example ' }, DONE, { email: 'jo@mail.example' }],
		[{ Geburtstag: '25.03.1990' }, DONE, { date_of_birth: '1990-03-25' }],
		[{ Geburtstag: '12/25/1990' }, DONE, { date_of_birth: '1990-12-25' }],
		[{ Geburtstag: '04/12/1990' }, PART, 'is ambiguous: day or month first? Use YYYY-MM-DD'],
		[{ Geburtstag: '31.02.1990' }, PART, 'is not a date. '],
		[{ Geburtstag: '25.03.90' }, PART, 'has a year without its century. '],
		[{ Geburtstag: '1604-05-17' }, PART, 'is before 1900'],
		[{ Tags: 'VIP; Messe 2025 | Newsletter' }, DONE, { tags: 'VIP,Messe 2025,Newsletter' }],
		[{ Tags: '"Neu"', 'Opt-In': 'ja' }, DONE, { tags: 'Neu', marketing_opt_in: 1 }],
		[
			{ 'E-Mail': ' ', Tags: ' ', Adresse: '\t', 'Opt-In': 'vielleicht' },
			PART,
			'Marketing Consent "vielleicht" is neither',
		],
		[{ Adresse: "'=1+1" }, DONE, { address: '=1+1' }],
		[{ 'Opt-In': 'nein', Adresse: 'Hof; "Haus"' }, DONE, { marketing_opt_in: 0, address: 'Hof; "Haus"' }],
		[{ Mobil: '+55 11 8765 4321' }, 'skipped', 'Phone Number 551187654321 is also that of row 37.'],
		[{ Mobil: '+55 11 98765 4321' }, DONE, {}],
		[
			{ Mobil: '+1 415 555 010' },
			NOT,
			'has 10 digits, a number with the country code 1 has 11',
			{ Mobil: '+1 415 555 0100' },
		],
		[{ Mobil: '12' }, NOT, 'has 2 digits', { Mobil: '+49 170 2000037' }],
		[{ Tags: 'VIP\nGold' }, DONE, { tags: 'VIP,Gold' }],
		[{ Mobil: '0049-170-2000900', Adresse: 'Kiel' }, DONE, { address: 'Kiel' }],
	],
	(index) => ({
		...{ Name: `Person ${index}`, Mobil: `+49 170 2000${digits(index)}` },
		...{ 'E-Mail': '', Geburtstag: '', Tags: '', Adresse: '', 'Opt-In': '' },
	}),
);

/** What Google Contacts exports: a field of its own for each kind of number, and several values in one. */
const contacts = rowsOf(
	[
		[{}, DONE, {}],
		[{ 'E-mail 1 - Value': 'jo@mail.example' }, DONE, { email: 'jo@mail.example' }],
		[{ 'E-mail 1 - Value': 'jo@mail.example ::: jo@other.example' }, PART, 'is not an email address. '],
		[
			{ 'Phone 1 - Value': '+49 170 3000003 ::: +49 170 3000004' },
			NOT,
			'is not a phone number. ',
			{ 'Phone 1 - Value': '+49 170 3000003' },
		],
		[{ Birthday: '--05-17' }, PART, 'is not a date. '],
		[{ Birthday: '1990-05-17' }, DONE, { date_of_birth: '1990-05-17' }],
		[
			{ 'Phone 1 - Value': '0170 3000006' },
			NOT,
			'has no country code. ',
			{ 'Phone 1 - Value': '+49 170 3000006' },
		],
		[{ Name: '' }, NOT, 'Name is empty.', { Name: 'Cora Contact' }],
		[{ 'Phone 1 - Value': '' }, NOT, 'Phone Number is empty.', { 'Phone 1 - Value': '+491703000008' }],
		[{ Name: 'Contact, Conny (work)' }, DONE, {}],
	],
	(index) => ({
		...{ Name: `Contact ${index}`, Birthday: '', 'E-mail 1 - Value': '' },
		...{ 'Phone 1 - Label': 'Mobile', 'Phone 1 - Value': `+49 170 3000${digits(index)}` },
	}),
);

/** What n8n's Google Sheets node reads: numbers where a cell looks like one, and the number of the row. */
const sheets = rowsOf(
	[
		[{ phone: 491704000000 }, DONE, {}],
		[{ phone: 1704000001 }, NOT, 'Excel may have dropped a 0', { phone: '+491704000001' }],
		[{ phone: 4.9170400000299e20 }, NOT, 'is not a phone number. ', { phone: '+491704000002' }],
		[{ phone: true }, NOT, 'is not a phone number. ', { phone: '491704000003' }],
		[{ tags: 2024 }, DONE, { tags: '2024' }],
		[{ optIn: true }, DONE, { marketing_opt_in: 1 }],
		[{ phone: '', name: '' }, 'skipped', ''],
		[{ name: 7 }, DONE, {}],
		[
			{ birthday: 33000 },
			PART,
			'Date of Birth "33000" is a day as Excel counts them: format the column as a date',
		],
		[{ birthday: '5/17/1990' }, DONE, { date_of_birth: '1990-05-17' }],
	],
	(index) => ({
		row_number: index + 2,
		name: `Sheet ${index}`,
		phone: 491704000000 + index,
		tags: '',
		optIn: '',
		birthday: '',
	}),
);

const quoted = (cell: string) => (/[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Saves rows as a CSV file, as a spreadsheet in German does. Columns are those of any row. */
export function saved(rows: Array<Record<string, unknown>>): string {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ''))];
	return `\ufeff${lines.map((cells) => cells.map((cell) => quoted(String(cell))).join(';')).join('\r\n')}\r\n`;
}

/** Reads such a file as n8n's node does: the mark stays in the name of the first column. */
export function read(csv: string): Array<Record<string, string>> {
	const cells = [...csv.matchAll(/(?:"((?:[^"]|"")*)"|([^;\r\n]*))(;|\r\n)/g)];
	const lines: string[][] = [[]];
	for (const [, inQuotes, plain, end] of cells) {
		lines.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? plain);
		if (end !== ';') lines.push([]);
	}
	const [names, ...rows] = lines.slice(0, -1);
	return rows.map((row) => Object.fromEntries(row.map((cell, index) => [names[index], cell])));
}

/** 60 rows in three lists: what they are, and how n8n gives them to the import. */
export const MESSY_LISTS: Array<[what: string, rows: MessyRow[], given: Array<Record<string, unknown>>]> = [
	['a CSV file in German', german, read(saved(german.map(({ cells }) => cells)))],
	['an export of Google Contacts', contacts, contacts.map(({ cells }) => cells)],
	['rows of Google Sheets', sheets, sheets.map(({ cells }) => cells)],
];
