import { DateTime } from 'luxon';

import { birthDate, isoDate, isoDateTime } from '../../nodes/CustomerMessaging/values/dates.ts';
import { invalid } from './invalid.mts';

describe('a date', () => {
	it.each([
		['1990-05-17', '1990-05-17'],
		['1990-05-17T23:59:00.000', '1990-05-17'],
		['1990-05-17T00:00', '1990-05-17'],
		['1990-05-17 08:00', '1990-05-17'],
		['1990-05-17T24:00:00', '1990-05-17'],
		['1990-12-31 24:00', '1990-12-31'],
		['17.05.1990', '1990-05-17'],
		['17. 5. 1990', '1990-05-17'],
		[' 7.5.1990 ', '1990-05-07'],
		['17.05.1990 8:05', '1990-05-17'],
		['17.05.1990 08:05:30', '1990-05-17'],
		['29.02.2024', '2024-02-29'],
	])('%s, without a zone, goes out as %s, wherever the workflow is', (value, expected) => {
		for (const timeZone of [undefined, 'Europe/Berlin', 'Pacific/Auckland', 'Pacific/Honolulu'])
			expect(isoDate(value, { timeZone })).toBe(expected);
	});

	it.each([
		['25/12/1990', '1990-12-25'],
		['12/25/1990', '1990-12-25'],
		['13/1/1990', '1990-01-13'],
		['1/31/1990', '1990-01-31'],
		['05/05/1990', '1990-05-05'],
		['25-12-1990', '1990-12-25'],
		['12-25-1990', '1990-12-25'],
		['1990/12/04', '1990-12-04'],
		['1990.12.04', '1990-12-04'],
		['1990-4-1', '1990-04-01'],
		['04.12.1990', '1990-12-04'],
		['25/12/1990 08:05', '1990-12-25'],
		['12/25/1990 8:05:30', '1990-12-25'],
		['12/25/1990 12:00:00 AM', '1990-12-25'],
		['12/25/1990, 8:05 pm', '1990-12-25'],
		['29/02/2024', '2024-02-29'],
	])('%s has one reading and goes out as %s, whatever comes first elsewhere', (value, expected) => {
		for (const ambiguousDates of [undefined, 'refuse', 'dayFirst', 'monthFirst'] as const)
			expect(isoDate(value, { ambiguousDates })).toBe(expected);
	});

	it.each([
		['04/12/1990', '1990-12-04', '1990-04-12'],
		['4/12/1990', '1990-12-04', '1990-04-12'],
		['12/4/1990', '1990-04-12', '1990-12-04'],
		['01-02-1990', '1990-02-01', '1990-01-02'],
		['04/12/1990 8:05', '1990-12-04', '1990-04-12'],
	])('%s is refused, and with a word is %s or %s', (value, dayFirst, monthFirst) => {
		for (const reading of [undefined, {}, { ambiguousDates: 'refuse' } as const])
			expect(invalid(() => isoDate(value, reading))[0]).toBe(`"${value}" is ambiguous: day or month first?`);
		expect(isoDate(value, { ambiguousDates: 'dayFirst' })).toBe(dayFirst);
		expect(isoDate(value, { ambiguousDates: 'monthFirst' })).toBe(monthFirst);
	});

	it.each(['04/12/90', '25/12/90', '25.12.90', '12-25-90', '1/2/03'])(
		'%s is refused, because nobody knows the century',
		(value) => {
			for (const ambiguousDates of ['refuse', 'dayFirst', 'monthFirst'] as const)
				expect(invalid(() => isoDate(value, { ambiguousDates }))[0]).toBe(
					`"${value}" has a year without its century`,
				);
		},
	);

	it.each<unknown>([
		...['29.02.2023', '1990-13-01', '31.04.1990', 'yesterday', 19900517, '', 'soon'],
		...['29/02/2023', '13/13/1990', '31/04/1990', '0/5/1990', '25/12-1990', '25/12/199', '25/12'],
		...['25/12/1990 garbage', '25/12/1990 25:99', '1990/17/05/1', '1/2/3/1990', '1990/5', '25 / 12 / 1990'],
		DateTime.invalid('no date'),
		new Date('no date'),
	])('%s is refused', (value) => {
		for (const ambiguousDates of ['refuse', 'dayFirst', 'monthFirst'] as const)
			expect(invalid(() => isoDate(value, { ambiguousDates }))[0]).toContain('is not a date');
	});

	it.each([
		['1990-05-16T22:00:00.000Z', 'Europe/Berlin', '1990-05-17'],
		['1990-05-17T00:00:00+02:00', 'Europe/Berlin', '1990-05-17'],
		['1990-05-17T23:30:00-08:00', 'Europe/Berlin', '1990-05-18'],
		['1990-05-17 23:30:00-07:00', 'America/Los_Angeles', '1990-05-17'],
		['1990-05-17T00:30:00+14:00', 'Europe/Berlin', '1990-05-16'],
		['1990-05-17T23:30:00-0400', 'UTC', '1990-05-18'],
		['1990-03-25T00:00:00Z', 'Europe/Berlin', '1990-03-25'],
		['1990-03-25T00:00:00Z', 'America/New_York', '1990-03-25'],
		['1990-03-24T20:00:00-04:00', 'America/New_York', '1990-03-25'],
		['1990-03-24T23:00:00Z', 'Europe/Berlin', '1990-03-25'],
		['1990-07-24T22:00:00Z', 'Europe/Berlin', '1990-07-25'],
		['1990-03-25T05:00:00Z', 'America/New_York', '1990-03-25'],
		['1990-03-24T15:00:00Z', 'Asia/Tokyo', '1990-03-25'],
		['1990-03-24T18:30:00Z', 'Asia/Kolkata', '1990-03-25'],
		['1990-03-25T00:00:00.001Z', 'America/New_York', '1990-03-24'],
		['1990-03-24T23:00:00Z', 'UTC', '1990-03-24'],
		['1990-03-24T22:59:59Z', 'Europe/Berlin', '1990-03-24'],
	])('%s in %s is %s, as a text, a Date and a DateTime of any zone', (at, timeZone, expected) => {
		const instants = [
			new Date(at.replace(' ', 'T')),
			...['utc', timeZone, 'Asia/Tokyo'].map((zone) => DateTime.fromISO(at.replace(' ', 'T'), { zone })),
		];
		for (const instant of [at, ...instants]) expect(isoDate(instant, { timeZone })).toBe(expected);
	});

	it('may name its zone', () => {
		const reading = { timeZone: 'Europe/Berlin' };
		expect(isoDate('1990-05-17 23:30:00 America/New_York', reading)).toBe('1990-05-18');
	});

	it.each(['Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'Pacific/Honolulu'])(
		'a day of %s that was made a Date there keeps its day',
		(timeZone) => {
			for (const day of ['1990-03-25', '1945-05-08', '2024-02-29', '2000-01-01', '1999-12-31'])
				expect(isoDate(DateTime.fromISO(day, { zone: timeZone }).toJSDate(), { timeZone })).toBe(day);
		},
	);
});

describe('a day of birth', () => {
	beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 4, 17, 22, 30)));
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['1900-01-01', '1900-01-01'],
		['17.05.1990', '1990-05-17'],
		['2026-05-17', '2026-05-17'],
		['2026-05-18', '2026-05-18'],
	])('%s goes out as %s', (value, expected) => {
		expect(birthDate(value, { timeZone: 'Europe/Berlin' })).toBe(expected);
	});

	it.each<[unknown, string]>([
		['2026-05-19', '"2026-05-19" is in the future'],
		['01.01.2090', '"01.01.2090" is in the future'],
		['1604-05-17', '"1604-05-17" is before 1900, as programs write a day without a year'],
		['1899-12-31', '"1899-12-31" is before 1900, as programs write a day without a year'],
		['0001-01-01T00:00:00', '"0001-01-01T00:00:00" is before 1900, as programs write a day without a year'],
		[
			new Date('1604-05-17'),
			'""1604-05-17T00:00:00.000Z"" is before 1900, as programs write a day without a year',
		],
		['31.02.1990', '"31.02.1990" is not a date'],
	])('%s is refused', (value, expected) => {
		expect(invalid(() => birthDate(value, { timeZone: 'Europe/Berlin' }))[0]).toBe(expected);
	});

	it('is in the future by the day in the workflow’s zone', () => {
		expect(invalid(() => birthDate('2026-05-18', { timeZone: 'America/New_York' }))[0]).toBe(
			'"2026-05-18" is in the future',
		);
		expect(isoDate('2026-05-18', { timeZone: 'America/New_York' })).toBe('2026-05-18');
	});
});

