import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { triggerProperties } from '../../nodes/CustomerMessaging/trigger/description.ts';
import { choicesOf, sharedDescriptions, withoutEffect } from '../description/triggerParameters.mts';
import { arrive, type Arrival } from './arrival.mts';

const FILE = 'test/trigger/description.test.mts';

/** What starts the workflow with each choice of Event: the number of a delivery below. */
const STARTED_BY: Record<string, number[]> = { newAgentMessage: [0, 1, 4] };

/** A value for each parameter without choices with which some delivery below does something else. */
const GIVEN: Record<string, unknown> = {
	...{ conversation: '3', from: 'agent', source: 'api', status: 'created', template: '7' },
	...{ templates: { chosen: { templateIds: [7] } }, maximumSizeKb: 1, redeliveryHours: 2 },
};

const created: IDataObject = {
	...{ id: 1, conversation_id: 3, from: 'agent', source: 'api', status: 'created', ca_template_id: 7 },
};
const failed: IDataObject = {
	...{ id: 2, conversation_id: 4, from: 'bot', source: 'automation', status: 'failed', ca_template_id: 8 },
	latest_error: { user_friendly_message: 'Blocked' },
};

/** What arrives at a trigger, with the hour. */
const DELIVERIES: Array<Arrival & { hour?: number }> = [
	{ payload: { event: 'new-agent-message', message: created } },
	{ payload: { event: 'new-agent-message', message: failed } },
	{ payload: { event: 'customer-created', data: { id: 5 } } },
	{ payload: { event: 'new-agent-message', message: created }, hour: 3 },
	{
		payload: { event: 'new-agent-message', message: { ...created, id: 3 }, text: 'x'.repeat(1024) },
		hour: 3,
	},
];

beforeAll(async () => void (await arrive()));
afterEach(() => jest.restoreAllMocks());

let triggers = 0;

/** What a trigger does with all of them. */
async function outcomesOf(parameters: INodeParameters) {
	const clock = jest.spyOn(Date, 'now');
	const workflowId = `described ${++triggers}`;
	const outcomes = [];
	for (const { hour = 0, ...arrival } of DELIVERIES) {
		clock.mockReturnValue(Date.UTC(2026, 0, 1, hour));
		const staticData: IDataObject = {};
		const all = { authentication: 'none', ...parameters };
		const { status, items, error } = await arrive({ ...arrival, workflowId, staticData, parameters: all });
		outcomes.push({ status, items, error, written: JSON.stringify(staticData) });
	}
	clock.mockRestore();
	return outcomes;
}

const all = choicesOf(triggerProperties, GIVEN, FILE);

describe('Event', () => {
	const [event] = all.filter(({ name }) => name === 'event');

	it.each(event.values.map(({ value, parameters }) => [String(value), parameters]))(
		'%s starts the workflow for its own deliveries',
		async (value, parameters) => {
			const started = (await outcomesOf(parameters)).flatMap(({ items }, index) => (items ? [index] : []));
			const ask = `Add to STARTED_BY in ${FILE} the deliveries for which "Event" ${value} starts the workflow`;
			expect(started).toEqual(STARTED_BY[value] ?? ask);
		},
	);

	it('has no two choices for the same deliveries', () => {
		const started = event.values.map(({ value }) => JSON.stringify(STARTED_BY[String(value)]));
		expect(new Set(started).size).toBe(event.values.length);
	});
});

it.each(all.filter(({ name }) => name !== 'event').map((one) => [one.label, one] as const))(
	'each value of "%s" does something of its own',
	async (_, choices) => expect(await withoutEffect(choices, outcomesOf, FILE)).toEqual([]),
);

const filters = all.filter(({ label }) => label.startsWith('Filters: '));
const shortNameOf = (label: string) =>
	label
		.slice('Filters: '.length)
		.replace(/ (Names? or IDs?|IDs)$/, '')
		.replace('Templates', 'Template');
const names = new Set(filters.map(({ label }) => shortNameOf(label)));

it.each(
	filters.map(({ label, values }) => [label, values[0].value === true ? values[0] : values[1]] as const),
)(
	'a message that "%s" leaves out is told with that name, and with no other',
	async (label, { parameters }) => {
		const message = { ...failed, id: 9, status: null, latest_error: null };
		const { error } = await arrive({ mode: 'manual', parameters, payload: { message } });
		const told = String(error?.description);
		const found = [...names].filter((name) => new RegExp(`\\b${name}\\b`).test(told));
		expect(found).toEqual([shortNameOf(label)]);
	},
);

it.each(['from', 'source', 'status'])('the description of the filter %s names its field', (name) => {
	const described = triggerProperties.find((one) => one.name === 'filters')?.options ?? [];
	const member = described.find((one) => one.name === name);
	expect(member && 'description' in member && member.description).toMatch(`Value of the ${name} field;`);
});

it('no two parameters of a collection, and no two choices of a list, share a description', () => {
	expect(sharedDescriptions(triggerProperties)).toEqual([]);
});
