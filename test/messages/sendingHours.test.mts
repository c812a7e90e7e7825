import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { firstWithin } from '../../nodes/CustomerMessaging/messages/sendingHours.ts';
import { editorOf } from '../engine/engine.mts';
import { ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { skippedTemplate, skippedText } from '../engine/summaryOfSent.mts';
import { byId } from '../engine/tenant.mts';

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/** Minutes after midnight. */
const at = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const opening = (
	now: string,
	from: string,
	to: string,
	{ zone = 'Europe/Berlin', ...more }: { days?: number[]; daysOff?: string[]; zone?: string } = {},
) =>
	firstWithin(DateTime.fromISO(now, { setZone: true }).setZone(zone), {
		days: EVERY_DAY,
		daysOff: [],
		...more,
		from: at(from),
		to: at(to),
	})?.toISO({ suppressMilliseconds: true });

describe('the first moment within the hours', () => {
	it.each([
		['now, within them', '2026-05-12T10:00:00+02:00', '2026-05-12T10:00:00+02:00'],
		['now, when they begin', '2026-05-12T09:00:00+02:00', '2026-05-12T09:00:00+02:00'],
		['today, before them', '2026-05-12T08:59:59+02:00', '2026-05-12T09:00:00+02:00'],
		['the next day, when they end', '2026-05-12T20:00:00+02:00', '2026-05-13T09:00:00+02:00'],
		['on Monday, after those of Friday', '2026-05-15T20:00:00+02:00', '2026-05-18T09:00:00+02:00'],
		[
			'by the clock of the zone, whatever zone now is in',
			'2026-05-12T07:00:00Z',
			'2026-05-12T09:00:00+02:00',
		],
	])('is %s', (_when, now, expected) => {
		expect(opening(now, '09:00', '20:00', { days: [1, 2, 3, 4, 5] })).toBe(expected);
	});

	it('is after the days off, which a list names', () => {
		const daysOff = ['2026-12-25', '2026-12-26', '2026-12-27'];
		expect(opening('2026-12-24T21:00:00+01:00', '09:00', '20:00', { daysOff })).toBe(
			'2026-12-28T09:00:00+01:00',
		);
	});

	it('is never, if no day is left within a year', () => {
		expect(opening('2026-05-12T10:00:00+02:00', '09:00', '20:00', { days: [] })).toBeUndefined();
	});

	it('a whole day is from 00:00 to 24:00', () => {
		expect(opening('2026-05-12T23:59:00+02:00', '00:00', '24:00')).toBe('2026-05-12T23:59:00+02:00');
	});
});

describe('in the night in which the clock', () => {
	const first = (zone: string, now: string, from: string, to = '20:00') => opening(now, from, to, { zone });

	it.each([
		['2026-03-29T00:30:00+01:00', '02:30', '20:00', '2026-03-29T03:00:00+02:00'],
		['2026-03-29T01:59:00+01:00', '22:00', '02:30', '2026-03-29T01:59:00+01:00'],
		['2026-03-29T03:00:00+02:00', '22:00', '02:30', '2026-03-29T22:00:00+02:00'],
	])('leaves an hour out, the first moment after %s from %s to %s is %s', (now, from, to, expected) => {
		expect(first('Europe/Berlin', now, from, to)).toBe(expected);
	});

	it.each([
		['2026-10-25T00:30:00+02:00', '02:30', '20:00', '2026-10-25T02:30:00+02:00'],
		['2026-10-25T02:10:00+01:00', '02:30', '20:00', '2026-10-25T02:10:00+01:00'],
		['2026-10-25T02:40:00+02:00', '22:00', '02:30', '2026-10-25T22:00:00+01:00'],
	])('shows an hour twice, the first moment after %s from %s to %s is %s', (now, from, to, expected) => {
		expect(first('Europe/Berlin', now, from, to)).toBe(expected);
	});

	it('leaves out midnight or half an hour, the first moment is where it jumps', () => {
		expect(first('America/Havana', '2026-03-07T22:00:00-05:00', '00:00')).toBe('2026-03-08T01:00:00-04:00');
		expect(first('Australia/Lord_Howe', '2026-10-04T00:00:00+10:30', '02:10')).toBe(
			'2026-10-04T02:30:00+11:00',
		);
	});
});

describe('hours over midnight belong to the day on which they begin', () => {
	const tuesday = { days: [2] };

	it.each([
		['Tuesday night', '2026-05-12T23:00:00+02:00', '2026-05-12T23:00:00+02:00'],
		['the morning after', '2026-05-13T05:59:00+02:00', '2026-05-13T05:59:00+02:00'],
		['the morning before', '2026-05-12T05:59:00+02:00', '2026-05-12T22:00:00+02:00'],
		['when they end', '2026-05-13T06:00:00+02:00', '2026-05-19T22:00:00+02:00'],
	])('%s', (_when, now, expected) => {
		expect(opening(now, '22:00', '06:00', tuesday)).toBe(expected);
	});

	it('so the morning after a day off is off too, and the morning of a day off is not', () => {
		const daysOff = ['2026-05-12'];
		expect(opening('2026-05-13T01:00:00+02:00', '22:00', '06:00', { daysOff })).toBe(
			'2026-05-13T22:00:00+02:00',
		);
		expect(opening('2026-05-12T01:00:00+02:00', '22:00', '06:00', { daysOff })).toBe(
			'2026-05-12T01:00:00+02:00',
		);
	});
});

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /chatapp/send-template';
const REPLY = 'POST /conversations/7/messages';

/** What the node reads from the clock. */
const clock = (now: string) => jest.spyOn(Date, 'now').mockReturnValue(DateTime.fromISO(now).toMillis());

const hours = (values: IDataObject = {}) => ({ sendingHours: { values } }) as INodeParameters;

const template = (options: INodeParameters, phoneNumber = '+49 171 1234567'): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber, agentId: byId(11) },
	...{ templateName: byId('welcome'), templateLanguage: 'en_US', options },
});

