import { IANAZone } from 'luxon';

import { bodyField, notice, setting } from '../core/field';
import { boolean, choice } from '../values/choices';
import { column, oneRow, onlyRow, type Row } from '../values/columns';
import { InvalidValue, type Parse } from '../values/parse';
import { isoDate } from '../values/dates';
import { setOfEach } from '../values/ids';
import { numberFrom } from '../values/numbers';
import { emptyValue, isBlank, quote, stringOf, text, trimmedText } from '../values/text';

/** Marks a message as sent by an automation ("Events" 1 of the interface). */
export const fromAutomation = bodyField('from_automation', boolean, {
	type: 'boolean',
	description: 'Whether to mark the message as automated, for the New Agent Message trigger',
});

export const allowLoop = setting('options.allowLoop', boolean, {
	type: 'boolean',
	description: 'Whether to send even though each message starts this workflow again',
	displayOptions: { show: { fromAutomation: [true] } },
});

export const loopNotice = notice({
	displayName:
		'Messages with From Automation start the New Agent Message trigger. To prevent loops, a workflow that starts with this trigger cannot send them, unless Allow Loop is on.',
	name: 'loopNotice',
	displayOptions: { show: { '/options.fromAutomation': [true] } },
});

/** Leaving the option out sends without a look at the consent. */
export const consentGuard = setting(
	'options.withoutConsent',
	...choice({ fail: 'The item fails', skip: 'Nothing is sent, and the item is skipped' }, 'skip', {
		displayName: 'If No Marketing Consent',
		description: 'What to do if the recipient has not opted in to marketing',
	}),
);

export const ifUndelivered = setting(
	'options.ifUndelivered',
	...choice(
		{ continue: 'The item continues with the reason', error: ['Fail', 'The item fails with the reason'] },
		'continue',
		{ description: 'What to do if the response says that the message was not delivered' },
	),
);

export const languageFallback = setting('options.languageFallback', setOfEach(trimmedText), {
	placeholder: 'e.g. en_US, de',
	description:
		'Language codes, separated by commas. If the template lacks the chosen language, the first that it has is sent.',
});

/** Texts that an expression writes for a value that does not exist, or that is no text. All items would share the key. */
const NO_VALUE = /\[object \w+\]|\b(null|undefined|NaN|Invalid Date(Time)?)\b/;

const onceKey: Parse<string> = (value) => {
	if (isBlank(value)) throw emptyValue();
	const key = trimmedText(value);
	if (typeof value === 'boolean' || NO_VALUE.test(key))
		throw new InvalidValue(
			`"${quote(key)}" does not tell one message from another`,
			'Check the expression: the item may lack that field.',
		);
	// One letter can be written as one sign or as two, by the system that an order comes from.
	return key.trim().normalize('NFC');
};

const USUAL_HOURS = 24;

const keyHours: Parse<number> = (value) => numberFrom(0)(isBlank(value) ? USUAL_HOURS : value);

const onceColumns = [
	column(onceKey, {
		name: 'key',
		placeholder: 'e.g. {{ $json.orderId }}-shipped',
		description:
			'What makes this message unique. All executions of the workflow share the keys, including tests.',
	}),
	column(keyHours, {
		name: 'hours',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0 },
		default: USUAL_HOURS,
		description:
			'How many hours to remember a key at least (0: forever). After a change, earlier keys no longer count.',
	}),
] as const;

/** An option that holds no key is an error: everything would be sent. */
export const sendOnce = setting('options.sendOnce', onlyRow(onceColumns), {
	...oneRow(onceColumns),
	description: 'Whether to send only once for each key, across executions',
});

export const MINUTES_PER_DAY = 1440;

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

const dayNumber: Parse<number> = (value) => {
	const name = stringOf(value).trim().toLowerCase();
	const index = DAYS.findIndex((day) => day.toLowerCase() === name);
	if (index >= 0) return index + 1;
	throw new InvalidValue(`contains "${quote(value)}", which is not a day`, `Choose from ${DAYS.join(', ')}.`);
};

const dayNumbers: Parse<number[]> = (value) => {
	const days = setOfEach(dayNumber)(value);
	if (days.length > 0) return days;
	throw new InvalidValue('is empty', 'Choose at least one day.');
};

const minutes: Parse<number> = (value) => {
	// Seconds of a time that a database has are none.
	const [, hour, minute = '0'] = /^(\d{1,2})(?::(\d{2})(?::00)?)?$/.exec(stringOf(value).trim()) ?? [];
	const time = Number(hour) * 60 + Number(minute);
	if (Number(minute) < 60 && time <= MINUTES_PER_DAY) return time;
	throw new InvalidValue(`"${quote(value)}" is not a time of day`, 'Enter hours and minutes, e.g. 09:00.');
};

export const WORKFLOW_ZONE = 'workflow';

const zone: Parse<string> = (value) => {
	const name = text(value);
	if (name === WORKFLOW_ZONE || IANAZone.isValidZone(name)) return name;
	throw new InvalidValue(`"${quote(name)}" is not a time zone`, 'Choose from the list, e.g. Europe/Berlin.');
};

const hoursColumns = [
	column(dayNumbers, {
		name: 'days',
		type: 'multiOptions',
		options: DAYS.map((name) => ({ name, value: name.toLowerCase() })),
		default: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
		description: 'The days on which to send. The hours after midnight belong to the day before.',
	}),
	column(minutes, {
		name: 'from',
		default: '09:00',
		placeholder: 'e.g. 09:00',
		description: 'The time at which sending begins',
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
			'The time zone of these hours. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	column(setOfEach(isoDate), {
		name: 'daysOff',
		placeholder: 'e.g. 2026-12-25, 2026-12-26',
		description: 'Dates without messages, such as holidays, separated by commas',
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

export const sendingHours = setting('options.sendingHours', hours, {
	...oneRow(hoursColumns),
	description: 'Whether to send only at these hours. Other items are skipped, with the time to send them.',
});
