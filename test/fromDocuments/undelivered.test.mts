import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { ProcessedData } from '../engine/processedData.mts';
import {
	answerWith,
	created,
	numbered,
	outcomes,
	refusal,
	reset,
	sendTemplate,
	sendText,
	writes,
} from './messages.mts';

const tenant = OddTenant.inEachTest();
ProcessedData.inEachTest();

const OVER = {
	id: 9,
	message_id: 41,
	type: 'session',
	original_message: 'Re-engagement message',
	user_friendly_message: 'The session is over',
	created_at: '2026-03-01T12:00:00Z',
};

const undelivered = created({ id: 41, latest_error: OVER });

const fallback = {
	template: { name: 'order_shipped', language: 'en_US', components: '[]', phoneNumber: '+49 171 0000001' },
};

const set = (ifUndelivered: string, options: INodeParameters = {}): INodeParameters => ({
	...sendText,
	options: {
		...options,
		ifUndelivered,
		...(ifUndelivered === 'sendTemplate' && { fallbackTemplate: fallback }),
	},
});

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

const going: Partial<NodeRunOptions> = { onError: 'continueRegularOutput' };
const retrying: Partial<NodeRunOptions> = {
	settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
};

/** The requests that sent something, as the tails of their paths. */
const sendings = () => writes(tenant).map((asked) => asked.split('/').at(-1));

const bothRefuse = (answer: object) => answerWith(tenant, { send: answer, sendTemplate: answer });

describe.each([
	['Send', sendText],
	['Send Template', sendTemplate],
])('%s', (_operation, parameters) => {
	const with_ = (ifUndelivered: string) => ({ ...parameters, options: { ifUndelivered } });

	it('with Continue gives the message with its error', async () => {
		bothRefuse(undelivered);
		const { items, error } = await run(with_('continue'));
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ id: 41, latest_error: OVER });
	});

	it('with Fail fails with the reason for users, and what to do', async () => {
		bothRefuse(undelivered);
		const { error, items } = await run(with_('error'));
		expect(items).toEqual([]);
		expect(`${error?.message}\n${error?.description}`).toContain('The session is over');
		expect(error?.description?.length).toBeGreaterThan(20);
	});

	it('with Fail and On Error: Continue tells the ID and the error in the details', async () => {
		bothRefuse(undelivered);
		const { items } = await run(with_('error'), going);
		expect(items[0].json.details).toMatchObject({ undelivered: { latest_error: OVER } });
		expect(JSON.stringify(items[0].json.details)).toContain('41');
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('with Fail and Retry On Fail sends once and fails with the same error', async () => {
		bothRefuse(undelivered);
		const { error } = await run(with_('error'), retrying);
		expect(`${error?.message}\n${error?.description}`).toContain('The session is over');
		expect(sendings()).toHaveLength(1);
	});

	it.each(['Error', 'failed!', 'undefined', '', '={{ null }}', '={{ $json.nowhere }}'])(
		'with %j for If Undelivered never ends in a silent success of another kind',
		async (ifUndelivered) => {
			bothRefuse(undelivered);
			const result = await run(with_(ifUndelivered), going).catch(() => undefined);
			const [json] = result?.items ?? [];
			if (json && !json.error && !json.json.error) expect(json.json).toHaveProperty('latest_error');
		},
	);
});

describe('A message counts as undelivered', () => {
	it.each<[string, IDataObject]>([
		['with an error', { latest_error: OVER }],
		['with an error that has no words', { latest_error: { id: 9 } }],
		['with an error that is a text', { latest_error: 'Session over' }],
		['with a list of errors', { latest_error: [OVER] }],
		['with null for the words', { latest_error: { ...OVER, user_friendly_message: null } }],
		['with words that are no text', { latest_error: { ...OVER, user_friendly_message: { de: 'Vorbei' } } }],
		['with the status failed', { status: 'failed' }],
		['with the status failed and no error', { status: 'failed', latest_error: null }],
		['with an error, whatever its status', { status: 'sent', latest_error: OVER }],
	])('%s', async (_name, change) => {
		answerWith(tenant, { send: created(change) });
		const [outcome] = outcomes(await run(set('error'), going));
		expect(outcome).toEqual(expect.stringMatching(/\w{4}/));
		expect(outcome).not.toMatch(/undefined|null|\[object|NaN/);
	});

	it.each<[string, IDataObject]>([
		['null', { latest_error: null }],
		['left out', {}],
		['an empty list, as PHP writes an empty object', { latest_error: [] }],
		['an empty record', { latest_error: {} }],
		['an empty text', { latest_error: '' }],
		['false', { latest_error: false }],
	])('not with an error that is %s', async (_name, change) => {
		answerWith(tenant, { send: created(change) });
		const { error, items } = await run(set('error'));
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ conversation_id: 3 });
	});

	it.each<[string, unknown]>([
		['a message under data', undelivered],
		['a bare message', undelivered.data],
	])('read from %s', async (_name, answer) => {
		answerWith(tenant, { send: answer as object });
		const [outcome] = outcomes(await run(set('error'), going));
		expect(outcome).toEqual(expect.stringContaining('The session is over'));
	});

	it('with the words cut, where they are endless, and no HTML or line breaks of a page', async () => {
		const long = { ...OVER, user_friendly_message: `Over ${'x'.repeat(1_000_000)}` };
		answerWith(tenant, { send: created({ latest_error: long }) });
		const { error } = await run(set('error'));
		expect(error?.message).toContain('Over');
		expect(error?.message.length).toBeLessThan(10_000);
	});

	it.each(['message', 'description', '__proto__', 'constructor'])(
		'also with a member named %s in the error',
		async (name) => {
			const odd = JSON.parse(
				`{"user_friendly_message":"The session is over","${name}":{"polluted":1}}`,
			) as object;
			answerWith(tenant, { send: created({ latest_error: odd as IDataObject }) });
			const [outcome] = outcomes(await run(set('error'), going));
			expect(outcome).toEqual(expect.stringContaining('The session is over'));
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);
});