const message = (options: INodeParameters): INodeParameters => ({
	...{
		resource: 'message',
		operation: 'send',
		conversationId: '7',
		messageType: 'text',
		text: 'Hi',
		options,
	},
});

const ROW = skippedTemplate('welcome', '491711234567');

const outside = (where: string, send_after: string, row: IDataObject = ROW, when = 'Tue 22:00') => ({
	json: {
		...row,
		result: 'skipped',
		reason: `It is ${when} in ${where}: outside the sending hours`,
		send_after,
	},
	pairedItem: { item: 0 },
});

beforeEach(() => {
	tenant.answer({
		[SEND]: sentMessages(),
		[REPLY]: sentMessages(),
		'GET /customers/101': () => ({ data: { id: 101, display_id: '819012345678' } }),
	});
});

afterEach(() => jest.restoreAllMocks());

describe.each([
	['Send', message, REPLY, skippedText(7, 'Hi')],
	['Send Template', template, SEND, ROW],
])('%s', (_name, parameters, request, row) => {
	it('outside the hours, nothing goes out, and the item says when to send it', async () => {
		clock('2026-05-12T22:00:00Z');
		const { items, error, run } = await tenant.run(parameters(hours({ timeZone: 'UTC' })));
		expect(error).toBeUndefined();
		expect(items).toEqual([outside('UTC', '2026-05-13T09:00:00Z', row)]);
		expect(tenant.requests).toEqual([]);
		expect(run.data.resultData.runData.Node[0].hints?.map(({ message: told }) => told)).toEqual([
			'0 of 1 sent, 1 skipped.',
		]);
	});

	it('within the hours, the message goes out', async () => {
		clock('2026-05-12T12:00:00Z');
		const { items } = await tenant.run(parameters(hours({ timeZone: 'UTC' })));
		expect(items).toMatchObject([{ json: { id: 1, status: 'created' } }]);
		expect(tenant.requests).toEqual([request]);
	});
});

it.each([
	['an empty text', '', undefined],
	['an empty list', '={{ [] }}', undefined],
	['nothing', '={{ $json.holidays }}', 'Days Off'],
	['null', '={{ null }}', 'Days Off'],
])('days off from %s: the message goes out, or the error names the field', async (_what, daysOff, named) => {
	clock('2026-05-12T12:00:00Z');
	const { error } = await tenant.run(template(hours({ timeZone: 'UTC', daysOff })));
	expect(error?.message ?? '').toContain(named ?? '');
	expect(error === undefined).toBe(named === undefined);
	expect(tenant.requests).toEqual(named ? [] : [SEND]);
});

it('both engines of n8n take the same', async () => {
	clock('2026-05-12T22:00:00Z');
	const parameters = template(hours({ timeZone: 'UTC' }));
	expect((await tenant.run(parameters, { byRoutingEngine: true })).items).toEqual([
		outside('UTC', '2026-05-13T09:00:00Z'),
	]);
});

