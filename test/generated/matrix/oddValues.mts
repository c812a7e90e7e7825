import { DateTime } from 'luxon';
import { jsonParse } from 'n8n-workflow';

/** A value that an expression can give, whatever it is meant for. */
export interface OddValue {
	/** As the table shows it. */
	name: string;
	value: unknown;
}

const INSTANT = '2024-03-05T12:07:08.000Z';

/** Longer than any field of a form, without spaces that could be cut off. */
const LONG_TEXT = 'abcdefghij'.repeat(1024);

/** Lists and records are read from JSON, so that they belong to the nodes' realm as an item's fields do. */
export const ODD_VALUES: OddValue[] = [
	{ name: 'undefined', value: undefined },
	{ name: 'null', value: null },
	{ name: "''", value: '' },
	{ name: "'  '", value: '  ' },
	{ name: '0', value: 0 },
	{ name: '42', value: 42 },
	{ name: 'NaN', value: NaN },
	{ name: "'true'", value: 'true' },
	{ name: "'yes'", value: 'yes' },
	{ name: 'true', value: true },
	{ name: '[]', value: jsonParse('[]') },
	{ name: '[null]', value: jsonParse('[null]') },
	{ name: '{}', value: jsonParse('{}') },
	{ name: "'[]'", value: '[]' },
	{ name: 'Date', value: new Date(INSTANT) },
	{ name: 'DateTime', value: DateTime.fromISO(INSTANT, { zone: 'Europe/Berlin' }) },
	{ name: '10 kB', value: LONG_TEXT },
	{ name: 'record', value: jsonParse('{"id":"crm-9","title":"VIP"}') },
];
