import type { INodeParameters } from 'n8n-workflow';

import type { NodeRun, NodeRunOptions } from '../../../engine/engine.mts';
import { ScriptedTenant, sentMessages, refusal, inOrder } from '../../guards/scriptedTenant.mts';
import { byId } from '../../../engine/tenant.mts';

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
	])('%s', async (_name, values, wanted) => {
		const before = Date.now();
		const till = waitsTill(await run(limited(values)))?.getTime() ?? 0;
		expect(till - before).toBeGreaterThanOrEqual(wanted);
		expect(till - Date.now()).toBeLessThanOrEqual(wanted);
	});

	it.each([
		['2035-01-31T12:00:00+02:00', '2035-01-31T10:00:00.000Z'],
		['2035-01-31 12:00:00Z', '2035-01-31T12:00:00.000Z'],
		// The time zone of the workflow is that of n8n, New York.
		['2035-01-31T12:00:00', '2035-01-31T17:00:00.000Z'],
	])('until %s', async (maxDateAndTime, wanted) => {
		const waiting = await run(limited({ limitType: 'atSpecifiedTime', maxDateAndTime }));
		expect(waitsTill(waiting)?.toISOString()).toBe(wanted);
	});

	it.each([
		[
			{ limitType: 'atSpecifiedTime', maxDateAndTime: '2020-01-31' },
			'Limit Wait Time is "2020-01-31", which is over',
		],
		[
			{ limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' },
			'Limit Wait Time is "soon", which is not a time',
		],
		[{ limitType: 'atSpecifiedTime' }, 'Limit Wait Time (Max Date and Time) is empty'],
		[{ resumeAmount: 0 }, 'Limit Wait Time (Amount) 0 is less than 0.01'],
		[{ resumeAmount: 'soon' }, 'Limit Wait Time (Amount) "soon" is not a number'],
		[{ resumeAmount: 9e15, resumeUnit: 'days' }, 'which is not a time'],
	])('sends nothing for %j', async (values, message) => {
		const { error } = await run(limited(values));
		expect(error?.message).toContain(message);
		expect(tenant.bodies(SEND)).toEqual([]);
	});
});

describe('what it keeps', () => {
	it('is the question as it was when it was sent, with a secret of its own', async () => {
		tenant.answer({ [SEND]: sentMessages() });
		const parameters = {
			responseType: 'customForm',
			formFields: {
				values: [
					{ fieldLabel: ' Day ', fieldType: 'date', requiredField: true },
					{ fieldLabel: 'Size', fieldName: 'size', fieldType: 'choice', fieldOptions: ['S', 'M'] },
					{ fieldLabel: 'Name', placeholder: 'Jo' },
				],
			},
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
			responseType: 'customForm',
			approveLabel: 'Approve',
			submitLabel: '',
			thanks: 'Thanks',
			language: 'de',
			fields: [
				{ name: 'Day', label: ' Day ', type: 'date', choices: [], isRequired: true },
				{ name: 'size', label: 'Size', type: 'choice', choices: ['S', 'M'], isRequired: false },
				{ name: 'Name', label: 'Name', type: 'text', choices: [], isRequired: false, placeholder: 'Jo' },
			],
		});
		const second = await run(parameters, { items: [{ json: { title: 'Delivery' } }] });
		const secrets = [first, second].map((one) => kept(one).secret);
		expect(secrets[0]).toMatch(/^[\w-]{22}$/);
		expect(secrets[0]).not.toBe(secrets[1]);
		const [text] = tenant.bodies(SEND).map((body) => (body.text as { content: string }).content);
		expect(text).toContain(`question=${secrets[0]}&signature=`);
	});

	it.each([
		[{ values: [] }, 'Form Fields have no field'],
		[{ values: [{ fieldLabel: 'A' }, { fieldLabel: 'B', fieldName: 'A' }] }, 'Form Fields have "A" twice'],
		[{ values: [{ fieldLabel: 'A', fieldType: 'choice' }] }, 'Form Fields have no choices for "A"'],
		[
			{ values: [{ fieldLabel: 'A', fieldType: 'choice', fieldOptions: 'S\nM\nS' }] },
			'Form Fields (Choices, row 1) has "S" twice',
		],
		[{ values: [{ fieldLabel: '__proto__' }] }, 'Form Fields contains the name "__proto__"'],
		[{ values: [{ fieldLabel: ' ' }] }, 'Form Fields (Field Label, row 1) is empty'],
		[
			{ values: Array.from({ length: 51 }, (_, index) => ({ fieldLabel: String(index) })) },
			'Form Fields are more than 50',
		],
	])('is no form that nobody could fill in: %j', async (formFields, message) => {
		const { error } = await run({ responseType: 'customForm', formFields });
		expect(error?.message).toContain(message);
		expect(tenant.bodies(SEND)).toEqual([]);
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
		expect(tenant.bodies(SEND)).toEqual([]);
	});

	it('for a message that the service refuses', async () => {
		tenant.answer({ [SEND]: refusal(422) });
		const refused = await run({}, { onError: 'continueRegularOutput' });
		expect(refused.items).toHaveLength(1);
		expect(refused.items[0].json.error).toBeDefined();
		expect(waitsTill(refused)).toBeUndefined();
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
		const skipped = await run({
			...template,
			options: { withoutConsent: 'skip' },
		});
		expect(skipped.items[0].json).toMatchObject({ skipped: true });
		expect(waitsTill(skipped)).toBeUndefined();
		expect(tenant.bodies(SEND_TEMPLATE)).toEqual([]);
	});
});

