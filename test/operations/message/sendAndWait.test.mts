import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun, NodeRunOptions } from '../../engine/engine.mts';
import { leaksOfRun } from '../../engine/leaks.mts';
import { brokenOff, inOrder, refusal, ScriptedTenant, sentMessages } from '../../engine/scriptedTenant.mts';
import { byId } from '../../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const SEND_TEMPLATE = 'POST /chatapp/send-template';
const TEMPLATES = 'GET /templates';

const LINK = 'http://127.0.0.1:5678/webhook-waiting/';

const question = {
	resource: 'message',
	operation: 'sendAndWait',
	sendAs: 'text',
	conversationId: '7',
	message: 'May we?',
};

const template: INodeParameters = {
	sendAs: 'template',
	phoneNumber: '+49 171 1234567',
	agentId: byId(1),
	templateName: byId('question'),
	templateLanguage: 'en',
	linkVariable: 2,
};

const run = async (parameters: INodeParameters = {}, options: Partial<NodeRunOptions> = {}) =>
	await tenant.run({ ...question, ...parameters }, options);

/** What the execution keeps of the question. */
function kept({ run: { data } }: NodeRun): { question: Record<string, unknown>; secret: string } {
	const { askedQuestion } = data.executionData?.contextData['node:Node'] ?? {};
	return JSON.parse(String(askedQuestion));
}

const waitsTill = ({ run: { data } }: NodeRun) => data.waitTill;

const HOUR_MS = 3_600_000;

describe('how long it waits', () => {
	const limited = (values: INodeParameters) => ({ options: { limitWaitTime: { values } } });

	beforeEach(() => tenant.answer({ [SEND]: sentMessages() }));

	it('for ever without a limit', async () => {
		expect(waitsTill(await run())?.getUTCFullYear()).toBe(3000);
	});

	it.each([
		['an hour, as the option stands when it is added', {}, HOUR_MS],
		['minutes', { resumeAmount: 90, resumeUnit: 'minutes' }, 1.5 * HOUR_MS],
		['hours', { resumeAmount: '3', resumeUnit: 'hours' }, 3 * HOUR_MS],
		['days', { resumeAmount: 2, resumeUnit: 'days' }, 48 * HOUR_MS],
		['a part of an hour', { resumeAmount: 0.05, resumeUnit: 'hours' }, 0.05 * HOUR_MS],
		['an amount of an expression', { resumeAmount: '={{ "2" }}', resumeUnit: 'hours' }, 2 * HOUR_MS],
	])('%s', async (_name, values, wanted) => {
		const before = Date.now();
		const till = waitsTill(await run(limited(values)))?.getTime() ?? 0;
		expect(till - before).toBeGreaterThanOrEqual(wanted);
		expect(till - Date.now()).toBeLessThanOrEqual(wanted);
	});

	it.each([
		['2035-01-31T12:00:00+02:00', '2035-01-31T10:00:00.000Z'],
		['2035-01-31 12:00:00Z', '2035-01-31T12:00:00.000Z'],
		['={{ DateTime.fromISO("2090-05-17T10:00:00Z") }}', '2090-05-17T10:00:00.000Z'],
		// The time zone of the workflow is that of n8n, New York.
		['2035-01-31T12:00:00', '2035-01-31T17:00:00.000Z'],
	])('until %s', async (maxDateAndTime, wanted) => {
		const waiting = await run(limited({ limitType: 'atSpecifiedTime', maxDateAndTime }));
		expect(waitsTill(waiting)?.toISOString()).toBe(wanted);
	});

	it.each([
		...[
			['2020-01-31T12:00:00+02:00', 'ends at 2020-01-31T12:00:00.000+02:00, which is over'],
			['soon', '(Max Date and Time) "soon" is not a date and time'],
			['', '(Max Date and Time) is empty'],
			['2090-02-31T00:00:00', '(Max Date and Time) "2090-02-31T00:00:00" is not a date and time'],
		].map(([maxDateAndTime, problem]) => [
			...[{ limitType: 'atSpecifiedTime', maxDateAndTime }, `Limit Wait Time ${problem}`],
		]),
		...[0, -1].map((resumeAmount) => [{ resumeAmount }, 'is less than 0.01']),
		[{ resumeAmount: '={{ NaN }}' }, 'Limit Wait Time (Amount)'],
		[{ resumeAmount: '={{ $json.nowhere }}' }, 'Limit Wait Time (Amount)'],
		[
			{ resumeAmount: 1, resumeUnit: '={{ "moons" }}' },
			'Limit Wait Time (Unit) is "moons", which cannot be chosen',
		],
		[{ resumeAmount: 'soon' }, 'Limit Wait Time (Amount) "soon" is not a number'],
		[{ resumeAmount: 9e15, resumeUnit: 'days' }, 'Limit Wait Time is too long'],
	] as Array<[INodeParameters, string]>)('sends nothing for %j', async (values, message) => {
		const { error } = await run(limited(values));
		expect(error?.message).toContain(message);
		expect(tenant.bodies(SEND)).toEqual([]);
	});
});

