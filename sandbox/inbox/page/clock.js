import { advanceClock, readClock, resetClock, setClock } from './api.js';
import { exactlyOf, h, moved } from './dom.js';
import { actionButton, field, form, resultPlace } from './forms.js';

/** What time does in a tenant. */
const PRESETS = [
	['1 hour', { hours: 1 }],
	['1 day', { days: 1 }],
	['7 days', { days: 7 }],
	['90 days', { days: 90 }],
];

let ahead = 0;

const result = resultPlace();
const now = h('time');
const state = h('p.muted');

/** Shows the time again; the sandbox's clock runs like this machine's. */
function tick() {
	if (now.offsetParent === null) return;
	const time = new Date(Date.now() + ahead);
	now.dateTime = time.toISOString();
	now.textContent = exactlyOf(time);
}

/** Shows and tells what the sandbox answered. */
function show({ now: iso, ahead_ms }) {
	ahead = Date.parse(iso) - Date.now();
	state.textContent = Math.abs(ahead_ms) < 1000 ? 'Real time' : `${moved(ahead_ms)} of real time`;
	tick();
	return `It is ${exactlyOf(iso)} now.`;
}

const advance = async (span) => show(await advanceClock(span));

/** A local time as `datetime-local` has it. */
const localOf = (time) =>
	new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

const setTo = field({
	name: 'set',
	label: 'Date and time, in your time zone',
	type: 'datetime-local',
	min: '0001-01-02T00:00',
	max: '9999-12-30T00:00',
	required: true,
});

setTo.classList.add('wide');
setInterval(tick, 1000);

/** The time that the tenant lives in. */
export const clock = {
	id: 'clock',
	title: 'Clock',
	contents: [
		h(
			'div.row',
			{},
			h('div.now', {}, now, state),
			actionButton('Back to real time', result, async () => show(await resetClock())),
		),
		h('h3', {}, 'Advance'),
		h(
			'div.row.wraps',
			{},
			PRESETS.map(([label, span]) =>
				actionButton(`+ ${label}`, result, () => advance(span), { 'aria-label': `Advance by ${label}` }),
			),
		),
		h(
			'p.hint',
			{},
			'A chat session ends after 24 hours, a temporary address of a file after 7 days, an upload after 90 days.',
		),
		form(
			{
				name: 'Advance',
				submit: 'Advance',
				result,
				send: ({ advance: amount, unit }) => advance({ [unit]: amount }),
			},
			field({
				name: 'advance',
				label: 'Amount',
				type: 'number',
				required: true,
				placeholder: '-1 goes back',
			}),
			field({
				name: 'unit',
				label: 'Unit',
				options: ['minutes', 'hours', 'days', 'seconds'].map((unit) => [unit, unit]),
			}),
		),
		h('h3', {}, 'Set'),
		form(
			{
				name: 'Set',
				submit: 'Set',
				result,
				send: async ({ set }) => show(await setClock(new Date(set).toISOString())),
			},
			setTo,
		),
		result.place,
	],
	async refresh() {
		const read = await readClock();
		show(read);
		const input = setTo.querySelector('input');
		if (input.value === '') input.value = localOf(Date.parse(read.now));
	},
};