describe('Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const texts = () => tenant.bodies(SEND).map((body) => (body.text as { content: string }).content);

	it('keeps the question of the message that was sent', async () => {
		tenant.answer({ [SEND]: inOrder(refusal(422), sentMessages()) });
		const waiting = await run({}, { settings });
		expect(waiting.error).toBeUndefined();
		expect(texts()).toHaveLength(2);
		expect(texts()[0]).not.toContain(kept(waiting).secret);
		expect(texts()[1]).toContain(kept(waiting).secret);
	});

	it('does not send a question again that was not delivered', async () => {
		tenant.answer({ [SEND]: () => ({ data: { id: 1, status: 'failed' } }) });
		const failed = await run({}, { settings });
		expect(failed.error?.message).toBe('The service accepted the message, but did not deliver it');
		expect(texts()).toHaveLength(1);
	});
});

const template: INodeParameters = {
	sendAs: 'template',
	phoneNumber: '+49 171 1234567',
	agentId: byId(1),
	templateName: byId('question'),
	templateLanguage: 'en',
	linkVariable: 2,
};

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
	const components = () => tenant.bodies(SEND_TEMPLATE).map((body) => body.template_components);

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
	])('stands beside the variables of %s', async (_name, parameters) => {
		const { error } = await run({ ...template, ...parameters });
		expect(error).toBeUndefined();
		expect(components()).toEqual([[button('0', 'A-1'), button('1', link)]]);
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
		const { error } = await run({ ...template, linkVariable: 3 });
		expect(error?.message).toBe(
			'Button With the Link is 3, but the template has no URL button with a variable there',
		);
		expect(components()).toEqual([]);
	});

	it.each([
		['does not list the template', shown('other')],
		['shows no components', () => ({ data: [{ name: 'question', language: 'en' }] })],
		['forbids its templates', refusal(403)],
	])('gets the end of the link where the tenant %s', async (_name, answer) => {
		tenant.answer({ [TEMPLATES]: answer, [SEND_TEMPLATE]: sentMessages() });
		await run(template);
		expect(components()).toEqual([[button('1', link)]]);
	});

	it('is not guessed while the templates cannot be read', async () => {
		tenant.answer({ [TEMPLATES]: refusal(400), [SEND_TEMPLATE]: sentMessages() });
		const { error } = await run(template);
		expect(error).toBeDefined();
		expect(components()).toEqual([]);
	});
});
