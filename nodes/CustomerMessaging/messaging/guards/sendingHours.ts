import { DateTime } from 'luxon';
import { itemError, requireParts } from '../../runner/fieldError';
import type { Item } from '../../runner/operation';
import { noteOutcome } from '../../transport/nodeRun';
import { RECIPIENT_ZONE, sendingHours, WORKFLOW_ZONE } from '../sendingOptions';
import { skip, type Skip } from './claim';
import { firstWithin } from './openingHours';
import { zoneOfNumber } from './recipientZone';

const UNKNOWN_ZONE = "the workflow's time zone, since the number does not tell the recipient's";

/**
 * Returns why it is not the time to send; undefined if it is.
 *
 * @throws NodeOperationError when the hours never come
 */
export async function outsideHours(
	{ context, read, shows }: Pick<Item<typeof sendingHours>, 'context' | 'read' | 'shows'>,
	digitsOf: () => Promise<string | undefined>,
): Promise<Skip | undefined> {
	if (!shows(sendingHours)) return undefined;
	const { timeZone, ...given } = read(sendingHours);
	// An empty text is no day, but a value that does not exist may be the holidays.
	const isNothing = (part: unknown) => part === undefined || part === null;
	requireParts(context, sendingHours, 'daysOff', given.daysOff.join(', '), isNothing);
	const isRecipients = timeZone === RECIPIENT_ZONE;
	const ofNumber = isRecipients ? zoneOfNumber((await digitsOf()) ?? '') : undefined;
	const isNamed = !isRecipients && timeZone !== WORKFLOW_ZONE;
	const now = DateTime.fromMillis(Date.now(), {
		zone: isNamed ? timeZone : (ofNumber ?? context.getTimezone()),
	});
	const at = firstWithin(now, given);
	const remedy = 'Nothing was sent. Check Days and Days Off of Sending Hours.';
	if (!at) throw itemError(context, 'The sending hours never come within a year', remedy);
	const isFallback = isRecipients && !ofNumber;
	if (at <= now && isFallback) await noteOutcome(context, `went by ${UNKNOWN_ZONE} (Sending Hours)`);
	if (at <= now) return undefined;
	return skip(
		`It is ${now.toFormat('ccc HH:mm', { locale: 'en' })} in ${now.zoneName}${isFallback ? `, ${UNKNOWN_ZONE}` : ''}: outside the sending hours`,
		'were skipped, because it is outside the sending hours; see send_after',
		{ send_after: at.toISO({ suppressMilliseconds: true }) },
	);
}
