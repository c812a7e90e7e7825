import { DateTime } from 'luxon';
import { jsonParse } from 'n8n-workflow';

import type { Kind } from './kinds.mts';
import { ERROR, type Meaning, mayMean, means, type Place } from './meaning.mts';

/** Where a value goes, as far as that decides what one that is nearly right can mean. */
export interface NearPlace extends Place {
	/** The operation, e.g. `tag: create`. */
	operation: string;
	/** Path of the parameter. */
	path: string;
	/** A choice of a fixed list other than the one that is there anyway, and its label. */
	other: { value: string; label: string };
	/** IDs of a set that make a difference. */
	ids: [number, number];
}

/** A value that is nearly what a parameter of a kind takes, and what may become of it. */
export interface NearValue {
	/** As the table shows it. */
	name: string;
	valueFor(place: NearPlace): unknown;
	/** Undefined where the value says nothing about a parameter. */
	meaningAt(place: NearPlace): Meaning | undefined;
	/** The item that comes out may tell of it instead of an error. */
	mayBeTold?: true;
}

type Expectation = Meaning | ((place: NearPlace) => Meaning | undefined);

function near(name: string, value: unknown, expected: Expectation): NearValue {
	return {
		name,
		valueFor: typeof value === 'function' ? (value as NearValue['valueFor']) : () => value,
		meaningAt: typeof expected === 'function' ? expected : () => expected,
	};
}

/** A text, which is its own name. */
const text = (value: string, expected: Expectation) => near(`'${value}'`, value, expected);

/** A number, which is its own name. */
const number = (value: number, expected: Expectation) =>
	near(Object.is(value, -0) ? '-0' : String(value), value, expected);

/** A list or record, read from JSON so that it belongs to the nodes' realm as an item's fields do. */
const json = (source: string, expected: Expectation) => near(source, jsonParse(source), expected);

const INVALID_DATE = near('Invalid Date', new Date(NaN), ERROR);
const INVALID_DATE_TIME = near('invalid DateTime', DateTime.invalid('no such day'), ERROR);

/** More than a number of JavaScript can hold exactly. */
const LARGE_ID = '9007199254740993';
const LARGE_NUMBER = '12345678901234567890';

/** Half of an emoji, as it is left where a text is cut. */
const CUT_TEXT = 'New \ud83d';

const digits = (value: string) => mayMean(value, Number(value));

const PHONES: NearValue[] = [
	text('4915112345678.0', digits('4915112345678')),
	number(4915112345678.5, ERROR),
	number(-4915112345678, ERROR),
	number(4915112345678, means('4915112345678', 4915112345678)),
	text('+49 171 1234567 ext 5', ERROR),
	text('1e12', digits('1000000000000')),
	number(1e21, ERROR),
	text('  +49 171 1234567\u00a0', means('491711234567', 491711234567)),
	text('+49 171 1234567, +49 171 7654321', ERROR),
	json('["+49 171 1234567"]', digits('491711234567')),
];

const INTEGER_IDS: NearValue[] = [
	text(' 7 ', mayMean(7)),
	text('0104', mayMean(104)),
	text(LARGE_ID, mayMean(LARGE_ID, `#${LARGE_ID}`)),
	number(1.5, ERROR),
	text('1.5', ERROR),
	number(-1, mayMean(-1)),
	text('abc', ERROR),
	text('7,8', ERROR),
	text('7/tags', ERROR),
	json('[7]', mayMean(7)),
	json('{"id":7}', mayMean(7)),
];

const both = ({ ids }: NearPlace) => ids;
const first = ({ ids }: NearPlace) => ids.slice(0, 1);

