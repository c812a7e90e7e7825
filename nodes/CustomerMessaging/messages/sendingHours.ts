import { DateTime, IANAZone } from 'luxon';

import { setting } from '../core/field';
import type { Item } from '../core/item';
import { filled, oneRow, onlyRow, type Row } from '../values/columns';
import { isoDate } from '../values/dates';
import { setOfEach } from '../values/ids';
import { InvalidValue, type Parse } from '../values/parse';
import { quote, stringOf, text } from '../values/text';
import type { Send } from './sendingOption';

const MINUTES_PER_HOUR = 60;
const MINUTES_PER_DAY = 1440;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const dayNumber: Parse<number> = (value) => {
	const name = stringOf(value).trim().toLowerCase();
	const index = DAYS.findIndex((day) => day.toLowerCase() === name);
	if (index >= 0) return index + 1;
	throw new InvalidValue(`contains "${quote(value)}", which is not a day`, `Choose from ${DAYS.join(', ')}.`);
};

const minutes: Parse<number> = (value) => {
	// Seconds of a time that a database has are none.
	const [, hour, minute = '0'] = /^(\d{1,2})(?::(\d{2})(?::00)?)?$/.exec(stringOf(value).trim()) ?? [];
	const time = Number(hour) * MINUTES_PER_HOUR + Number(minute);
	if (Number(minute) < MINUTES_PER_HOUR && time <= MINUTES_PER_DAY) return time;
	throw new InvalidValue(`"${quote(value)}" is not a time of day`, 'Enter hours and minutes, e.g. 09:00.');
};

export const WORKFLOW_ZONE = 'workflow';

const zone: Parse<string> = (value) => {
	const name = text(value);
	if (name === WORKFLOW_ZONE || IANAZone.isValidZone(name)) return name;
	throw new InvalidValue(`"${quote(name)}" is not a time zone`, 'Choose from the list, e.g. Europe/Berlin.');
};

const hoursColumns = [
	// A window belongs to the day on which it begins, also beyond midnight.
	setting('days', filled(setOfEach(dayNumber)), {
		type: 'multiOptions',
		options: DAYS.map((name) => ({ name, value: name.toLowerCase() })),
		default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
		description: 'The hours after midnight belong to the day before',
	}),
	setting('from', minutes, { default: '09:00', placeholder: 'e.g. 09:00' }),
	setting('to', minutes, {
		default: '20:00',
		placeholder: 'e.g. 20:00',
		description: 'Before From means on the next day',
	}),
	setting('timeZone', zone, {
		displayName: 'Time Zone Name or ID',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getTimeZones' },
		default: WORKFLOW_ZONE,
		description:
			'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	}),
	setting('daysOff', setOfEach(isoDate), {
		placeholder: 'e.g. 2026-12-25, 2026-12-26',
		description: 'Days without messages, separated by commas',
	}),
] as const;

const hours: Parse<Row<typeof hoursColumns>> = (value, reading) => {
	const given = onlyRow(hoursColumns)(value, reading);
	if (given.from % MINUTES_PER_DAY !== given.to % MINUTES_PER_DAY || given.from < given.to) return given;
	throw new InvalidValue(
		'(To) is the same as From',
		'Enter another time, or remove the option to send at any time.',
	);
};

const option = setting('options.sendingHours', hours, {
	...oneRow(hoursColumns),
	description: 'Whether to send only at these hours. Other items are skipped.',
});

const MAX_DAYS = 370;

/**
 * Returns the first moment at which the clock shows a time of a day, in minutes after midnight, or has passed it: in
 * the two nights of daylight saving, it repeats an hour or leaves one out.
 */
function momentOf(day: DateTime, minutes: number): DateTime {
	let [at] = day.set({ hour: 0, minute: minutes }).getPossibleOffsets();
	if (at.hour * MINUTES_PER_HOUR + at.minute === minutes % MINUTES_PER_DAY) return at;
	// The clock has left the time out, and luxon moves it behind the gap. The clock passed it where its offset changed.
	while (at.minus({ minutes: 1 }).offset === at.offset) at = at.minus({ minutes: 1 });
	return at;
}

/**
 * Returns the first moment from now on that is within the hours, in the time zone of now: now itself if it is; undefined if
 * there is none within a year. Hours whose end is not after their beginning end on the next day.
 */
export function firstWithin(
	now: DateTime,
	{ days, daysOff, from, to }: Omit<Row<typeof hoursColumns>, 'timeZone'>,
): DateTime | undefined {
	const off = new Set(daysOff);
	for (let index = -1; index < MAX_DAYS; index++) {
		const day = now.startOf('day').plus({ days: index });
		if (!days.includes(day.weekday) || off.has(day.toISODate() ?? '')) continue;
		const begin = momentOf(day, from);
		const end = momentOf(day, from < to ? to : to + MINUTES_PER_DAY);
		if (begin < end && now < end) return DateTime.max(begin, now);
	}
	return undefined;
}

/** Sends a message within its hours. @throws NodeOperationError when the hours never come */
async function keepHours(item: Item<typeof option>, send: Send) {
	const { timeZone, ...given } = item.get(option);
	const zone = timeZone === WORKFLOW_ZONE ? item.context.getTimezone() : timeZone;
	const now = DateTime.fromMillis(Date.now(), { zone });
	const at = firstWithin(now, given);
	const remedy = 'Nothing was sent. Check Days and Days Off of Sending Hours.';
	if (!at) throw item.error('The sending hours never come within a year', remedy);
	if (at <= now) return await send();
	const clock = now.toFormat('ccc HH:mm', { locale: 'en' });
	return {
		reason: `It is ${clock} in ${now.zoneName}: outside the sending hours`,
		send_after: at.toISO({ suppressMilliseconds: true }),
	};
}

export const sendingHours = { ...option, guard: keepHours };