const contentOf = (body: IDataObject) => (body.text as { content: string }).content;
const linksIn = (text: string): string[] => text.match(/https?:\/\/\S+/g) ?? [];

describe('the question goes out', () => {
	beforeEach(() => tenant.answer({ [SEND]: sentMessages() }));

	const texts = () => tenant.bodies(SEND).map(contentOf);
	const labelled = (approveLabel: string) => ({
		approvalOptions: { values: { approvalType: 'double', approveLabel, disapproveLabel: 'Nein' } },
	});

	it('not with two buttons of one label', async () => {
		const { error } = await run(labelled(' Nein '));
		expect(error?.message).toBe('Approval Options has "Nein" twice');
		expect(tenant.requests).toEqual([]);
	});

	it('as a text with a link for each choice, under its own label, and n8n waits without the token', async () => {
		const waiting = await run(labelled('Ja, gern'));
		expect(texts()).toEqual([
			expect.stringMatching(
				/^May we\?\n\nJa, gern: http:\S+choice=approve\S*\nNein: http:\S+choice=decline\S*$/,
			),
		]);
		expect(new Set(linksIn(texts()[0])).size).toBe(2);
		expect(waiting.run.status).toBe('waiting');
		// Each token of a test begins like this.
		expect(leaksOfRun(waiting, 'odd-tenant-token')).toEqual([]);
	});

	it('with one link where there is one button', async () => {
		await run({ approvalOptions: { values: { approvalType: 'single' } } });
		expect(linksIn(texts()[0])).toHaveLength(1);
	});

	it.each<[options: INodeParameters, words: string]>([
		[{}, 'Answer:'],
		[{ responseFormLanguage: 'de_AT' }, 'Antworten:'],
		[{ responseFormLanguage: 'sv' }, 'Answer:'],
		[{ responseFormLanguage: 'de', wordsBeforeLink: ' Hier entlang ' }, 'Hier entlang'],
	])('with words before the link to a text or a choice: %j %j', async (options, words) => {
		for (const others of [{ responseType: 'freeText' }, { responseType: 'choice', choices: 'A\nB' }])
			await run({ ...others, options });
		for (const content of texts()) expect(content).toMatch(/^May we\?\n\n[^\n]+ http:\S+$/);
		expect(texts().map((content) => content.split('\n')[2].split(' http')[0])).toEqual([words, words]);
	});

	it('with the words of the message as they are', async () => {
		const message = '<b>Fish & chips</b>\n"{{1}}" $& %20 😀';
		await run({ message });
		expect(texts()[0].startsWith(`${message}\n\n`)).toBe(true);
	});

	it.each(['A\nDecline: https://evil.example', 'A\r\nB', '', '   ', '<script>', 'x'.repeat(5_000)])(
		'and the label %.40j adds no line and no other link',
		async (label) => {
			const { error } = await run(labelled(label));
			if (error) return expect(texts()).toEqual([]);
			const lines = texts()[0].split(/[\n\r]+/);
			expect(lines).toHaveLength(3);
			for (const line of lines.slice(1)) expect(line).toMatch(/: http:\/\/127\.0\.0\.1:5678\/\S+$/);
		},
	);
});

