import { DateTime } from 'luxon';
import { requireParts } from '../core/fieldError';
import type { Item } from '../core/item';
import { sendingHours, WORKFLOW_ZONE } from './sendingOptions';
import { skip, type Skip } from './claim';
import { firstWithin } from './openingHours';

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
	return skip(
		`It is ${now.toFormat('ccc HH:mm', { locale: 'en' })} in ${now.zoneName}: outside the sending hours`,
		'were skipped, because it is outside the sending hours; see send_after',
		{ send_after: at.toISO({ suppressMilliseconds: true }) },
	);
}