describe('a date and time', () => {
	const timeZone = 'Europe/Berlin';

	it.each<[unknown, string]>([
		['2026-03-25T10:00:00Z', '2026-03-25T10:00:00Z'],
		['2026-03-25T10:00:00.5+05:30', '2026-03-25T10:00:00.5+05:30'],
		['2026-03-25T10:00', '2026-03-25T10:00:00.000+01:00'],
		['2026-07-25T10:00:30', '2026-07-25T10:00:30.000+02:00'],
		['2026-03-25 10:00', '2026-03-25T10:00:00.000+01:00'],
		[' 2026-03-25T10:00:00-08:00 ', '2026-03-25T10:00:00-08:00'],
		[DateTime.fromISO('2026-03-25T10:00:00', { zone: timeZone }), '2026-03-25T10:00:00.000+01:00'],
		[new Date('2026-03-25T10:00:00Z'), '2026-03-25T10:00:00.000Z'],
	])('%s goes out as %s', (value, expected) => {
		expect(isoDateTime(value, { timeZone })).toBe(expected);
	});

	it.each<unknown>([
		...['soon', '25.03.1990', '25/03/1990', '1990-03-25', '25.03.1990 10:00', '2026-02-30T10:00'],
		...['2026-03-25T25:00', '2026-03-25Tsoon', '10:00', '', ' ', 1774432800, true, {}, []],
		DateTime.invalid('no date'),
		new Date('no date'),
	])('%s is refused', (value) => {
		expect(invalid(() => isoDateTime(value, { timeZone }))[0]).toContain('is not a date and time');
	});
});

it.each(['33010', '33010,5', 45123])('the day %s is one that Excel counts, and not guessed', (value) => {
	expect(invalid(() => isoDate(value))[0]).toContain(
		'is a day as Excel counts them: format the column as a date',
	);
});
