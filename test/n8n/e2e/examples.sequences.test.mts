import { createHmac, randomBytes } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { type Sandbox, startSandbox } from '../../../sandbox/server.mts';
import { http, send } from '../../http.mts';
import { errorOf, type Execution } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import { nodeNamed, type WorkflowDefinition } from '../workflow.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import {
	appointmentConfirmation,
	failedMessageFallback,
	groupCampaign,
	MANUAL_START,
	mcpServer,
	optOutLink,
	readExample,
} from './examples.mts';
import {
	HEADER,
	jsonOf,
	RecipeRuns,
	recipesInThisFile,
	withoutSamples,
	withParameters,
} from './recipeRuns.mts';
import { credentialOf, type TenantAndN8n } from './tenantAndN8n.mts';

let both: TenantAndN8n;
let runs: RecipeRuns;

recipesInThisFile((started) => ({ both, runs } = started));

beforeEach(async () => await both.sandbox.reset());

const TEMPLATE = /\/send-template$/;

const MIRA = '491700000001';
const JONAS = '491700000002';

/** Has all three people of a tenant in the group. The first and the last one have agreed to marketing messages. */
async function fillGroup(sandbox: Sandbox): Promise<void> {
	const tenant = asAdmin(sandbox);
	for (const profile of [103, 104])
		await tenant.post(`/profiles/${profile}/groups`, { groups: [{ id: 61 }] });
	await tenant.post('/profiles/104/marketing-opt-in', { opt_in: true });
}

/** A web page as a person sees it. */
async function page(url: string, method: 'GET' | 'POST' = 'GET') {
	const { status, headers, data } = await http.request<string>({ url, method });
	expect(headers['content-type']).toBe('text/html; charset=utf-8');
	const [, title] = /<h1>(.*)<\/h1>/.exec(data) ?? [];
	return { status, title, html: data };
}

/** Where the only button of a page sends its form, and how. */
function buttonOf({ html }: { html: string }): { url: string; method: string } {
	const [, method, url] = /<form method="(\w+)" action="([^"]+)">\s*<button/.exec(html) ?? [];
	return { url: url.replaceAll('&amp;', '&'), method };
}

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** A campaign that waits for its hours while other tests run, in a tenant of its own. */
let kept: { sandbox: Sandbox; runs: RecipeRuns; execution: string; begin: DateTime };

afterAll(async () => await kept?.sandbox.close());

const results = (execution: Execution) => jsonOf(execution, 'Tell What Was Sent');

describe('campaign within hours', () => {
	const campaign = readExample('campaign-within-hours');

	/** The recipe with other hours. */
	async function create(inTenant: RecipeRuns, hours: IDataObject) {
		const { options } = nodeNamed(campaign, 'Send to Each').parameters as {
			options: IDataObject;
		};
		const changed = {
			...options,
			sendingHours: { values: { days: EVERY_DAY, timeZone: 'UTC', ...hours } },
		};
		const { id } = await inTenant.create(withParameters(campaign, { 'Send to Each': { options: changed } }));
		return id;
	}

	it('waits for the hours, also over a restart', async () => {
		const sandbox = await startSandbox({ choices: { profileTags: 'hidden' } });
		await fillGroup(sandbox);
		const own = new RecipeRuns({ ...both, sandbox, credential: await credentialOf(both.rest, sandbox) });
		const begin = DateTime.utc().plus({ seconds: 75 }).startOf('minute').plus({ minutes: 1 });
		const id = await create(own, {
			from: begin.toFormat('HH:mm'),
			to: begin.plus({ hours: 12 }).toFormat('HH:mm'),
		});
		const execution = await both.rest.run(id, MANUAL_START);
		kept = { sandbox, runs: own, execution, begin };
		await own.waits(execution);
		expect(jsonOf(await both.rest.execution(execution), 'Send to Each')).toEqual(
			[
				{ customer_id: 101, name: 'Mira Example', phone_number: '491700000001' },
				{ customer_id: 102, name: 'Jonas Sample', phone_number: '491700000002' },
				{ customer_id: 103, name: 'Test Tester', phone_number: '447700900003' },
			].map((person) => ({
				...{ ...person, template: 'welcome', language: 'en_US', result: 'skipped' },
				reason: expect.stringMatching(/^It is \w{3} \d\d:\d\d in UTC: outside the sending hours$/),
				send_after: begin.toISO({ suppressMilliseconds: true }),
			})),
		);
		expect(own.sent('POST', TEMPLATE)).toEqual([]);
		// On a slow machine, the hours begin before n8n is there again.
		await both.restartN8n(() => expect(own.sent('POST', TEMPLATE)).toEqual([]));
	});

	it('within the hours, sends at once to everybody who has consented, and not again', async () => {
		await fillGroup(both.sandbox);
		const id = await create(runs, { from: '00:00', to: '24:00' });
		const finished = await both.rest.runToEnd(id, MANUAL_START);
		expect(results(finished).map(({ result }) => result)).toEqual(['sent', 'skipped', 'sent']);
		expect(runs.sent('POST', TEMPLATE)).toHaveLength(2);
		await both.rest.runToEnd(id, MANUAL_START);
		expect(runs.sent('POST', TEMPLATE)).toHaveLength(2);
	});
});

