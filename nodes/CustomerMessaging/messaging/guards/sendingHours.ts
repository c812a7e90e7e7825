import { DateTime, IANAZone } from 'luxon';
import { setting } from '../../runner/field';
import { itemError, requireParts } from '../../runner/fieldError';
import type { Item } from '../../runner/operation';
import { noteOutcome } from '../../transport/nodeRun';
import { column, onlyRow, type Row, rowsWith } from '../../values/columns';
import { type Conversion, ValueProblem, whenConverted } from '../../values/conversion';
import { isoDate } from '../../values/dates';
import { setOfEach } from '../../values/ids';
import { shown, stringOf, text } from '../../values/text';
import { skip, type Skip } from './claim';
import { firstWithin, MINUTES_PER_DAY } from './openingHours';
import { zoneOfNumber } from './recipientZone';

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const dayNumber: Conversion<number> = (value) => {
	const name = stringOf(value).trim().toLowerCase();
	const index = DAYS.findIndex((day) => day.toLowerCase() === name);
	return index >= 0
		? index + 1
		: new ValueProblem(`contains "${shown(value)}", which is not a day`, `Choose from ${DAYS.join(', ')}.`);
};

const dayNumbers: Conversion<number[]> = (value) =>
	whenConverted(setOfEach(dayNumber)(value), (days) =>
		days.length > 0 ? days : new ValueProblem('is empty', 'Choose at least one day.'),
	);

const minutes: Conversion<number> = (value) => {
	// Seconds of a time that a database has are none.
	const [, hour, minute = '0'] = /^(\d{1,2})(?::(\d{2})(?::00)?)?$/.exec(stringOf(value).trim()) ?? [];
	const time = Number(hour) * 60 + Number(minute);
	return Number(minute) < 60 && time <= MINUTES_PER_DAY
		? time
		: new ValueProblem(`"${shown(value)}" is not a time of day`, 'Enter hours and minutes, e.g. 09:00.');
};

export const WORKFLOW_ZONE = 'workflow';
export const RECIPIENT_ZONE = 'recipient';

const zone: Conversion<string> = (value) =>
	whenConverted(text(value), (name) =>
		[WORKFLOW_ZONE, RECIPIENT_ZONE].includes(name) || IANAZone.isValidZone(name)
			? name
			: new ValueProblem(`"${shown(name)}" is not a time zone`, 'Choose from the list, e.g. Europe/Berlin.'),
	);

const columns = [
	column(dayNumbers, {
		name: 'days',
		type: 'multiOptions',
		options: DAYS.map((name) => ({ name, value: name.toLowerCase() })),
		default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
		description: 'The days on which messages are sent. A time beyond midnight belongs to the day before.',
	}),
	column(minutes, {
		name: 'from',
		default: '09:00',
		placeholder: 'e.g. 09:00',
		description: 'The time from which messages are sent',
	}),
	column(minutes, {
		name: 'to',
		default: '20:00',
		placeholder: 'e.g. 20:00',
		description: 'The time at which sending ends. If it is before From, it ends on the next day.',
	}),
	column(zone, {
		displayName: 'Time Zone Name or ID',
		name: 'timeZone',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getTimeZones' },
		default: WORKFLOW_ZONE,
		description:
			'Whose clock counts. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	column(setOfEach(isoDate), {
		name: 'daysOff',
		placeholder: 'e.g. 2026-12-25, 2026-12-26',
		description: 'Dates without messages, such as holidays, separated by commas',
	}),
] as const;

const hours: Conversion<Row<typeof columns>> = (value, reading) =>
	whenConverted(onlyRow(columns)(value, reading), (given) =>
		given.from % MINUTES_PER_DAY === given.to % MINUTES_PER_DAY && given.from >= given.to
			? new ValueProblem(
					'(To) is the same as From',
					'Enter another time, or remove the option to send at any time.',
				)
			: given,
	);

export const sendingHours = setting('options.sendingHours', hours, {
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to send only at these hours. Other items are skipped and tell when to send them.',
	options: rowsWith('Values', 'values', columns),
});

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
