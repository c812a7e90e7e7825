/** What an import does with a row of the list. */
export interface Expected {
	result: 'created or updated' | 'not imported' | 'skipped';
	reason?: string;
	/** The profile that is sent. */
	profile?: object;
}

/** The cells of a row by the names of the columns. Cells that a kind does not name are empty. */
type Cells = Partial<Record<(typeof NAMES)[number], string>>;

interface Kind extends Expected {
	cells: Cells;
}

const NAMES = ['Name', 'Mobil', 'E-Mail', 'Geburtstag', 'Tags', 'Adresse', 'Opt-In'] as const;

/** How often each kind of row is in the list. */
const TIMES = 10;

const DONE = 'created or updated';
const LEFT = 'not imported';

/**
 * The kinds of rows.
 *
 * @param n five digits that no other row has
 * @param first those of the first kind before
 */
const kindsOf = (n: string, first: string): Kind[] => [
	// The last kind is the same person once more.
	{ cells: { Mobil: `+49 170 20${n}`, Adresse: 'Weg 1; Kiel' }, result: 'skipped' },
	{ cells: { Mobil: `0049 170/20 ${n}` }, result: DONE, profile: {} },
	{ cells: { Mobil: `+49\u00a0(0)170\u201120${n}` }, result: DONE, profile: {} },
	{ cells: { Mobil: `'+4917020${n}` }, result: DONE, profile: {} },
	{
		cells: { Mobil: `0170 20${n}` },
		...{ result: LEFT, reason: `Phone Number "0170 20${n}" has no country code` },
	},
	{
		cells: { Mobil: `+49 0170 20${n}` },
		result: LEFT,
		reason: `Phone Number "+49 0170 20${n}" has a 0 behind the country code 49; probably +4917020${n} is meant`,
	},
	{ cells: { Mobil: ' ', 'E-Mail': 'a@mail.example' }, result: LEFT, reason: 'Phone Number is empty' },
	{
		cells: { Mobil: '4,9170E+11', Geburtstag: 'soon' },
		result: LEFT,
		reason: 'Phone Number "4,9170E+11" is not a phone number; Date of Birth "soon" is not a date',
	},
	{ cells: { Name: ' ', Mobil: `+49 170 20${n}` }, result: LEFT, reason: 'Name is empty' },
	{
		cells: { Mobil: `+49 170 20${n}`, 'E-Mail': 'jo(at)mail.example', Adresse: 'Kiel' },
		...{ result: DONE, profile: { address: 'Kiel' } },
		reason: 'Left out: Email "jo(at)mail.example" is not an email address',
	},
	{
		cells: { Mobil: `+49 170 20${n}`, 'E-Mail': ` jo${n}@mail.example ` },
		...{ result: DONE, profile: { email: `jo${n}@mail.example` } },
	},
	...(
		[
			['25.03.1990', '1990-03-25'],
			['12/25/1990', '1990-12-25'],
			['04/12/1990', 'is ambiguous: day or month first?'],
			['31.02.1990', 'is not a date'],
			['25.03.90', 'has a year without its century'],
		] as const
	).map(
		([Geburtstag, read]): Kind => ({
			cells: { Mobil: `+49 170 20${n}`, Geburtstag },
			result: DONE,
			...(/^\d/.test(read)
				? { profile: { date_of_birth: read } }
				: { profile: {}, reason: `Left out: Date of Birth "${Geburtstag}" ${read}` }),
		}),
	),
	{
		cells: { Mobil: `+49 170 20${n}`, Tags: 'VIP; Messe 2025 | Newsletter' },
		...{ result: DONE, profile: { tags: 'VIP,Messe 2025,Newsletter' } },
	},
	{
		cells: { Mobil: `+49 170 20${n}`, Tags: '"Neu"', 'Opt-In': 'ja' },
		...{ result: DONE, profile: { tags: 'Neu', marketing_opt_in: 1 } },
	},
	{
		cells: { Mobil: `+49 170 20${n}`, 'E-Mail': ' ', Tags: ' ', Adresse: '\t', 'Opt-In': 'vielleicht' },
		...{ result: DONE, profile: {} },
		reason: 'Left out: Marketing Consent "vielleicht" is neither true nor false',
	},
	{ cells: { Mobil: `0049-170-20${first}`, Adresse: 'Kiel' }, result: DONE, profile: { address: 'Kiel' } },
];

const KINDS = kindsOf('', '').length;

const digits = (row: number) => String(row).padStart(5, '0');

const quoted = (cell: string) => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** What is in each row, and what an import does with it. All people are made up. */
export const MESSY_ROWS = Array.from({ length: TIMES * KINDS }, (_, row) => {
	const kind = row % KINDS;
	const { cells, ...expected } = kindsOf(digits(row), digits(row - kind))[kind];
	const line = row + 2;
	const again = `Phone Number 4917020${digits(row)} is also that of line ${line + KINDS - 1}`;
	return {
		line,
		cells: Object.fromEntries(
			NAMES.map((name) => [name, cells[name] ?? (name === 'Name' ? `Person ${row}` : '')]),
		),
		expected: { ...expected, ...(expected.result === 'skipped' && { reason: again }) } as Expected,
	};
});

/** A list of customers as a spreadsheet in German saves it: with a byte order mark, and semicolons between the cells. */
export const MESSY_CSV = `\ufeff${[NAMES, ...MESSY_ROWS.map(({ cells }) => NAMES.map((name) => cells[name]))]
	.map((cells) => cells.map(quoted).join(';'))
	.join('\r\n')}\r\n`;