const ID_SETS: NearValue[] = [
	near(
		'[7,"8"]',
		({ ids: [a, b] }: NearPlace) => [a, String(b)],
		(place) => means(both(place)),
	),
	near(
		"'7,,8'",
		({ ids: [a, b] }: NearPlace) => `${a},,${b}`,
		(place) => mayMean(both(place)),
	),
	near(
		"' 7 '",
		({ ids: [a] }: NearPlace) => ` ${a} `,
		(place) => mayMean(first(place)),
	),
	near(
		'[{"id":7},{"id":"8"}]',
		({ ids: [a, b] }: NearPlace) => jsonParse(`[{"id":${a}},{"id":"${b}"}]`),
		(place) => means(both(place)),
	),
	near(
		'{"id":7}',
		({ ids: [a] }: NearPlace) => jsonParse(`{"id":${a}}`),
		(place) => mayMean(first(place)),
	),
	near(
		'[["7"]]',
		({ ids: [a] }: NearPlace) => [[String(a)]],
		(place) => mayMean(first(place)),
	),
	near(
		"'[7,8]'",
		({ ids: [a, b] }: NearPlace) => `[${a},${b}]`,
		(place) => mayMean(both(place)),
	),
	near(
		'[7,7]',
		({ ids: [a] }: NearPlace) => [a, a],
		(place) => means(first(place)),
	),
	near(
		"'07'",
		({ ids: [a] }: NearPlace) => `0${a}`,
		(place) => mayMean(first(place)),
	),
	json('[{"name":"VIP"}]', ERROR),
	json('[7,null]', ERROR),
	json('[7,"abc"]', ERROR),
	text('abc', ERROR),
	text('7;x', ERROR),
	text(LARGE_ID, mayMean([`#${LARGE_ID}`])),
	number(1.5, ERROR),
	text('1.5', ERROR),
	number(-1, mayMean([-1])),
];

/** Titles of which the tenant has VIP as its tag 3, so that it goes out as that ID. */
const TAG_TITLES: NearValue[] = [
	text(' VIP ', means(['VIP'])),
	text('VIP,,Returns', mayMean(['VIP', 'Returns'])),
	text('["VIP","Returns"]', mayMean(['VIP', 'Returns'])),
	text('vip', means(['vip'], ['VIP'])),
	json('["VIP","Returns"]', means(['VIP', 'Returns'])),
	json('[" VIP ","Returns"]', means(['VIP', 'Returns'])),
	json('["VIP",null]', mayMean(['VIP'])),
	json('[["VIP"],["Returns"]]', mayMean(['VIP', 'Returns'])),
	json('[{"name":"VIP"}]', mayMean(['VIP'])),
	json('[{"title":" VIP "}]', means(['VIP'])),
	json('[{"title":"  "}]', ERROR),
	json('[{"id":1.5}]', ERROR),
	json('[{"id":"abc"}]', ERROR),
	// Where titles go out in one text, one that holds a comma would become two.
	json('["A, B"]', ({ operation }) => (/import|upsert/i.test(operation) ? ERROR : means(['A, B']))),
	INVALID_DATE,
];

const NAME_SETS: NearValue[] = [
	text(' Alpha ', mayMean(['Alpha'])),
	text('Alpha,,Beta', mayMean(['Alpha', 'Beta'])),
	json('["Alpha",null]', mayMean(['Alpha'])),
	json('[["Alpha"]]', mayMean(['Alpha'])),
	json('[{"type":"Alpha"}]', mayMean(['Alpha'])),
	json('[{"label":"Alpha"}]', ERROR),
	text('["Alpha"]', mayMean(['Alpha'])),
];

const BOOLEANS: NearValue[] = [
	...['false', 'no', 'nein', '0', 'off', 'FALSE '].map((word) => text(word, mayMean(false))),
	text('TRUE ', mayMean(true)),
	number(2, ERROR),
	text('maybe', ERROR),
	json('[false]', mayMean(false)),
];