describe('whose clock counts', () => {
	it.each([
		[
			"that of the workflow's time zone",
			{},
			'2026-05-12T22:00:00-04:00',
			'America/New_York',
			'2026-05-13T09:00:00-04:00',
		],
		[
			'that of a named time zone',
			{ timeZone: 'Asia/Tokyo' },
			'2026-05-12T22:00:00+09:00',
			'Asia/Tokyo',
			'2026-05-13T09:00:00+09:00',
		],
	])('%s', async (_whose, values, now, where, sendAfter) => {
		clock(now);
		expect((await tenant.run(template(hours(values)))).items).toEqual([outside(where, sendAfter)]);
		expect(tenant.requests).toEqual([]);
	});
});

describe('what is entered', () => {
	it.each<[string, IDataObject, string]>([
		['days by expression', { days: 'Sunday; saturday' }, '2026-05-16T09:00:00Z'],
		['days as an array', { days: '={{ ["sunday "] }}' }, '2026-05-17T09:00:00Z'],
		['an hour without minutes', { from: '={{ 7 }}', to: '8' }, '2026-05-13T07:00:00Z'],
		['a time of a database', { from: '07:00:00', to: '={{ "08:00:00" }}' }, '2026-05-13T07:00:00Z'],
		['days off beside none', { daysOff: '={{ "" }}, 2026-05-13' }, '2026-05-14T09:00:00Z'],
		['days off in the usual forms', { daysOff: '2026-05-13, 14.05.2026' }, '2026-05-15T09:00:00Z'],
		[
			'days off as dates',
			{ daysOff: '={{ [new Date("2026-05-13"), DateTime.fromISO("2026-05-14")] }}' },
			'2026-05-15T09:00:00Z',
		],
	])('%s', async (_what, values, sendAfter) => {
		clock('2026-05-12T22:00:00Z');
		const { items, error } = await tenant.run(template(hours({ timeZone: 'UTC', ...values })));
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { send_after: sendAfter } }]);
	});

	it.each<[IDataObject, string]>([
		[{ from: '9 am' }, '(From) "9 am" is not a time of day'],
		[{ from: '25:00' }, '(From) "25:00" is not a time of day'],
		[{ to: '09:60' }, '(To) "09:60" is not a time of day'],
		[{ to: '09:00' }, '(To) is the same as From'],
		[{ from: '24:00', to: '00:00' }, '(To) is the same as From'],
		[{ days: [] }, '(Days) is empty'],
		[{ days: ['feiertag'] }, '(Days) contains "feiertag", which is not a day'],
		[{ timeZone: 'Berlin' }, '(Time Zone Name or ID) "Berlin" is not a time zone'],
		[{ daysOff: 'soon' }, '(Days Off) "soon" is not a date'],
		[{ daysOff: '04/12/2026' }, '(Days Off) "04/12/2026" is ambiguous: day or month first?'],
		[{ daysOff: '={{ $json.none }}' }, '(Days Off) is empty'],
	])('%j is refused, and nothing goes out', async (values, problem) => {
		const { error } = await tenant.run(template(hours(values as IDataObject)));
		expect(error).toMatchObject({ message: `Sending Hours ${problem}` });
		expect(tenant.requests).toEqual([]);
	});

	it('hours that never come are refused', async () => {
		clock('2026-05-12T22:00:00Z');
		const daysOff = Array.from({ length: 60 }, (_, week) =>
			DateTime.utc(2026, 5, 10).plus({ weeks: week }).toISODate(),
		).join();
		const { error } = await tenant.run(template(hours({ days: ['sunday'], daysOff })));
		expect(error?.message).toMatch('The sending hours never come within a year');
	});
});

it('they come before consent and Send Once, so that the item can be sent later', async () => {
	clock('2026-05-12T22:00:00Z');
	const options = { ...hours({ timeZone: 'UTC' }), withoutConsent: 'skip' } as INodeParameters;
	expect((await tenant.run(template(options))).items).toEqual([outside('UTC', '2026-05-13T09:00:00Z')]);
	expect(tenant.requests).toEqual([]);
});

it('the editor lists the time zones of this n8n, also of a node that has no credential yet', async () => {
	const settings = { credentials: undefined };
	const { methods, context } = await editorOf({ parameters: template({}), settings });
	const zones = (await methods.loadOptions?.getTimeZones.call(context)) ?? [];
	expect(zones.slice(0, 1).map(({ value }) => value)).toEqual(['workflow']);
	expect(zones.map(({ value }) => value)).toContain('Europe/Berlin');
});