describe('what it keeps', () => {
	it('is the question as it was when it was sent, with a secret of its own', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const parameters = {
			responseType: 'freeText',
			options: {
				responseFormTitle: '={{ $json.title }}',
				responseFormThanks: 'Thanks',
				responseFormLanguage: 'de',
			},
		};
		const first = await run(parameters, { items: [{ json: { title: 'Delivery' } }] });
		expect(kept(first).question).toEqual({
			title: 'Delivery',
			message: 'May we?',
			responseType: 'freeText',
			buttons: [],
			submitLabel: 'Antworten',
			thanks: 'Thanks',
			language: 'de',
		});
		const second = await run(parameters, { items: [{ json: { title: 'Delivery' } }] });
		const secrets = [first, second].map((one) => kept(one).secret);
		expect(secrets[0]).toMatch(/^[\w-]{22}$/);
		expect(secrets[0]).not.toBe(secrets[1]);
		const [text] = tenant.bodies(SEND).map(contentOf);
		expect(text).toContain(`question=${secrets[0]}&signature=`);
	});

	it.each([
		['lines', 'On Monday \n\r\n  On  Tuesday\nx', ['On Monday', 'On Tuesday', 'x']],
		['the list of an expression', '={{ ["On Monday", 2] }}', ['On Monday', '2']],
		['a word', 'OK', ['OK']],
	])('has a button for each choice of %s', async (_name, choices, labels) => {
		tenant.answer({ [SEND]: sentMessages() });
		expect(kept(await run({ responseType: 'choice', choices })).question.buttons).toEqual(
			labels.map((label, place) => ({ value: String(place), label })),
		);
	});
});

describe('does not wait', () => {
	it('for several items: each fails with Continue, and nothing is sent', async () => {
		const { items, run: waiting } = await run(
			{},
			{ items: [{ json: {} }, { json: {} }], onError: 'continueRegularOutput' },
		);
		const error = 'This operation takes one item at a time, but got 2';
		expect(items).toMatchObject([
			{ json: { error }, pairedItem: { item: 0 } },
			{ json: { error }, pairedItem: { item: 1 } },
		]);
		expect(waiting.data.waitTill).toBeUndefined();
		const failed = await run({}, { items: [{ json: {} }, { json: {} }] });
		expect(failed.error?.description).toContain('Put the node Loop Over Items before this one');
		expect(tenant.bodies(SEND)).toEqual([]);
	});

	it.each<[string, typeof brokenOff]>([
		['was refused', refusal(422)],
		['was not allowed', refusal(403)],
		['may not have arrived', refusal(500)],
		['broke off', brokenOff],
		['has the status failed', () => ({ data: { id: 1, status: 'failed' } })],
	])('for a question that %s', async (_name, answer) => {
		const shown = { data: [{ name: 'question', language: 'en' }] };
		for (const parameters of [{}, template]) {
			tenant.answer({ [SEND]: answer, [SEND_TEMPLATE]: answer, [TEMPLATES]: () => shown });
			const failed = await run(parameters);
			expect(failed.error).toBeDefined();
			const refused = await run(parameters, { onError: 'continueRegularOutput' });
			expect(refused.items).toMatchObject([{ json: { error: expect.any(String) } }]);
			expect([failed, refused].map(waitsTill)).toEqual([undefined, undefined]);
			expect(tenant.bodies('sendAs' in parameters ? SEND_TEMPLATE : SEND)).toHaveLength(2);
		}
	});

	it.each<[string, INodeParameters, RegExp]>([
		['without a message', { message: '={{ "" }}' }, /^Message /],
		['without a conversation', { conversationId: '={{ null }}' }, /^Conversation /],
		['with an unknown answer', { responseType: '={{ "shout" }}' }, /^Response Type /],
		['with a choice twice', { responseType: 'choice', choices: 'A\nB\n A' }, /^Choices has "A" twice$/],
		['with nothing to choose', { responseType: 'choice', choices: ' \n' }, /^Choices is empty/],
		[
			'with records to choose from',
			{ responseType: 'choice', choices: '={{ [{}] }}' },
			/^Choices "{}" is not text/,
		],
		[
			'in no language',
			{ options: { responseFormLanguage: 'de DE' } },
			/^Page Language "de DE" is not a language/,
		],
		['with an unknown way', { sendAs: '={{ "pigeon" }}' }, /^Send As /],
		['in a loop through From Automation', { options: { fromAutomation: true } }, /loop|itself|again/i],
	])('%s, and names the field', async (_name, parameters, message) => {
		tenant.answer({ [SEND]: sentMessages(), [SEND_TEMPLATE]: sentMessages() });
		const sourceType = 'n8n-nodes-customer-messaging.customerMessagingTrigger';
		const failed = await run(parameters, { sourceType });
		expect(failed.error?.message).toMatch(message);
		expect(failed.error?.message).not.toMatch(/undefined|\[object|Cannot read|not a function/);
		expect(waitsTill(failed)).toBeUndefined();
		expect(tenant.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
	});

	it('for a message that was not delivered', async () => {
		const user_friendly_message = 'The number is not in use';
		tenant.answer({
			[SEND]: () => ({ data: { id: 1, status: 'failed', latest_error: { user_friendly_message } } }),
		});
		const failed = await run();
		expect(failed.error).toMatchObject({
			message: user_friendly_message,
			description: expect.stringContaining('Nobody was asked, so the workflow does not wait.'),
		});
		expect(waitsTill(failed)).toBeUndefined();
	});

	it('for a recipient without consent, whom it skips', async () => {
		tenant.answer({ 'GET /profiles': () => ({ data: [] }) });
		const skipped = await run({ ...template, options: { withoutConsent: 'skip' } });
		expect(skipped.items[0].json).toMatchObject({ result: 'skipped' });
		expect(waitsTill(skipped)).toBeUndefined();
		const failed = await run({ ...template, options: { withoutConsent: 'fail' } });
		expect([failed.error === undefined, waitsTill(failed)]).toEqual([false, undefined]);
		expect(tenant.bodies(SEND_TEMPLATE)).toEqual([]);
	});
});

describe('Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const texts = () => tenant.bodies(SEND).map(contentOf);

	it('keeps the question of the message that was sent', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		const waiting = await run({}, { settings });
		expect(waiting.error).toBeUndefined();
		expect(texts()).toHaveLength(2);
		expect(texts()[0]).not.toContain(kept(waiting).secret);
		expect(texts()[1]).toContain(kept(waiting).secret);
	});
});

