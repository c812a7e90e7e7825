import { DateTime } from 'luxon';
import { WAIT_INDEFINITELY } from 'n8n-workflow';

import type { ItemContext } from '../runner/field';
import { setting } from '../runner/field';
import { fieldError } from '../runner/fieldError';
import { oneOf } from '../values/choices';
import { column, filled, rowBy, whenConverted } from '../values/columns';
import { type Conversion, ValueProblem } from '../values/conversion';
import { isObject } from '../values/json';
import { numberFrom } from '../values/numbers';
import { optionalText, shown } from '../values/text';

const SECONDS = { minutes: 60, hours: 3600, days: 86_400 };

const limitType = column(oneOf('afterTimeInterval', 'atSpecifiedTime'), {
	displayName: 'Limit Type',
	name: 'limitType',
	type: 'options',
	options: [
		{ name: 'After Time Interval', value: 'afterTimeInterval' },
		{ name: 'At Specified Time', value: 'atSpecifiedTime' },
	],
	default: 'afterTimeInterval',
});

/** The least amount: a limit of no time would be no wait. */
const LEAST_AMOUNT = 0.01;

const resumeAmount = column(filled(numberFrom(LEAST_AMOUNT)), {
	displayName: 'Amount',
	name: 'resumeAmount',
	type: 'number',
	typeOptions: { minValue: LEAST_AMOUNT, numberPrecision: 2 },
	default: 1,
	description: 'How long to wait, e.g. 1.5',
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
});

const resumeUnit = column(oneOf('days', 'hours', 'minutes'), {
	displayName: 'Unit',
	name: 'resumeUnit',
	type: 'options',
	options: [
		{ name: 'Days', value: 'days' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Minutes', value: 'minutes' },
	],
	default: 'hours',
	displayOptions: { show: { limitType: ['afterTimeInterval'] } },
});

const maxDateAndTime = column(filled(optionalText), {
	displayName: 'Max Date and Time',
	name: 'maxDateAndTime',
	type: 'dateTime',
	default: '',
	description: 'Until when to wait',
	displayOptions: { show: { limitType: ['atSpecifiedTime'] } },
});

/** A limit: seconds, or a point in time as the user wrote it. */
type Limit = { seconds: number } | { at: string };

/** Converts the limit. It reads only the columns that its type has. */
const limit: Conversion<Limit | undefined> = (value) => {
	const row = isObject(value) ? value.values : undefined;
	if (!isObject(row)) return undefined;
	return whenConverted(rowBy([limitType], row), (one): Limit | ValueProblem =>
		one.limitType === 'atSpecifiedTime'
			? whenConverted(rowBy([maxDateAndTime], row), (given) => ({ at: given.maxDateAndTime }))
			: whenConverted(rowBy([resumeAmount, resumeUnit], row), (given) => ({
					seconds: given.resumeAmount * SECONDS[given.resumeUnit],
				})),
	);
};

/** The option for the time until the workflow goes on without an answer. */
export const limitWaitTime = setting('options.limitWaitTime', limit, {
	displayName: 'Limit Wait Time',
	name: 'limitWaitTime',
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to go on without an answer after some time; the item then has timedOut',
	options: [
		{
			displayName: 'Values',
			name: 'values',
			values: [limitType, resumeAmount, resumeUnit, maxDateAndTime].map(({ parameter }) => parameter),
		},
	],
});

/**
 * Returns until when to wait. A time without a zone is in the time zone of the workflow.
 *
 * @throws NodeOperationError when that time is none, or is over
 */
export function endOfWait(context: ItemContext, given: Limit | undefined): Date {
	if (!given) return WAIT_INDEFINITELY;
	const now = DateTime.now();
	const end =
		'at' in given
			? DateTime.fromISO(given.at.trim().replace(' ', 'T'), { zone: context.getTimezone() })
			: now.plus({ seconds: given.seconds });
	if (end.isValid && end > now) return end.toJSDate();
	const written = 'at' in given ? given.at : given.seconds;
	throw fieldError(
		context,
		limitWaitTime.parameter.displayName,
		new ValueProblem(
			`is "${shown(written)}", which is ${end.isValid ? 'over' : 'not a time'}`,
			'Enter a time that is still to come, e.g. {{ $now.plus({ days: 2 }) }}. Nothing was sent.',
		),
	);
}