describe('The words of the service', () => {
	it.each([
		['user_friendly_message', 'error'],
		['original_message', 'error'],
		['type', 'error'],
		['user_friendly_message', 'sendTemplate'],
		['user_friendly_message', 'continue'],
	])('do not tell the token in %s, with %s', async (member, ifUndelivered) => {
		const secret = String(tenant.credentials.accessToken);
		const error = { ...OVER, [member]: `Bearer ${secret} was not accepted` };
		answerWith(tenant, {
			send: created({ latest_error: error }),
			sendTemplate: refusal(422, `Token ${secret}`),
		});
		const result = await run(set(ifUndelivered), going);
		// The item of Continue is the answer as the service gave it.
		if (ifUndelivered !== 'continue') expect(leaksOfRun(result, secret)).toEqual([]);
		expect(result.items).toHaveLength(1);
	});
});

describe('Send Template instead', () => {
	const instead = (): INodeParameters => set('sendTemplate');

	it('sends the template once, and tells what it stands for', async () => {
		answerWith(tenant, { send: undelivered, sendTemplate: created({ id: 77 }) });
		const { items, error } = await run(instead());
		expect(error).toBeUndefined();
		expect(sendings()).toEqual(['messages', 'send-template']);
		expect(items[0].json).toMatchObject({ id: 77, instead_of: { id: 41, latest_error: OVER } });
		expect(items[0].pairedItem).toEqual({ item: 0 });
	});

	it('does nothing where the message is delivered', async () => {
		answerWith(tenant);
		await run(instead());
		expect(sendings()).toEqual(['messages']);
	});

	it.each<[string, object]>([
		['refused', refusal(422, 'No such template')],
		[
			'not delivered either',
			created({ latest_error: { ...OVER, user_friendly_message: 'No such template' } }),
		],
	])('that is %s fails, and tells both reasons', async (_name, answer) => {
		answerWith(tenant, { send: undelivered, sendTemplate: answer });
		const { error } = await run(instead());
		const told = `${error?.message}\n${error?.description}`;
		expect(told).toContain('The session is over');
		expect(told).toContain('No such template');
	});

	it.each<[string, object]>([
		['breaks off', reset],
		['ends in an internal error', refusal(500)],
		['is not delivered either', undelivered],
	])('that %s is not sent again by Retry On Fail', async (_name, answer) => {
		answerWith(tenant, { send: undelivered, sendTemplate: answer });
		const { error } = await run(instead(), retrying);
		expect(error).toBeDefined();
		expect(sendings()).toEqual(['messages', 'send-template']);
	});

	it('that is refused is sent again by Retry On Fail, and the first message is not', async () => {
		let calls = 0;
		answerWith(tenant, {
			send: undelivered,
			sendTemplate: async (request: FastifyRequest, reply: FastifyReply) =>
				++calls === 1 ? await refusal(422)(request, reply) : created({ id: 77 }),
		});
		const { items, error } = await run(instead(), retrying);
		expect(error).toBeUndefined();
		expect(items[0].json).toMatchObject({ id: 77, instead_of: { id: 41 } });
		expect(sendings()).toEqual(['messages', 'send-template', 'send-template']);
	});

	it('of Send Template goes to the same recipient and agent', async () => {
		const bodies: IDataObject[] = [];
		answerWith(tenant, {
			sendTemplate: (request: FastifyRequest) => {
				bodies.push(request.body as IDataObject);
				return bodies.length === 1 ? undelivered : created({ id: 77 });
			},
		});
		const { items } = await run({
			...sendTemplate,
			options: {
				ifUndelivered: 'sendTemplate',
				fromAutomation: true,
				fallbackTemplate: { template: { name: 'other', language: 'de', components: '[]' } },
			},
		});
		expect(items[0].json).toMatchObject({ id: 77 });
		expect(bodies).toHaveLength(2);
		expect(bodies[1]).toMatchObject({
			phone_number: bodies[0].phone_number as number,
			agent_id: bodies[0].agent_id as number,
			from_automation: true,
			template_name: 'other',
			template_language: 'de',
			template_components: [],
		});
	});

	it.each<[string, INodeParameters]>([
		['no template', {}],
		['a template without a name', { template: { ...fallback.template, name: '' } }],
		['a template without a language', { template: { ...fallback.template, language: '' } }],
		['neither phone number nor customer', { template: { ...fallback.template, phoneNumber: '' } }],
		['a phone number without a country code', { template: { ...fallback.template, phoneNumber: '0171 1' } }],
		['components that are no JSON', { template: { ...fallback.template, components: '[{' } }],
		['components that are no list', { template: { ...fallback.template, components: '{}' } }],
		['a customer that is none', { template: { ...fallback.template, customerId: 'x' } }],
	])('with %s fails before anything is sent', async (_name, fallbackTemplate) => {
		answerWith(tenant, { send: undelivered });
		const { items } = await run(
			{ ...sendText, options: { ifUndelivered: 'sendTemplate', fallbackTemplate } },
			going,
		).catch(() => ({ items: [] }));
		for (const { json, error } of items) expect(error ?? json.error).toBeDefined();
		expect(sendings()).toEqual([]);
	});

	it('in a batch touches only the items that need it', async () => {
		answerWith(tenant, {
			send: (request: FastifyRequest) => {
				const { content } = (request.body as { text: { content: string } }).text;
				return Number(content) % 3 === 0 ? undelivered : created();
			},
			sendTemplate: () => created({ id: 77 }),
		});
		const { items } = await run(
			{ ...instead(), text: '={{ String($json.number) }}' },
			{ items: numbered(30) },
		);
		expect(items.map(({ json }) => 'instead_of' in json)).toEqual(
			numbered(30).map((_, index) => index % 3 === 0),
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(numbered(30).map((_, item) => ({ item })));
		expect(sendings()).toHaveLength(40);
	});

	it('does not start a loop that From Automation would start', async () => {
		answerWith(tenant, { send: undelivered });
		const { error } = await run(set('sendTemplate', { fromAutomation: true }), {
			sourceType: 'n8n-nodes-customer-messaging.customerMessagingTrigger',
		});
		expect(error).toBeDefined();
		expect(sendings()).toEqual([]);
	});

	it('uses the key once for both', async () => {
		answerWith(tenant, { send: undelivered, sendTemplate: () => created({ id: 77 }) });
		const parameters = set('sendTemplate', { sendOnceKey: 'a' });
		await run(parameters);
		const [second] = outcomes(await run(parameters));
		expect(second).toMatchObject({ skipped: true });
		expect(sendings()).toEqual(['messages', 'send-template']);
	});

	it('keeps the key where the template is refused, for the first message may yet be', async () => {
		answerWith(tenant, { send: undelivered, sendTemplate: refusal(422) });
		const parameters = set('sendTemplate', { sendOnceKey: 'a' });
		await run(parameters, going);
		const [second] = outcomes(await run(parameters, going));
		expect(second).toMatchObject({ skipped: true });
		expect(sendings()).toEqual(['messages', 'send-template']);
	});

	it("is the same through n8n's routing engine", async () => {
		answerWith(tenant, { send: undelivered, sendTemplate: created({ id: 77 }) });
		const { items } = await run(instead(), { byRoutingEngine: true });
		expect(items[0].json).toMatchObject({ id: 77, instead_of: { id: 41 } });
	});
});

it('A model reads of a tool that its message was not delivered', async () => {
	answerWith(tenant, { send: undelivered });
	const call = await agentTool({ credentials: tenant.credentials, parameters: set('continue') });
	expect(JSON.stringify(await call({}))).toContain('The session is over');
});

it('With raw output, Continue still counts what was not delivered', async () => {
	answerWith(tenant, { send: undelivered });
	const { run: stored } = await run({ ...set('continue'), simple: false }, { items: numbered(3) });
	const hints = JSON.stringify(stored.data.resultData.runData.Node[0].hints);
	expect(hints).toMatch(/3.*not delivered/);
});

it('Without the option, an undelivered message is told as with Continue', async () => {
	answerWith(tenant, { send: undelivered });
	const { items, run: stored } = await run(sendText);
	expect(items[0].json).toMatchObject({ latest_error: OVER });
	expect(JSON.stringify(stored.data.resultData.runData.Node[0].hints)).toMatch(/not delivered/);
});