const DATES: NearValue[] = [
	...[
		...['1990-04-12 garbage', '1990-04-12Tgarbage', '1990-04-12 25:99', '31.02.1990', '12/04/1990'],
		...['12.04.90', '04/31/1990'],
	].map((value) => text(value, ERROR)),
	...['25/12/1990', '12/25/1990', '1990/12/25'].map((value) => text(value, mayMean('1990-12-25'))),
	...['1990-4-1', '1.4.1990'].map((value) => text(value, mayMean('1990-04-01'))),
	text(' 12.04.1990 ', mayMean('1990-04-12')),
	text('1990-04-12T23:30:00+02:00', mayMean('1990-04-12')),
	text('0000-00-00', ERROR),
	text('1990-04', ERROR),
	number(19900412, ERROR),
	INVALID_DATE,
	INVALID_DATE_TIME,
];

/** The service drops an address that is none from what it imports, without a word. */
const isImported = ({ operation }: NearPlace) =>
	operation === 'customer: upsert' || operation === 'customer: bulkImport';

const EMAILS: NearValue[] = [
	{ ...text('nope', (place) => (isImported(place) ? ERROR : mayMean('nope'))), mayBeTold: true },
	{
		...text('a@mail.example, b@mail.example', (place) =>
			isImported(place) ? ERROR : mayMean('a@mail.example, b@mail.example'),
		),
		mayBeTold: true,
	},
	text(' jo@mail.example ', mayMean('jo@mail.example')),
	text('Jo@Mail.Example', means('Jo@Mail.Example')),
	json('["jo@mail.example"]', mayMean('jo@mail.example')),
	json('{"email":"jo@mail.example"}', mayMean('jo@mail.example')),
	INVALID_DATE,
];

/** Parameters that are a length of time, of which there may be half a unit. */
const isTime = ({ path }: NearPlace) => /Seconds$|Delay$|resumeAmount$/.test(path);

/** Numbers of a record, which may be below zero and large. */
const isOfRecord = ({ path }: NearPlace) => /^(tenantFields|columns)\./.test(path);

const NUMBERS: NearValue[] = [
	text('3', mayMean(3)),
	text(' 3 ', mayMean(3)),
	text('3 items', ERROR),
	text('1e3', (place) => (place.path.endsWith('.position') ? ERROR : mayMean(1000))),
	number(1.5, (place) => (isTime(place) ? mayMean(1.5, 1, 2) : ERROR)),
	number(-5, (place) => (isOfRecord(place) ? mayMean(-5) : ERROR)),
	// To list without end is to list everything.
	number(Infinity, ({ path }) => (path === 'limit' ? mayMean(1_000_000) : ERROR)),
	text(LARGE_ID, (place) => (isOfRecord(place) ? mayMean(`#${LARGE_ID}`) : undefined)),
	json('[3]', mayMean(3)),
];

const COORDINATES: NearValue[] = [
	number(91, ({ path }) => (path.endsWith('atitude') ? ERROR : means('91'))),
	number(181, ERROR),
	number(0.0000001, mayMean('0.0000001')),
	number(-0, mayMean('0', '-0')),
	text('52,52', mayMean('52.52')),
	text(' 52.5 ', mayMean('52.5')),
	text('1e1', mayMean('10')),
	text('52.5 N', ERROR),
	text("52°31'", ERROR),
	text('52.5, 13.4', ERROR),
	json('[52.5]', mayMean('52.5')),
	number(Infinity, ERROR),
];

const PINS: NearValue[] = [
	json('[123456]', mayMean(123456)),
	text('12345', ERROR),
	text('1234567', ERROR),
	number(12345.6, ERROR),
	number(-12345, ERROR),
	text(' 123456 ', mayMean(123456)),
	text('012345', means('012345')),
	text('12e456', ERROR),
	text('123 456', mayMean(123456)),
	number(1234567, ERROR),
];

/** A record from JSON with a member that JSON has not. */
const record = (member: unknown): object => Object.assign(jsonParse<object>('{}'), { a: member });

