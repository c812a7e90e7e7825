import { randomUUID } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type Question, send, type TextAnswer } from '../../http.mts';
import { type Execution, errorOf, itemsOf } from '../rest.mts';
import { waitFor } from '../waitFor.mts';
import {
	agentOf,
	chain,
	modelOf,
	nodeOf,
	type PlannedModel,
	startPlannedModel,
	toolOf,
	withTools,
} from './agentWorkflows.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

let both: TenantAndN8n;
let conversationId: string;

tenantAndN8nInThisFile((started) => {
	both = started;
	conversationId = String(both.sandbox.store.conversations.search('Mira').records[0].id);
});

const FORM = {
	'content-type': 'application/x-www-form-urlencoded',
};

/** A workflow that waits for the answers to its questions, one after the other. */
class Waiting {
	private constructor(
		private readonly executionId: string,
		/** Links of the questions that were sent, for each question. */
		readonly links: string[][],
	) {}

	/** Runs a workflow that asks these questions, and waits until the first one is sent. */
	static async asking(...questions: INodeParameters[]): Promise<Waiting> {
		both.sandbox.clearRequests();
		const steps = questions.map((parameters, index) =>
			nodeOf(
				`Question ${index + 1}`,
				NODE_TYPE,
				1,
				{
					resource: 'message',
					operation: 'sendAndWait',
					sendAs: 'text',
					conversationId,
					message: 'May I?',
					responseType: 'approval',
					...parameters,
				},
				{ id: randomUUID(), credentials: { [CREDENTIAL_TYPE]: both.credential } },
			),
		);
		const { id } = await both.rest.createWorkflow(
			chain('Waiting', [nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1), ...steps]),
		);
		const waiting = new Waiting(await both.rest.run(id, 'Start'), []);
		await waiting.nextQuestion();
		return waiting;
	}

	/** Waits until one more question is sent, and gives its links. */
	async nextQuestion(): Promise<string[]> {
		const asked = this.links.length;
		return await waitFor('the next question', async () => {
			const { status } = await both.rest.execution(this.executionId);
			const texts = both.sandbox
				.requests()
				.filter(({ method }) => method === 'POST')
				.map(
					({ body }) => JSON.parse(Buffer.from(body, 'base64').toString()) as { text: { content: string } },
				);
			if (texts.length <= asked || status !== 'waiting') return undefined;
			this.links.push(texts[asked].text.content.match(/http:\S+/g) ?? []);
			return this.links[asked];
		});
	}

	get link(): string {
		return this.links[0][0];
	}

	async status(): Promise<string> {
		return (await both.rest.execution(this.executionId)).status;
	}

	async finished(): Promise<Execution> {
		return await both.rest.finished(this.executionId);
	}

	/** What the workflow got. */
	async data(question = 1): Promise<IDataObject> {
		const execution = await this.finished();
		expect(errorOf(execution)).toBeUndefined();
		const items = itemsOf(execution, `Question ${question}`);
		expect(items).toHaveLength(1);
		return items[0].json;
	}
}

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];

const plain = (text: string) =>
	text
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');

/** What a browser would send from the page: its hidden fields, and the button that is pressed. */
function formOf({ body }: TextAnswer, button = 0): URLSearchParams {
	const form = new URLSearchParams();
	const tags = body.match(/<(input|button)\b[^>]*>/g) ?? [];
	for (const tag of tags.filter((tag) => attribute(tag, 'type') === 'hidden'))
		form.append(plain(attribute(tag, 'name') ?? ''), plain(attribute(tag, 'value') ?? ''));
	const pressed = tags.filter((tag) => tag.startsWith('<button'))[button];
	const name = pressed && attribute(pressed, 'name');
	if (name) form.append(plain(name), plain(attribute(pressed, 'value') ?? ''));
	return form;
}