describe('opt-out link', () => {
	const consents = () => runs.sent('POST', /\/marketing-opt-in$/);
	const isOptedIn = async (displayId: string) => (await runs.profileOf(displayId)).marketing_opt_in === 1;

	it('accepts no link before somebody has set a secret, and makes none without the sample', async () => {
		const withoutSample = await runs.create(withoutSamples(optOutLink));
		const run = await both.rest.runToEnd(withoutSample.id, MANUAL_START).catch((error: Error) => error);
		expect((run instanceof Error ? run : errorOf(run))?.message).toMatch(/has issues/);
		expect(both.sandbox.requests()).toEqual([]);

		const created = await runs.create(optOutLink);
		await both.rest.publish(created).catch(() => undefined);
		const signatures = [
			createHmac('sha256', '').update('opt-out:102').digest('hex'),
			String(optOutLink.pinData?.['Sign the Profile'][0].json.signature_of_profile),
		];
		for (const signature of signatures) {
			const link = `${both.n8n.url}/webhook/opt-out?profile=102&signature=${signature}`;
			const { status } = await http.post<unknown>(link);
			expect(status).toBe(404);
		}
		expect(both.sandbox.requests()).toEqual([]);
		await both.rest.unpublish(created.id);
	});

	describe('with a secret', () => {
		let id: string;
		let link: URL;

		beforeAll(async () => {
			const secret = { secret: randomBytes(32).toString('hex') };
			id = await runs.publish(
				withParameters(withoutSamples(optOutLink), {
					'Sign the Profile': secret,
					'Check the Signature': secret,
				}),
			);
		});

		beforeEach(async () => {
			await both.rest.runToEnd(id, MANUAL_START);
			const [{ text }] = runs.sent('POST', /\/messages$/) as Array<{ text: { content: string } }>;
			link = new URL(text.content.split('No more offers? ')[1]);
			expect(link.origin).toBe(both.n8n.url);
		});

		it('shows a page first, and withdraws the consent when the button is pressed', async () => {
			expect(await isOptedIn(MIRA)).toBe(true);
			const asked = await page(link.href);
			expect(asked).toMatchObject({ status: 200, title: 'No more offers?' });
			expect(consents()).toEqual([]);

			const button = buttonOf(asked);
			expect(button.method).toBe('post');
			const done = await page(button.url, 'POST');
			expect(done).toMatchObject({ status: 200, title: 'No more offers' });
			expect(consents()).toEqual([{ opt_in: false }]);
			expect(await isOptedIn(MIRA)).toBe(false);
		});

		it.each([
			['the profile of somebody else', (url: URL) => url.searchParams.set('profile', '103')],
			['no signature', (url: URL) => url.searchParams.delete('signature')],
			['an empty signature', (url: URL) => url.searchParams.set('signature', '')],
			['another signature', (url: URL) => url.searchParams.set('signature', '0'.repeat(64))],
			['nothing', (url: URL) => void (url.search = '')],
		])('refuses a link with %s, opened or pressed', async (_name, change) => {
			change(link);
			for (const method of ['GET', 'POST'] as const) {
				const answer = await page(link.href, method);
				expect(answer).toMatchObject({ status: 403, title: 'This link is not valid' });
			}
			expect(consents()).toEqual([]);
			expect(await isOptedIn(MIRA)).toBe(true);
		});

		it('says so when the tenant cannot withdraw it', async () => {
			await asAdmin(both.sandbox).delete(`/customers/${runs.customerOf(MIRA)?.id}`);
			expect(await page(link.href, 'POST')).toMatchObject({ status: 502, title: 'That did not work' });
		});
	});
});