const JSON_OBJECTS: NearValue[] = [
	near('{"a":NaN}', record(NaN), ERROR),
	near('{"a":Infinity}', record(Infinity), ERROR),
	near('{"a":1n}', record(BigInt(1)), mayMean({ a: 1 }, { a: '1' })),
	json('{"a":{"b":1}}', mayMean({ a: { b: 1 } })),
	text('{"a":{"b":1}}', means({ a: { b: 1 } })),
	text(`{"n":${LARGE_NUMBER}}`, mayMean({ n: `#${LARGE_NUMBER}` })),
	text('{"__proto__":"x"}', mayMean(jsonParse('{"__proto__":"x"}'))),
	text('{"a":"x","a":"y"}', mayMean({ a: 'y' })),
	text(' {"a":"x"} ', means({ a: 'x' })),
	text('{"a":"x",}', mayMean({ a: 'x' })),
	text('[{"a":"x"}]', ERROR),
];

/** Components are records; a tenant's own list is one of texts. */
const isOfComponents = ({ path }: NearPlace) => path === 'templateComponents';

const JSON_ARRAYS: NearValue[] = [
	near('[NaN]', [NaN], ERROR),
	near('[1n]', [BigInt(1)], (place) => (isOfComponents(place) ? ERROR : mayMean(['1']))),
	text('["x","y"]', (place) => (isOfComponents(place) ? ERROR : means(['x', 'y']))),
	text(' ["x"] ', (place) => (isOfComponents(place) ? ERROR : means(['x']))),
	text(`[${LARGE_NUMBER}]`, (place) => (isOfComponents(place) ? ERROR : mayMean([LARGE_NUMBER]))),
	text('["x",]', (place) => (isOfComponents(place) ? ERROR : mayMean(['x']))),
	text('x, y', (place) => (isOfComponents(place) ? ERROR : mayMean(['x', 'y']))),
	text('{"type":"body"}', ERROR),
];

/** A tag is looked up by its title without spaces around it, so it must not be made with them. */
const isTagTitle = ({ operation, path }: NearPlace) => operation.startsWith('tag: ') && path === 'title';

const TEXTS: NearValue[] = [
	text(' New ', (place) => (isTagTitle(place) ? means('New') : means(' New ', 'New'))),
	near('cut emoji', CUT_TEXT, mayMean(CUT_TEXT, 'New \ufffd')),
	near('toString', Object.assign(jsonParse<object>('{}'), { toString: () => 'New' }), mayMean('New')),
	near('1n', BigInt(LARGE_NUMBER), mayMean(LARGE_NUMBER)),
	number(-0, mayMean('0', '-0')),
	number(1e21, mayMean('1e+21', '1000000000000000000000')),
	INVALID_DATE,
	INVALID_DATE_TIME,
];

const TEXT_IDS: NearValue[] = [
	text(' 7e00-7101 ', mayMean('7e00-7101')),
	text('a/b', mayMean('a/b')),
	text('..', ERROR),
	text('a?b#c', mayMean('a?b#c')),
	text(LARGE_ID, means(LARGE_ID)),
	near('cut emoji', CUT_TEXT, ERROR),
	number(1e21, mayMean('1e+21', '1000000000000000000000')),
	json('["7e00-7101"]', mayMean('7e00-7101')),
	INVALID_DATE,
];

const NAMES: NearValue[] = [
	text(' Nova ', mayMean('Nova', ' Nova ')),
	text('nova', means('nova')),
	near('cut emoji', CUT_TEXT, mayMean(CUT_TEXT, 'New \ufffd')),
	json('["Nova"]', mayMean('Nova')),
	json('{"name":"Nova"}', mayMean('Nova')),
	near('1n', BigInt(LARGE_NUMBER), mayMean(LARGE_NUMBER)),
	INVALID_DATE,
];

/** Placeholders are replaced as they are written, and a file is found again under the name that was asked for. */
const isExact = ({ path }: NearPlace) => !path.startsWith('fields.');

const KEYS: NearValue[] = [
	text(' new ', (place) => (isExact(place) ? mayMean(' new ') : mayMean(' new ', 'new'))),
	text('new.part', mayMean('new.part')),
	text('new[0]', mayMean('new[0]')),
	text('__proto__', mayMean('__proto__')),
	text('constructor', mayMean('constructor')),
	number(7, mayMean('7')),
	json('["new"]', mayMean('new')),
	INVALID_DATE,
];

