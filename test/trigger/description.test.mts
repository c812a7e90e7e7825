import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { triggerProperties } from '../../nodes/CustomerMessaging/trigger/description.ts';
import { choicesOf, sharedDescriptions, withoutEffect } from '../description/triggerParameters.mts';
import { arrive, type Arrival } from '../engine/arrival.mts';

const FILE = 'test/trigger/description.test.mts';

/** A value for each parameter without choices with which some delivery below does something else. */
const GIVEN: Record<string, unknown> = {
	...{ conversation: '3', from: 'agent', source: 'api', status: 'created', template: '7' },
};

const created: IDataObject = {
	...{ id: 1, conversation_id: 3, from: 'agent', source: 'api', status: 'created', ca_template_id: 7 },
};
const failed: IDataObject = {
	...{ id: 2, conversation_id: 4, from: 'bot', source: 'automation', status: 'failed', ca_template_id: 8 },
	latest_error: { user_friendly_message: 'Blocked' },
};

/** What arrives at a trigger. */
const DELIVERIES: Arrival[] = [
	{ payload: { event: 'new-agent-message', message: created } },
	{ payload: { event: 'new-agent-message', message: failed } },
	{ payload: { event: 'customer-created', data: { id: 5 } } },
	{ payload: { event: 'new-agent-message', message: created } },
];

beforeAll(async () => void (await arrive()));
afterEach(() => jest.restoreAllMocks());

let triggers = 0;

/** What a trigger does with all of them. */
async function outcomesOf(parameters: INodeParameters) {
	const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 0, 1));
	const workflowId = `described ${++triggers}`;
	const outcomes = [];
	for (const arrival of DELIVERIES) {
		const staticData: IDataObject = {};
		const all = { authentication: 'none', ...parameters };
		const { status, items, error } = await arrive({ ...arrival, workflowId, staticData, parameters: all });
		outcomes.push({ status, items, error, written: JSON.stringify(staticData) });
	}
	clock.mockRestore();
	return outcomes;
}

const all = choicesOf(triggerProperties, GIVEN, FILE);

it.each(all.map((one) => [one.label, one] as const))(
	'each value of "%s" does something of its own',
	async (_, choices) => expect(await withoutEffect(choices, outcomesOf, FILE)).toEqual([]),
);

it('no two parameters of a collection, and no two choices of a list, share a description', () => {
	expect(sharedDescriptions(triggerProperties)).toEqual([]);
});