describe('the button of a template', () => {
	const buttons = [
		{ type: 'URL', text: 'Shop', url: 'https://shop.example/{{1}}' },
		{ type: 'URL', text: 'Answer', url: `${LINK}{{1}}` },
	];
	const shown =
		(...names: string[]) =>
		() => ({
			data: names.map((name, index) => ({
				name,
				language: index === 0 ? 'de' : 'en',
				components: [{ type: 'BUTTONS', buttons }],
			})),
		});
	const button = (index: string, text: unknown) => ({
		type: 'button',
		sub_type: 'url',
		index,
		parameters: [{ type: 'text', text }],
	});
	const link = expect.stringMatching(/^1\/node\?question=[\w-]{22}&signature=[0-9a-f]{64}$/);
	const sentComponents = () => tenant.bodies(SEND_TEMPLATE).map((body) => body.template_components);

	beforeEach(() =>
		tenant.answer({ [TEMPLATES]: shown('question', 'question'), [SEND_TEMPLATE]: sentMessages() }),
	);

	it.each([
		['the form', { variables: { mappingMode: 'defineBelow', value: { button_0_url: 'A-1' } } }],
		[
			'the form, where it wins over a value',
			{ variables: { mappingMode: 'defineBelow', value: { button_0_url: 'A-1', button_1_url: 'lost' } } },
		],
		[
			'Build Components, where it wins over a value',
			{
				variablesMode: 'components',
				buttons: {
					button: [
						{ position: 1, type: 'url', value: 'A-1' },
						{ position: 2, type: 'url', value: 'lost' },
					],
				},
			},
		],
		[
			'JSON, where it wins over a component',
			{
				variablesMode: 'json',
				templateComponents: JSON.stringify([button('0', 'A-1'), { ...button('1', 'lost'), type: 'BUTTON' }]),
			},
		],
		[
			'JSON, where it wins over a component whose index is a number',
			{
				variablesMode: 'json',
				templateComponents: JSON.stringify([button('0', 'A-1'), { ...button('1', 'lost'), index: 1 }]),
			},
		],
	])('stands beside the variables of %s', async (_name, parameters) => {
		const { error } = await run({ ...template, ...parameters });
		expect(error).toBeUndefined();
		expect(sentComponents()).toEqual([[button('0', 'A-1'), button('1', link)]]);
	});

	it('is no field of the form', async () => {
		const fieldsOf = async (parameters: INodeParameters) => {
			const { methods, context } = await tenant.editor({ ...question, ...template, ...parameters });
			const { fields } = await (methods.resourceMapping?.getTemplateVariables.call(context) ??
				Promise.reject(new Error('There is no such method')));
			return fields.map(({ id }) => id);
		};
		expect(await fieldsOf({})).toEqual(['button_0_url']);
		expect(await fieldsOf({ linkVariable: 1 })).toEqual(['button_1_url']);
		expect(await fieldsOf({ operation: 'sendTemplate' })).toEqual(['button_0_url', 'button_1_url']);
	});

	it('is refused where the template has no such button, before anything is sent', async () => {
		const refused = async (linkVariable: unknown) => {
			const { error, run: waiting } = await run({ ...template, linkVariable: linkVariable as number });
			expect(waiting.waitTill).toBeUndefined();
			return error?.message;
		};
		expect(await refused(3)).toBe('Button With the Link is 3, but that button leads to nothing');
		expect((await run({ ...template, linkVariable: 1 })).error).toMatchObject({
			message: 'Button With the Link is 1, but that button leads to https://shop.example/{{1}}',
			description: `Nothing was sent. In the template, the address of the button has to be ${LINK}{{1}}.`,
		});
		for (const none of ['={{ 0 }}', '={{ 1.5 }}', '={{ "two" }}'])
			expect(await refused(none)).toMatch(/^Button With the Link /);
		expect(sentComponents()).toEqual([]);
	});

	it.each([
		{ type: 'QUICK_REPLY', text: 'Answer' },
		...[
			'https://shop.example/{{1}}',
			LINK,
			`${LINK}x/{{1}}`,
			`${LINK}{{1}}/end`,
			`http://evil.example/?${LINK}{{1}}`,
		].map((url) => ({ type: 'URL', text: 'Answer', url })),
	])('is refused where it is %j', async (second) => {
		const data = [
			{ name: 'question', language: 'en', components: [{ type: 'BUTTONS', buttons: [buttons[0], second] }] },
		];
		tenant.answer({ [TEMPLATES]: () => ({ data }), [SEND_TEMPLATE]: sentMessages() });
		const { error, run: waiting } = await run(template);
		expect(error?.message).toMatch(/^Button With the Link is 2, but /);
		expect([waiting.waitTill, sentComponents()]).toEqual([undefined, []]);
	});

	it.each([
		...['{{1}}', '{{link}}', '{{ the link }}', '{{link-end}}', '{{}}'].map((written) => [LINK, written]),
		['http://127.0.0.1:5678/', '{{1}}'],
	])('takes the rest of the link behind %s for %s', async (beginning, written) => {
		const second = { type: 'URL', text: 'Answer', url: `${beginning}${written}` };
		const components = [{ type: 'BUTTONS', buttons: [buttons[0], second] }];
		const data = [{ name: 'question', language: 'en', components }];
		tenant.answer({ [TEMPLATES]: () => ({ data }), [SEND_TEMPLATE]: sentMessages() });
		expect((await run(template)).error).toBeUndefined();
		const [[{ parameters }]] = sentComponents() as Array<Array<ReturnType<typeof button>>>;
		expect(`${beginning}${parameters[0].text as string}`.replace(LINK, '')).toEqual(link);
	});

	it.each([
		['does not list the template', shown('other')],
		['lists the template in another language only', shown('question')],
		['shows no components', () => ({ data: [{ name: 'question', language: 'en' }] })],
		['forbids its templates', refusal(403)],
	])('gets the end of the link where the tenant %s', async (_name, answer) => {
		tenant.answer({ [TEMPLATES]: answer, [SEND_TEMPLATE]: sentMessages() });
		await run(template);
		expect(sentComponents()).toEqual([[button('1', link)]]);
	});

	it('is not guessed while the templates cannot be read', async () => {
		tenant.answer({ [TEMPLATES]: refusal(400), [SEND_TEMPLATE]: sentMessages() });
		const { error } = await run(template);
		expect(error).toBeDefined();
		expect(sentComponents()).toEqual([]);
	});
});
