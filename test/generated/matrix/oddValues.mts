import { DateTime } from 'luxon';
import { jsonParse } from 'n8n-workflow';

/** A value that an expression can give, whatever it is meant for. */
export interface OddValue {
	name: string;
	value: unknown;
	/** It says nothing, so that it may be left out without a word. */
	isNothing?: true;
}

const INSTANT = '2024-03-05T12:07:08.000Z';

/** Longer than any field of a form, without spaces that could be cut off. */
const LONG_TEXT = 'abcdefghij'.repeat(1024);

/** Lists and records are read from JSON, so that they belong to the nodes' realm as an item's fields do. */
export const ODD_VALUES: OddValue[] = [
	{ name: 'undefined', value: undefined, isNothing: true },
	{ name: 'null', value: null, isNothing: true },
	{ name: "''", value: '', isNothing: true },
	{ name: "'  '", value: '  ', isNothing: true },
	{ name: '[]', value: jsonParse('[]'), isNothing: true },
	{ name: "'[]'", value: '[]', isNothing: true },
	{ name: '{}', value: jsonParse('{}'), isNothing: true },
	{ name: '0', value: 0 },
	{ name: '42', value: 42 },
	{ name: '-1.5', value: -1.5 },
	{ name: 'NaN', value: NaN },
	{ name: '7n', value: BigInt(7) },
	{ name: "'true'", value: 'true' },
	{ name: "'yes'", value: 'yes' },
	{ name: 'true', value: true },
	{ name: "'7;x'", value: '7;x' },
	{ name: "'9007199254740993'", value: '9007199254740993' },
	{ name: "'31.02.1990'", value: '31.02.1990' },
	{ name: '\'{"a":\'', value: '{"a":' },
	{ name: 'half an emoji', value: 'New \ud83d' },
	{ name: '[null]', value: jsonParse('[null]') },
	{ name: 'Date', value: new Date(INSTANT) },
	{ name: 'Invalid Date', value: new Date(NaN) },
	{ name: 'DateTime', value: DateTime.fromISO(INSTANT, { zone: 'Europe/Berlin' }) },
	{ name: '10 kB', value: LONG_TEXT },
	{ name: 'record', value: jsonParse('{"id":"crm-9","title":"VIP"}') },
];