const FREE_VALUES: NearValue[] = [
	text(' New ', means(' New ')),
	near('cut emoji', CUT_TEXT, mayMean(CUT_TEXT)),
	near('{"a":NaN}', record(NaN), ERROR),
	number(Infinity, ERROR),
	number(1e21, mayMean(1e21)),
	near('1n', BigInt(LARGE_NUMBER), mayMean(LARGE_NUMBER, `#${LARGE_NUMBER}`)),
	INVALID_DATE,
	INVALID_DATE_TIME,
];

const PICTURE = 'https://files.example/nova.png';

const choice = (name: string, value: (other: NearPlace['other']) => string) =>
	near(
		name,
		({ other }: NearPlace) => value(other),
		({ other }) => mayMean(other.value),
	);

/** The columns of each kind, decided from what the interface and a person in the editor would expect. */
export const NEAR_VALUES: Record<Kind, NearValue[]> = {
	phone: PHONES,
	'integer id': INTEGER_IDS,
	'id set': ID_SETS,
	'tag titles': TAG_TITLES,
	'name set': NAME_SETS,
	boolean: BOOLEANS,
	date: DATES,
	email: EMAILS,
	number: NUMBERS,
	coordinate: COORDINATES,
	PIN: PINS,
	'JSON object': JSON_OBJECTS,
	'JSON array': JSON_ARRAYS,
	text: TEXTS,
	'text id': TEXT_IDS,
	name: NAMES,
	key: KEYS,
	'free value': FREE_VALUES,
	choice: [
		choice('Capitalised', ({ value }) => value[0].toUpperCase() + value.slice(1)),
		choice('UPPER', ({ value }) => value.toUpperCase()),
		choice('padded', ({ value }) => ` ${value} `),
		choice('its label', ({ label }) => label),
	],
	'sort field': [
		text(' name ', mayMean('name')),
		text('name:desc', ERROR),
		text('name,id', ERROR),
		json('["name"]', mayMean('name')),
		INVALID_DATE,
	],
	'variable name': [
		text(' 1 ', mayMean('1')),
		text('{{1}}', mayMean('1')),
		text('{{first_name}}', mayMean('first_name')),
		text('01', mayMean('1')),
		text('0', ERROR),
		text('-1', ERROR),
		number(1, means('1')),
		number(1.5, ERROR),
		json('["1"]', mayMean('1')),
		INVALID_DATE,
	],
	URL: [
		text(` ${PICTURE} `, mayMean(PICTURE)),
		text('files.example/nova.png', mayMean('files.example/nova.png')),
		json(`{"url":"${PICTURE}"}`, mayMean(PICTURE)),
		json(`["${PICTURE}"]`, mayMean(PICTURE)),
		INVALID_DATE,
	],
	file: [
		text(` ${PICTURE} `, mayMean(PICTURE)),
		text('files.example/nova.png', ERROR),
		text('ftp://files.example/nova.png', ERROR),
		json(`["${PICTURE}"]`, mayMean(PICTURE)),
		INVALID_DATE,
	],
	'binary field': [
		text(' other ', mayMean('other')),
		text('OTHER', ERROR),
		text('data,other', ERROR),
		json('["other"]', mayMean('other')),
	],
	notice: [],
};

/** Kinds that a workflow may keep as a number or a list too, not only as text. */
const KEPT_AS_THEY_ARE: Kind[] = [
	'boolean',
	'coordinate',
	'id set',
	'integer id',
	'name set',
	'number',
	'phone',
	'PIN',
	'tag titles',
];

/** Whether a person, or who writes a workflow, can put a value into the parameter without an expression. */
export function canBeFixed(kind: Kind, value: unknown): boolean {
	if (typeof value === 'string') return true;
	if (!KEPT_AS_THEY_ARE.includes(kind)) return false;
	return Array.isArray(value) ? kind.endsWith('set') || kind === 'tag titles' : Number.isFinite(value);
}