describe('MCP server with four tools', () => {
	const TOKEN = 'a-token-of-the-tests';
	const url = () => new URL(`${both.n8n.url}/mcp/customer-messaging`);
	let id: string;
	let client: Client;

	const transports = {
		'Streamable HTTP': (requestInit: RequestInit) =>
			new StreamableHTTPClientTransport(url(), { requestInit }),
		SSE: (requestInit: RequestInit) => new SSEClientTransport(url(), { requestInit }),
	};

	/** Calls a tool, and gives what the model is told. */
	async function call(name: string, values: IDataObject) {
		const { content, isError = false } = await client.callTool({ name, arguments: values });
		const [{ text }] = content as Array<{ text: string }>;
		return { isError, text };
	}

	beforeAll(async () => {
		id = await runs.publish(mcpServer, { httpBearerAuth: { token: TOKEN } });
	});

	afterAll(async () => await both.rest.unpublish(id));

	it('lets in nobody without the token', async () => {
		const stranger = new Client({ name: 'stranger', version: '1.0.0' });
		await expect(stranger.connect(transports['Streamable HTTP']({}))).rejects.toThrow(
			/403|401|Authorization/,
		);
	});

	describe.each(Object.entries(transports))('to a client over %s', (_name, transport) => {
		beforeEach(async () => {
			client = new Client({ name: 'client-of-the-tests', version: '1.0.0' });
			await client.connect(transport({ headers: { authorization: `Bearer ${TOKEN}` } }));
		});

		afterEach(async () => await client.close());

		it('tells the model to show the message before it sends, and to send it once', () => {
			expect(client.getInstructions()).toMatch(/wait for a yes\. Never send it twice/);
		});

		it('offers the four tools, each parameter with a description', async () => {
			const { tools } = await client.listTools();
			const parameters = Object.fromEntries(
				tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
			);
			expect(parameters).toEqual({
				Find_Profiles: ['search'],
				Read_Marketing_Consent: ['profile_id'],
				Add_a_Tag: ['profile_id', 'tag'],
				Send_the_Welcome: ['customer_id', 'first_name'],
			});
			for (const { description, inputSchema } of tools) {
				expect(description?.length).toBeGreaterThan(80);
				for (const property of Object.values(inputSchema.properties ?? {})) {
					expect(property).toMatchObject({ description: expect.stringMatching(/.{20}/) });
				}
			}
		});

		it('finds a person, reads the consent, adds a tag and sends the template', async () => {
			const found = await call('Find_Profiles', { search: 'Mira' });
			const [mira] = JSON.parse(found.text) as Array<{ id: number; customer_id: number }>;
			expect(mira).toMatchObject({ id: 102, customer_id: 101, name: 'Mira Example' });

			const consent = await call('Read_Marketing_Consent', { profile_id: mira.id });
			expect(JSON.parse(consent.text)).toMatchObject([{ id: mira.id, is_opted_in: true }]);

			await call('Add_a_Tag', { profile_id: mira.id, tag: 'Speaks Danish' });
			expect(runs.sent('POST', /\/profiles\/102\/tags$/)).toEqual([
				{
					tags: [
						{ id: 42, title: null },
						{ id: 41, title: null },
						{ id: null, title: 'Speaks Danish' },
					],
				},
			]);
			expect(await runs.tagsOf(MIRA)).toEqual(['Newsletter', 'Speaks Danish', 'VIP']);

			const values = { customer_id: mira.customer_id, first_name: 'Mira' };
			const sent = await call('Send_the_Welcome', values);
			expect(JSON.parse(sent.text)).toMatchObject([{ status: 'created' }]);
			expect(runs.sent('POST', TEMPLATE)).toEqual([
				{
					customer_id: 101,
					agent_id: 11,
					template_name: 'welcome',
					template_language: 'en_US',
					template_components: [
						{ type: 'header', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Mira' }] },
						{
							type: 'body',
							parameters: [
								{ type: 'text', parameter_name: 'first_name', text: 'Mira' },
								{ type: 'text', parameter_name: 'shop_name', text: 'Sunset Parcels' },
							],
						},
						{
							type: 'button',
							sub_type: 'copy_code',
							index: '0',
							parameters: [{ type: 'coupon_code', coupon_code: 'WELCOME10' }],
						},
					],
				},
			]);
		});

		it('sends nothing to a person without consent, whatever the model wants', async () => {
			const { id: customer } = runs.customerOf(JONAS) ?? {};
			const refused = await call('Send_the_Welcome', {
				customer_id: Number(customer),
				first_name: 'Jonas',
			});
			expect(refused).toMatchObject({
				isError: true,
				text: expect.stringContaining('The recipient has not opted in to marketing messages'),
			});
			expect(runs.sent('POST', TEMPLATE)).toEqual([]);
		});
	});
});

/** The options of a question that waits no longer than this. Without a limit, those of the example. */
function withLimit(example: WorkflowDefinition, node: string, limit?: IDataObject): IDataObject {
	const options = nodeNamed(example, node).parameters.options as IDataObject;
	return { options: limit ? { ...options, limitWaitTime: { values: limit } } : options };
}

const SOON = {
	limitType: 'atSpecifiedTime',
	maxDateAndTime: '={{ $now.plus({ seconds: 10 }).toISO() }}',
};

describe('campaign to a group', () => {
	const templates = () => runs.sent('POST', TEMPLATE);
	/** Several requests are in flight at once. */
	const sentTo = () =>
		templates()
			.map(({ customer_id }) => customer_id)
			.sort();

	beforeEach(async () => await fillGroup(both.sandbox));

	const create = async (limit?: IDataObject) =>
		await runs.create(
			withParameters(groupCampaign, {
				'Ask a Colleague': withLimit(groupCampaign, 'Ask a Colleague', limit),
			}),
		);

	/** Runs the workflow until the colleague is asked. Gives the words and the links of the question. */
	async function ask({ id }: { id: string }) {
		const execution = await both.rest.run(id, MANUAL_START);
		await runs.waits(execution);
		const { text } = runs.sent('POST', /\/conversations\/2001\/messages$/).at(-1) as {
			text: { content: string };
		};
		const [, words, approve, decline] =
			/^(.*)\n\nSend it: (\S+)\nDo not send: (\S+)$/s.exec(text.content) ?? [];
		return { execution, words, approve, decline };
	}

	const answer = async (link: string, given: 'approve' | 'decline') =>
		await send(link, { method: 'POST', body: new URLSearchParams({ answer: given }) });

	it('asks with the message and the totals, sends after the approval, and reaches nobody twice', async () => {
		const workflow = await create();
		const first = await ask(workflow);
		expect(first.words).toBe(
			[
				'Shall we send the campaign "Welcome, spring 2027"?',
				'',
				'The first message:',
				'Welcome, Mira',
				'',
				'Hi Mira, thank you for joining Sunset Parcels. Here is a little something for your first order.',
				'',
				'[Copy code] SPRING10',
				'',
				'People in the group: 3',
				'Without consent, so they get nothing: 1',
				'Not ready, so they get nothing: 0',
			].join('\n'),
		);
		// Programs open links for previews.
		for (const link of [first.approve, first.decline]) expect((await send(link)).status).toBe(200);
		expect(sentTo()).toEqual([]);

		expect((await answer(first.approve, 'approve')).status).toBe(200);
		const approved = await both.rest.finished(first.execution);
		expect(jsonOf(approved, 'Count What Was Sent')).toEqual([
			{ campaign: 'Welcome, spring 2027', sent: 2, skipped: 1, failed: 0 },
		]);
		expect(sentTo()).toEqual([101, 103]);
		expect(templates().find(({ customer_id }) => customer_id === 103)).toMatchObject({
			template_name: 'welcome',
			template_components: [
				{ type: 'header', parameters: [{ parameter_name: 'first_name', text: 'Test' }] },
				{ type: 'body', parameters: [{ text: 'Test' }, { text: 'Sunset Parcels' }] },
				{ type: 'button', parameters: [{ coupon_code: 'SPRING10' }] },
			],
		});

		const second = await ask(workflow);
		await answer(second.approve, 'approve');
		const again = await both.rest.finished(second.execution);
		expect(jsonOf(again, 'Count What Was Sent')).toMatchObject([{ sent: 0, skipped: 3, failed: 0 }]);
		expect(sentTo()).toEqual([101, 103]);
	});

	it('sends nothing when the colleague declines', async () => {
		const { execution, decline } = await ask(await create());
		await answer(decline, 'decline');
		const declined = await both.rest.finished(execution);
		expect(jsonOf(declined, 'Nothing Was Sent')).toMatchObject([{ sent: 0, reason: 'A colleague declined' }]);
		expect(jsonOf(declined, 'Count What Was Sent')).toEqual([]);
		expect(sentTo()).toEqual([]);
	});

	it('sends nothing when nobody answers in time', async () => {
		const { execution } = await ask(await create(SOON));
		const late = await both.rest.finished(execution);
		expect(jsonOf(late, 'Nothing Was Sent')).toMatchObject([
			{ sent: 0, reason: 'Nobody answered within the time' },
		]);
		expect(sentTo()).toEqual([]);
	});
});

describe('appointment confirmation', () => {
	/** The text that a customer got last, and the address of its only button. */
	function messageTo(displayId: string) {
		const { conversations } = both.sandbox.store;
		const conversation = conversations.ofCustomer(runs.customerOf(displayId)?.id ?? 0);
		const [{ contents }] = conversations.messages(conversation?.id ?? 0).slice(-1);
		const [{ template: filled }] = contents as unknown as Array<{
			template: { body: { text: string }; buttons: Array<{ url: string }> };
		}>;
		return { text: filled.body.text, url: filled.buttons[0].url };
	}

	const byHand = async (id: string) => [await both.rest.runToEnd(id, MANUAL_START)];

	const everyAfternoon = async (id: string) => [
		await both.rest.runStep(id, 'Create the Template'),
		await both.rest.runToEnd(id, 'Every Afternoon'),
	];

	/** Runs the workflow until both customers have been asked. Gives the executions that wait. */
	async function ask(start: (id: string) => Promise<Execution[]>, limit?: IDataObject) {
		const example = withParameters(appointmentConfirmation, {
			'Ask the Customer': withLimit(appointmentConfirmation, 'Ask the Customer', limit),
		});
		const nodes = example.nodes.map((node) => ({ ...node, disabled: false }));
		const id = await runs.publish({ ...example, nodes });
		const started = await start(id);
		expect(started.map(errorOf)).toEqual(started.map(() => undefined));
		const known = new Set(started.map((execution) => execution.id));
		const asking = await waitFor('two questions', async () => {
			const others = (await both.rest.executionIdsOf(id)).filter((one) => !known.has(one));
			return others.length === 2 ? others : undefined;
		});
		for (const execution of asking) await runs.waits(execution);
		return asking;
	}

	/** Presses a button of a page as a browser does. */
	const press = async (url: string, answer: 'approve' | 'decline') =>
		await send(url, { method: 'POST', body: new URLSearchParams({ answer }) });

	const noted = async (displayId: string) => (await runs.profileOf(displayId)).custom_2;

	it('asks each customer on their own, and notes the answers in the profiles', async () => {
		const asking = await ask(byHand);
		const [mira, jonas] = [MIRA, JONAS].map(messageTo);
		const [, day] = /is on (.+) at 9:30\. Will you come\?$/.exec(mira.text) ?? [];
		expect(mira.text).toBe(
			`Hello Mira Example, your appointment with us is on ${day} at 9:30. Will you come?`,
		);
		expect(jonas.text).toContain(`is on ${day} at 10:00`);
		for (const { url } of [mira, jonas]) {
			const opened = await send(url);
			expect(opened).toMatchObject({ status: 200, body: expect.stringContaining('Will you come?') });
		}
		expect([await noted(MIRA), await noted(JONAS)]).toEqual([null, null]);

		// The second one does not wait for the first one.
		expect((await press(jonas.url, 'decline')).status).toBe(200);
		await both.rest.finished(asking[1]);
		expect(await noted(JONAS)).toBe(`${day}, 10:00: wants another day`);
		expect(await runs.tagsOf(JONAS)).toContain('Call about appointment');
		expect(await noted(MIRA)).toBeNull();

		const thanks = await press(mira.url, 'approve');
		expect(thanks).toMatchObject({ status: 200, body: expect.stringContaining('Thank you. See you soon!') });
		await both.rest.finished(asking[0]);
		expect(await noted(MIRA)).toBe(`${day}, 9:30: confirmed`);
		expect(await runs.tagsOf(MIRA)).not.toContain('Call about appointment');
		expect(runs.sent('POST', /send-template$/)).toHaveLength(2);
	});

	it('notes that nobody answered when the time is over', async () => {
		const asking = await ask(everyAfternoon, SOON);
		for (const execution of asking) await both.rest.finished(execution);
		expect(await noted(MIRA)).toMatch(/, 9:30: no answer$/);
		expect(await noted(JONAS)).toMatch(/, 10:00: no answer$/);
	});
});

describe('failed message falls back to a template', () => {
	const text = { conversation: 2001, phone: '+49 170 0000001', text: 'Your parcel is at the shop' };

	/** Publishes the workflow, calls it with the text, and gives the execution. */
	async function run(changes: Parameters<typeof withParameters>[1] = {}) {
		const changed = withParameters(failedMessageFallback, changes);
		const id = await runs.publish(changed, { httpHeaderAuth: HEADER });
		try {
			expect((await runs.callWebhook('shop-text', text, {})).status).toBe(403);
			expect((await runs.callWebhook('shop-text', text)).status).toBe(200);
			return await runs.succeeded(id);
		} finally {
			await both.rest.unpublish(id);
		}
	}

	/** Lets the session of the conversation end. */
	const expire = () => both.sandbox.store.clock.advance(1000 * 60 * 60 * 1000);

	const texts = () => runs.sent('POST', /\/conversations\/2001\/messages$/);
	const templates = () => runs.sent('POST', TEMPLATE);

	it('sends only the text while the conversation is open', async () => {
		const execution = await run();
		expect(texts()).toEqual([{ type: 'text', text: { content: text.text } }]);
		expect(templates()).toEqual([]);
		expect(jsonOf(execution, 'Tell What Was Sent')).toMatchObject([{ sent_as: 'text', reason: '' }]);
		expect(jsonOf(execution, 'Tag for a Call')).toEqual([]);
	});

	it('sends the template, once, when the text was not delivered', async () => {
		expire();
		const execution = await run();
		expect(texts()).toHaveLength(1);
		expect(templates()).toEqual([
			{
				template_name: 'opening_hours',
				template_language: 'en_US',
				template_components: [],
				phone_number: 491700000001,
				agent_id: 11,
			},
		]);
		const [, failed] = both.sandbox.store.conversations.messages(2001).slice(-3);
		const [told] = jsonOf(execution, 'Tell What Was Sent');
		expect(told).toMatchObject({ sent_as: 'template', reason: failed.latest_error?.user_friendly_message });
		expect(jsonOf(execution, 'Tag for a Call')).toEqual([]);
	});

	it('tags the profile when the template cannot be sent either', async () => {
		expire();
		const templateName = { __rl: true, mode: 'id', value: 'unknown_template' };
		const execution = await run({ 'Send the Template': { templateName } });
		expect(texts()).toHaveLength(1);
		expect(templates()).toHaveLength(1);
		expect(jsonOf(execution, 'Tell What Was Sent')).toEqual([]);
		expect(await runs.tagsOf(MIRA)).toContain('Could not be reached');
	});

	it('sends no template when it is unclear whether the text was sent', async () => {
		both.sandbox.faults.add({ kind: 'drop-after', path: '/conversations/2001/messages', times: 1 });
		const execution = await run();
		expect(templates()).toEqual([]);
		expect(jsonOf(execution, 'Tell What Was Sent')).toEqual([]);
		expect(await runs.tagsOf(MIRA)).toContain('Could not be reached');
	});
});

describe('a campaign that waited for its hours', () => {
	it('is sent when they begin, to each person once', async () => {
		const { runs: own, execution, begin } = kept;
		const finished = await both.rest.finished(execution);
		expect(finished.status).toBe('success');
		expect(DateTime.utc() >= begin).toBe(true);
		const sent = own.sent('POST', TEMPLATE);
		expect(sent.map(({ customer_id }) => customer_id).sort()).toEqual([101, 103]);
		expect(sent.find(({ customer_id }) => customer_id === 103)).toMatchObject({
			template_name: 'welcome',
			template_components: [
				{ type: 'header', parameters: [{ parameter_name: 'first_name', text: 'Test' }] },
				{ type: 'body', parameters: [{ text: 'Test' }, { text: 'Sunset Parcels' }] },
				{ type: 'button', parameters: [{ coupon_code: 'SPRING10' }] },
			],
		});
		const done = { result: 'sent', reason: '' };
		expect(results(finished)).toEqual([
			{ customer_id: 101, ...done },
			{
				customer_id: 102,
				result: 'skipped',
				reason: 'The recipient has not opted in to marketing messages',
			},
			{ customer_id: 103, ...done },
		]);
	});
});
