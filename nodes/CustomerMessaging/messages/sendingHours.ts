import { DateTime } from 'luxon';

import { requireParts } from '../core/fieldError';
import type { Item } from '../core/item';
import type { Skip } from './messageRow';
import { MINUTES_PER_DAY, sendingHours, WORKFLOW_ZONE } from './sendingOptions';

export interface Hours {
	/** From Monday, 1, to Sunday, 7. A window belongs to the day on which it begins, also beyond midnight. */
	days: readonly number[];
	/** Minutes after midnight. A window whose end is not after its beginning ends on the next day. */
	from: number;
	to: number;
	daysOff: readonly string[];
}

const MINUTES_PER_HOUR = 60;

const MAX_DAYS = 370;

const minuteOf = ({ hour, minute }: DateTime) => hour * MINUTES_PER_HOUR + minute;

/**
 * Returns the first moment at which the clock shows a time of a day, in minutes after midnight, or has passed it: in
 * the two nights of daylight saving, it repeats an hour or leaves one out.
 */
function momentOf(day: DateTime, minutes: number): DateTime {
	const time = minutes % MINUTES_PER_DAY;
	const shown = day
		.plus({ days: Math.floor(minutes / MINUTES_PER_DAY) })
		.set({ hour: Math.floor(time / MINUTES_PER_HOUR), minute: time % MINUTES_PER_HOUR });
	const [first] = shown.getPossibleOffsets();
	let at = first;
	if (minuteOf(at) === time) return at;
	// The clock has left the time out, and luxon moves it behind the gap. The clock passed it where its offset changed.
	while (at.minus({ minutes: 1 }).offset === at.offset) at = at.minus({ minutes: 1 });
	return at;
}

/**
 * Returns the first moment from now on that is within the hours, in the time zone of now: now itself if it is; undefined if
 * there is none within a year.
 */
export function firstWithin(now: DateTime, { days, daysOff, from, to }: Hours): DateTime | undefined {
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

/**
 * Returns why it is not the time to send; undefined if it is.
 *
 * @throws NodeOperationError when the hours never come
 */
export function outsideHours(item: Item<typeof sendingHours>): Skip | undefined {
	if (!item.shows(sendingHours)) return undefined;
	const { context } = item;
	const { timeZone, ...given } = item.get(sendingHours);
	// An empty text is no day, but a value that does not exist may be the holidays.
	const isNothing = (part: unknown) => part === undefined || part === null;
	requireParts(context, sendingHours, 'daysOff', given.daysOff.join(', '), isNothing);
	const zone = timeZone === WORKFLOW_ZONE ? context.getTimezone() : timeZone;
	const now = DateTime.fromMillis(Date.now(), { zone });
	const at = firstWithin(now, given);
	const remedy = 'Nothing was sent. Check Days and Days Off of Sending Hours.';
	if (!at) throw item.error('The sending hours never come within a year', remedy);
	if (at <= now) return undefined;
	const clock = now.toFormat('ccc HH:mm', { locale: 'en' });
	return {
		reason: `It is ${clock} in ${now.zoneName}: outside the sending hours`,
		send_after: at.toISO({ suppressMilliseconds: true }),
	};
}