/** Opens the page and presses a button. */
async function answer(link: string, fields: Array<[string, string]> = [], button = 0): Promise<TextAnswer> {
	const page = await send(link);
	const form = formOf(page, button);
	for (const [name, value] of fields) form.append(name, value);
	if (!page.body.includes('multipart/form-data'))
		return await send(link, { method: 'POST', headers: FORM, body: String(form) });
	const parts = new FormData();
	for (const [name, value] of form) parts.append(name, value);
	return await send(link, { method: 'POST', body: parts });
}

/** n8n answers by itself once the execution has ended. */
const DECIDED = /decided|answered|already|No action required/i;

/** The text of a page as a person sees it. */
const seen = ({ body }: TextAnswer) =>
	plain(
		body
			.replace(/<(style|head|script)\b[\s\S]*?<\/\1>/g, '')
			.replace(/<[^>]*>/g, ' ')
			.replace(/\s+/g, ' '),
	);

describe('A link', () => {
	it('does not decide by being opened, in whatever way', async () => {
		const waiting = await Waiting.asking({});
		const agents = ['WhatsApp/2.23', 'facebookexternalhit/1.1', 'Mozilla/5.0', 'Slackbot-LinkExpanding 1.0'];
		for (const agent of agents) {
			const page = await send(waiting.link, { headers: { 'user-agent': agent } });
			expect([200, 204]).toContain(page.status);
		}
		for (const method of ['HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH']) await send(waiting.link, { method });
		for (const more of ['&approved=true', '&data=1', '&answer=approve&method=POST'])
			await send(`${waiting.link}${more}`);
		expect(await waiting.status()).toBe('waiting');
		expect((await answer(waiting.link)).status).toBe(200);
		expect(await waiting.data()).toMatchObject({ data: { approved: true } });
	});

	it('decides with its other button', async () => {
		const waiting = await Waiting.asking({});
		await answer(waiting.links[0][1]);
		expect(await waiting.data()).toMatchObject({ data: { approved: false } });
	});

	it.each([
		'',
		'answer=',
		'answer=perhaps',
		'answer=approve&answer=decline',
		'approve=1',
		'answer[]=approve',
	])('that is posted to with %j, and no button, does not decide', async (body) => {
		const waiting = await Waiting.asking({});
		const page = await send(waiting.link, { method: 'POST', headers: FORM, body });
		expect(page.status).toBeLessThan(500);
		expect(await waiting.status()).toBe('waiting');
	});

	it('changed in any of its parts is refused, and nothing is decided', async () => {
		const waiting = await Waiting.asking({});
		const [approve, decline] = waiting.links[0].map((link) => new URL(link));
		const changed = (change: (url: URL) => void) => {
			const url = new URL(approve);
			change(url);
			return url.href;
		};
		const tampered = [
			...[...approve.searchParams.keys()].flatMap((name) => [
				changed(({ searchParams }) => searchParams.delete(name)),
				changed(({ searchParams }) => searchParams.set(name, '')),
				changed(({ searchParams }) => searchParams.set(name, `${searchParams.get(name)}x`)),
				changed(({ searchParams }) => searchParams.set(name, String(searchParams.get(name)).slice(0, -1))),
				changed(({ searchParams }) => searchParams.set(name, 'decline')),
			]),
			changed(({ searchParams }) =>
				searchParams.set('signature', String(decline.searchParams.get('signature'))),
			),
			changed(({ searchParams }) =>
				searchParams.set('signature', String(searchParams.get('signature')).toUpperCase()),
			),
			changed((url) => (url.search = '')),
			changed((url) => (url.pathname = url.pathname.replace(/\/\d+\//, '/999999/'))),
			changed((url) => (url.pathname = `${url.pathname}x`)),
		].filter((link) => link !== approve.href);
		const statuses = [];
		for (const link of tampered) {
			for (const method of ['GET', 'POST']) {
				const { status, body } = await send(link, {
					method,
					...(method === 'POST' && { headers: FORM, body: 'choice=approve&approved=true' }),
				});
				statuses.push([method, link.slice(approve.origin.length), status]);
				expect(body).not.toContain('May I?');
			}
		}
		expect(statuses.filter(([, , status]) => status !== 401 && status !== 404)).toEqual([]);
		expect(await waiting.status()).toBe('waiting');
		await answer(waiting.link);
	});

	it('of the first question does not answer the second one', async () => {
		const waiting = await Waiting.asking({ message: 'First?' }, { message: 'Second?' });
		await answer(waiting.link);
		const [next] = await waiting.nextQuestion();
		for (const link of waiting.links[0]) {
			const page = await send(link);
			expect(seen(page)).not.toContain('Second?');
			await answer(link);
			await send(link, { method: 'POST', headers: FORM, body: 'choice=approve' });
		}
		expect(await waiting.status()).toBe('waiting');
		await answer(next);
		expect(await waiting.data(2)).toMatchObject({ data: { approved: true } });
	});

	it('that is used once says so, whatever is asked of it afterwards', async () => {
		const waiting = await Waiting.asking({});
		const [approve, decline] = waiting.links[0];
		const page = await send(approve);
		await answer(decline);
		const data = await waiting.data();
		const late = [
			await send(approve, { method: 'POST', headers: FORM, body: String(formOf(page)) }),
			await send(approve),
			await send(decline),
		];
		for (const answered of late) {
			expect(answered.status).toBeLessThan(500);
			expect(seen(answered)).toMatch(DECIDED);
		}
		expect(data).toMatchObject({ data: { approved: false } });
	});

	it('that is used by two at the same instant decides once', async () => {
		for (let time = 0; time < 3; time++) {
			const waiting = await Waiting.asking({});
			const pages = await Promise.all(waiting.links[0].map(async (link) => await send(link)));
			const answers = await Promise.all(
				Array.from({ length: 6 }, async (_, index) => {
					const link = waiting.links[0][index % 2];
					const body = String(formOf(pages[index % 2]));
					return await send(link, { method: 'POST', headers: FORM, body });
				}),
			);
			const { data } = await waiting.data();
			expect(typeof (data as IDataObject).approved).toBe('boolean');
			const runs = (await waiting.finished()).data.resultData.runData['Question 1'];
			expect(runs).toHaveLength(1);
			const thanked = answers.filter(({ status, body }) => status === 200 && /thank/i.test(body));
			expect(thanked).toHaveLength(1);
		}
	});

	it('that is pressed twice in a row says thanks or that it was decided, both times', async () => {
		const waiting = await Waiting.asking({});
		const body = String(formOf(await send(waiting.link)));
		const answers = await Promise.all(
			[1, 2].map(async () => await send(waiting.link, { method: 'POST', headers: FORM, body })),
		);
		for (const page of answers)
			expect({ status: page.status, text: seen(page) }).toEqual({
				status: expect.any(Number) as number,
				text: expect.stringMatching(/thank|decided|answered|already|No action required/i) as string,
			});
	});
});

describe('The page', () => {
	const EVIL = `<img src=x onerror="alert(1)"> & </title></textarea><script>x</script> "'`;

	it('shows the words as they are, loads nothing and tells no secret', async () => {
		const waiting = await Waiting.asking({
			message: `${EVIL}\nhttps://evil.example`,
			approvalOptions: {
				values: { approvalType: 'double', approveLabel: EVIL, disapproveLabel: `${EVIL}2` },
			},
			options: { responseFormTitle: EVIL, responseFormThanks: EVIL, responseFormLanguage: `de" onload="x` },
		});
		const pages = [await send(waiting.link), await answer(waiting.link), await send(waiting.link)];
		for (const page of pages.slice(0, 2)) {
			expect(page.body).not.toMatch(/<script|<img|onload="x|<a\s/i);
			expect(page.body).not.toContain(both.sandbox.token);
			expect(page.headers['set-cookie']).toBeUndefined();
			expect(page.headers['cache-control']).toContain('no-store');
			expect(page.body).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none';/);
			expect(page.headers['referrer-policy']).toBe('no-referrer');
			expect(page.headers['x-robots-tag']).toMatch(/noindex/);
			expect(page.body).toContain('&lt;img src=x');
		}
		expect(pages[0].headers['content-security-policy']).toMatch(
			/^default-src 'none';.*frame-ancestors 'none'/,
		);
		expect(await waiting.data()).toMatchObject({ data: { approved: true } });
	});

	const odd: Array<[string, Question]> = [
		['nothing', {}],
		['an empty form', { headers: FORM, body: '' }],
		['another form', { headers: FORM, body: 'a=1&a=2&__proto__=3&constructor[prototype][x]=4' }],
		[
			'JSON',
			{ headers: { 'content-type': 'application/json' }, body: '{"approved":true,"choice":"decline"}' },
		],
		['no JSON', { headers: { 'content-type': 'application/json' }, body: '{' }],
		['null', { headers: { 'content-type': 'application/json' }, body: 'null' }],
		['a text', { headers: { 'content-type': 'text/plain' }, body: 'approve' }],
		['XML', { headers: { 'content-type': 'application/xml' }, body: '<a><b/></a>' }],
		['an odd type', { headers: { 'content-type': ';;;' }, body: 'x' }],
		['much', { headers: FORM, body: `a=${'x'.repeat(3_000_000)}` }],
		['many fields', { headers: FORM, body: Array.from({ length: 5_000 }, (_, n) => `f${n}=x`).join('&') }],
		['broken percent signs', { headers: FORM, body: '%=%zz&%E0%A4%A=1' }],
		['deep names', { headers: FORM, body: `a${'[a]'.repeat(500)}=1` }],
		[
			'JSON of 5,000 levels',
			{ headers: { 'content-type': 'application/json' }, body: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
		],
		[
			'XML of 6,000 levels',
			{
				headers: { 'content-type': 'application/xml' },
				body: `${'<a>'.repeat(6_000)}${'</a>'.repeat(6_000)}`,
			},
		],
	];

	it.each(odd)('takes %s without an internal error', async (_name, question) => {
		const waiting = await Waiting.asking({
			responseType: 'freeText',
		});
		const { status } = await send(waiting.link, { method: 'POST', ...question });
		expect(status).toBeLessThan(500);
		expect(await waiting.status()).toBe('waiting');
	});

	it('takes a form with parts, as scripts send it', async () => {
		const waiting = await Waiting.asking({ responseType: 'freeText' });
		const form = new FormData();
		form.append('text', 'Hello');
		form.append('file', new Blob(['x']), 'x.txt');
		const { status } = await send(waiting.link, { method: 'POST', body: form });
		expect(status).toBeLessThan(500);
	});
});

describe('A free text', () => {
	/** The name of the text area. */
	const areaOf = ({ body }: TextAnswer) => attribute(/<textarea\b[^>]*>/.exec(body)?.[0] ?? '', 'name') ?? '';

	it.each(['Zwei Zeilen\nund 😀 <b>', '{{ $json }}', '=1+1', '__proto__', ' x '])(
		'of %j comes as it was written',
		async (text) => {
			const waiting = await Waiting.asking({ responseType: 'freeText' });
			await answer(waiting.link, [[areaOf(await send(waiting.link)), text]]);
			const { data } = (await waiting.data()) as { data: { text: string } };
			expect(data.text.replaceAll('\r\n', '\n').trim()).toBe(text.trim());
		},
	);

	it.each<[string, string]>([
		['nothing', ''],
		['spaces', '   '],
		['one character too many', 'x'.repeat(10_001)],
	])('of %s is asked again', async (_name, text) => {
		const waiting = await Waiting.asking({ responseType: 'freeText' });
		const page = await answer(waiting.link, [[areaOf(await send(waiting.link)), text]]);
		expect(page.body).toContain('<textarea');
		// The text area takes no more than that.
		expect(page.body).toContain(text.trim().slice(0, 10_000));
		expect(await waiting.status()).toBe('waiting');
	});

	it('of 10,000 characters is taken, also with line breaks, which browsers send as two', async () => {
		const text = 'x\n'.repeat(5_000).replace(/\n$/, 'x');
		const waiting = await Waiting.asking({ responseType: 'freeText' });
		const sent = text.replaceAll('\n', '\r\n');
		const page = await answer(waiting.link, [[areaOf(await send(waiting.link)), sent]]);
		expect(page.status).toBe(200);
		const { data } = (await waiting.data()) as { data: { text: string } };
		expect(data.text.replaceAll('\r\n', '\n') === text).toBe(true);
	});
});

describe('After the limit of the wait', () => {
	it('the input goes on without data, and the link says so', async () => {
		const waiting = await Waiting.asking({
			options: {
				limitWaitTime: {
					values: {
						limitType: 'atSpecifiedTime',
						maxDateAndTime: '={{ $now.plus({ seconds: 5 }).toISO() }}',
					},
				},
			},
		});
		const data = await waiting.data();
		expect(data).not.toHaveProperty('data');
		expect(data).toMatchObject({ timedOut: true });
		const page = await send(waiting.link, { method: 'POST', headers: FORM, body: 'choice=approve' });
		expect(page.status).toBeLessThan(500);
		expect(seen(page)).not.toMatch(/thank/i);
	});
});

describe.each([3, 2])('As a tool of an agent of version %d', (version) => {
	let model: PlannedModel | undefined;

	afterEach(async () => await model?.close());

	it('the question waits for its answer, or is not sent at all', async () => {
		model = await startPlannedModel(both.rest);
		const tool = toolOf(both.credential, {
			resource: 'message',
			operation: 'sendAndWait',
			sendAs: 'text',
			conversationId,
			message: "={{ $fromAI('question', 'The question', 'string') }}",
			responseType: 'approval',
		});
		model.plan([{ tool: tool.name, values: { question: 'May I?' } }]);
		both.sandbox.clearRequests();
		const start = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1);
		const workflow = withTools(chain('Agent', [start, agentOf(version)]), [tool], modelOf(model));
		const { id } = await both.rest.createWorkflow(workflow);
		const executionId = await both.rest.run(id, 'Start');
		const execution = await waitFor('the end or the wait', async () => {
			const current = await both.rest.execution(executionId);
			return ['new', 'running'].includes(current.status) ? undefined : current;
		});
		const sent = both.sandbox.requests().filter(({ method }) => method === 'POST');
		const told = model.told();
		expect({ status: execution.status, sent: sent.length, told }).toEqual(
			sent.length === 1
				? { status: 'waiting', sent: 1, told: [] }
				: { status: execution.status, sent: 0, told },
		);
	});
});

it('Two items are refused with a sentence, and nothing is sent', async () => {
	both.sandbox.clearRequests();
	const twice = nodeOf('Items', 'n8n-nodes-base.set', 3.4, {
		mode: 'raw',
		duplicateItem: true,
		duplicateCount: 1,
		jsonOutput: '{}',
		options: {},
	});
	const question = nodeOf(
		'Question',
		NODE_TYPE,
		1,
		{ resource: 'message', operation: 'sendAndWait', conversationId, message: 'May I?' },
		{ credentials: { [CREDENTIAL_TYPE]: both.credential } },
	);
	const start = nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1);
	const { id } = await both.rest.createWorkflow(chain('Two', [start, twice, question]));
	const execution = await both.rest.runToEnd(id, 'Start');
	expect(execution.status).toBe('error');
	expect(errorOf(execution)?.message).toMatch(/\w+ \w+ \w+/);
	expect(both.sandbox.requests().filter(({ method }) => method === 'POST')).toEqual([]);
});
