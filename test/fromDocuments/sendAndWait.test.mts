import type { FastifyRequest } from 'fastify';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { leaksOfRun } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import {
	answerWith,
	created,
	numbered,
	outcomes,
	refusal,
	reset,
	templateOf,
	toPhone,
	writes,
} from './messages.mts';

const tenant = OddTenant.inEachTest();

/** The bodies of what was sent. */
const bodies: IDataObject[] = [];

const take = (request: FastifyRequest) => {
	bodies.push(request.body as IDataObject);
	return created();
};

const PAGE = 'http://127.0.0.1:5678/webhook-waiting/';

const approvable = templateOf(
	{ type: 'BODY', text: 'Please answer' },
	{
		type: 'BUTTONS',
		buttons: [
			{ type: 'QUICK_REPLY', text: 'Later' },
			{ type: 'URL', text: 'Answer', url: `${PAGE}{{1}}` },
		],
	},
);

beforeEach(() => {
	bodies.splice(0);
	answerWith(tenant, { templates: { data: [approvable] }, send: take, sendTemplate: take });
});

const asText: INodeParameters = {
	resource: 'message',
	operation: 'sendAndWait',
	sendAs: 'text',
	conversationId: '3',
	message: 'May I?',
	responseType: 'approval',
};

const asTemplate: INodeParameters = {
	...toPhone,
	...asText,
	sendAs: 'template',
	bodyVariables: {},
	buttons: {},
	linkVariable: 2,
};

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

const going: Partial<NodeRunOptions> = { onError: 'continueRegularOutput' };

const contentOf = (body: IDataObject) => (body.text as IDataObject).content as string;

const linksIn = (text: string): string[] => text.match(/https?:\/\/\S+/g) ?? [];

describe('The question goes out', () => {
	it('as a text with a link for each choice, under its own label', async () => {
		const { run: stored } = await run({
			...asText,
			approvalOptions: {
				values: { approvalType: 'double', approveLabel: 'Ja, gern', disapproveLabel: 'Nein' },
			},
		});
		expect(bodies).toHaveLength(1);
		const content = contentOf(bodies[0]);
		expect(content).toMatch(/^May I\?\n/);
		expect(content).toMatch(/Ja, gern: http:\S+\nNein: http:\S+$/);
		expect(new Set(linksIn(content)).size).toBe(2);
		expect(stored.status).toBe('waiting');
	});

	it.each([
		['one button', { responseType: 'approval', approvalOptions: { values: { approvalType: 'single' } } }],
		['a text', { responseType: 'freeText' }],
		[
			'a form',
			{
				responseType: 'customForm',
				formFields: { values: [{ fieldLabel: 'Size', fieldName: 'size', fieldType: 'number' }] },
			},
		],
	])('with one link where the answer is %s', async (_name, parameters) => {
		await run({ ...asText, ...parameters });
		expect(linksIn(contentOf(bodies[0]))).toHaveLength(1);
	});

	it('with the words of the message as they are', async () => {
		const message = '<b>Fish & chips</b>\n"{{1}}" $& %20 😀';
		await run({ ...asText, message });
		expect(contentOf(bodies[0]).startsWith(`${message}\n`)).toBe(true);
	});

	it('as a template whose button takes the end of the link', async () => {
		const { run: stored } = await run(asTemplate);
		expect(bodies).toHaveLength(1);
		const [button, ...others] = bodies[0].template_components as IDataObject[];
		expect(others).toEqual([]);
		expect(button).toMatchObject({ type: 'button', sub_type: 'url', index: '1' });
		const [{ text }] = button.parameters as Array<{ text: string }>;
		expect(text).toMatch(/^1\/node\?\S*signature=[0-9a-f]{64}$/);
		expect(stored.status).toBe('waiting');
	});

	it.each<[string, INodeParameters]>([
		['built components', { buttons: { button: [{ type: 'url', position: 2, value: 'elsewhere' }] } }],
		[
			'JSON',
			{
				variablesMode: 'json',
				templateComponents:
					'[{"type":"button","sub_type":"url","index":"1","parameters":[{"type":"text","text":"elsewhere"}]}]',
			},
		],
		[
			'JSON with the index as a number',
			{
				variablesMode: 'json',
				templateComponents:
					'[{"type":"BUTTON","sub_type":"URL","index":1,"parameters":[{"type":"text","text":"elsewhere"}]}]',
			},
		],
	])('with the link before a value for that button in %s', async (_name, parameters) => {
		await run({ ...asTemplate, ...parameters });
		expect(JSON.stringify(bodies)).not.toContain('elsewhere');
		expect(JSON.stringify(bodies).match(/signature=/g)).toHaveLength(1);
		expect(bodies[0].template_components).toHaveLength(1);
	});

	it.each<[string, string]>([
		['with a line and a link of its own', 'A\nDecline: https://evil.example'],
		['of two lines', 'A\r\nB'],
		['that is empty', ''],
		['of spaces', '   '],
		['with HTML', '<script>'],
		['without end', 'x'.repeat(5_000)],
	])('and a label %s adds no line and no other link', async (_name, approveLabel) => {
		const { error } = await run({
			...asText,
			approvalOptions: { values: { approvalType: 'double', approveLabel } },
		});
		if (error) return expect(bodies).toEqual([]);
		const lines = contentOf(bodies[0]).split(/[\n\r]+/);
		expect(lines).toHaveLength(3);
		for (const line of lines.slice(1)) expect(line).toMatch(/: http:\/\/127\.0\.0\.1:5678\/\S+$/);
	});
});

describe('Nothing is sent and nothing waits', () => {
	const expectNothing = async (parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) => {
		const result = await run(parameters, options).catch((error: Error) => ({ error, run: undefined }));
		expect(writes(tenant)).toEqual([]);
		expect(result.run?.waitTill).toBeUndefined();
		expect(result.error?.message).toMatch(/\w+ \w+/);
		expect(result.error?.message).not.toMatch(/undefined|\[object|Cannot read|not a function/);
	};

	it.each([2, 50])('for %d items, and a sentence says why', async (count) => {
		await expectNothing(asText, { items: numbered(count) });
		await expectNothing(asTemplate, { items: numbered(count) });
	});

	it('for two items with On Error: Continue', async () => {
		const result = await run(asText, { items: numbered(2), ...going });
		expect(writes(tenant)).toEqual([]);
		expect(result.run.waitTill).toBeUndefined();
		expect(outcomes(result).filter((outcome) => typeof outcome === 'string')).not.toEqual([]);
	});

	it.each<[string, INodeParameters]>([
		['without a message', { message: '' }],
		['with a message of spaces', { message: '  \n ' }],
		['with a message from nothing', { message: '={{ $json.nowhere }}' }],
		['with a record for a message', { message: '={{ {} }}' }],
		['without a conversation', { conversationId: '={{ null }}' }],
		['with a form without fields', { responseType: 'customForm', formFields: {} }],
		['with an unknown answer', { responseType: '={{ "shout" }}' }],
		['with an unknown way', { sendAs: '={{ "pigeon" }}' }],
	])('%s', async (_name, change) => await expectNothing({ ...asText, ...change }));

	const field = (change: IDataObject = {}) => ({
		fieldLabel: 'Size',
		fieldName: 'size',
		fieldType: 'text',
		...change,
	});

	it.each<[string, IDataObject[]]>([
		['two fields of one name', [field(), field({ fieldLabel: 'Other' })]],
		['two fields of one name but for spaces', [field(), field({ fieldName: ' size ' })]],
		['a choice without choices', [field({ fieldType: 'choice', fieldOptions: '' })]],
		['a choice of empty lines', [field({ fieldType: 'choice', fieldOptions: ' \n\n\t' })]],
		['an unknown type', [field({ fieldType: 'colour' })]],
		['a field named __proto__', [field({ fieldName: '__proto__' })]],
		['a field named constructor', [field({ fieldName: 'constructor' })]],
		['a field without name and label', [field({ fieldName: '', fieldLabel: '' })]],
	])('with a form that has %s', async (_name, values) => {
		await expectNothing({
			...asText,
			responseType: 'customForm',
			formFields: { values: values as INodeParameters[] },
		});
	});

	const limited = (values: INodeParameters): INodeParameters => ({
		...asText,
		options: { limitWaitTime: { values } },
	});

	it.each<[string, INodeParameters]>([
		['a time in the past', { limitType: 'atSpecifiedTime', maxDateAndTime: '2001-01-01T00:00:00' }],
		['a time that is none', { limitType: 'atSpecifiedTime', maxDateAndTime: 'soon' }],
		['no time', { limitType: 'atSpecifiedTime', maxDateAndTime: '' }],
		['a day that does not exist', { limitType: 'atSpecifiedTime', maxDateAndTime: '2090-02-31T00:00:00' }],
		['less than nothing', { limitType: 'afterTimeInterval', resumeAmount: -1, resumeUnit: 'hours' }],
		[
			'a number that is none',
			{ limitType: 'afterTimeInterval', resumeAmount: '={{ NaN }}', resumeUnit: 'hours' },
		],
		['a time beyond all dates', { limitType: 'afterTimeInterval', resumeAmount: 1e15, resumeUnit: 'days' }],
		['an amount from nothing', { limitType: 'afterTimeInterval', resumeAmount: '={{ $json.nowhere }}' }],
		['an unknown unit', { limitType: 'afterTimeInterval', resumeAmount: 1, resumeUnit: '={{ "moons" }}' }],
	])('with a limit that is %s', async (_name, values) => await expectNothing(limited(values)));

	it.each<[string, INodeParameters]>([
		['no button', { linkVariable: 3 }],
		['a button that is no URL', { linkVariable: 1 }],
		['a button before the first', { linkVariable: '={{ 0 }}' }],
		['a half button', { linkVariable: '={{ 1.5 }}' }],
		['no number', { linkVariable: '={{ "two" }}' }],
	])('with a template and %s for the link', async (_name, change) => {
		await expectNothing({ ...asTemplate, ...change });
	});

	it.each(['https://shop.example/{{1}}', `${PAGE}`, `${PAGE}x/{{1}}`, `http://evil.example/?${PAGE}{{1}}`])(
		'with a button that leads to %s',
		async (url) => {
			const template = templateOf(
				{ type: 'BODY', text: 'x' },
				{
					type: 'BUTTONS',
					buttons: [
						{ type: 'QUICK_REPLY', text: 'Later' },
						{ type: 'URL', text: 'Answer', url },
					],
				},
			);
			answerWith(tenant, { templates: { data: [template] }, sendTemplate: take });
			await expectNothing(asTemplate);
		},
	);

	it('in a loop through From Automation', async () => {
		await expectNothing(
			{ ...asText, options: { fromAutomation: true } },
			{ sourceType: 'n8n-nodes-customer-messaging.customerMessagingTrigger' },
		);
	});

	it('where the recipient has not consented and that fails', async () => {
		await expectNothing({ ...asTemplate, options: { withoutConsent: 'fail' } });
	});

	it('where the recipient has not consented and is skipped: the item says so', async () => {
		const { run: stored, items, error } = await run({ ...asTemplate, options: { withoutConsent: 'skip' } });
		expect(writes(tenant)).toEqual([]);
		expect(error).toBeUndefined();
		expect(stored.waitTill).toBeUndefined();
		expect(items[0].json).toMatchObject({ skipped: true });
	});

	it('as a tool before the third agent, which cannot wait', async () => {
		const call = await agentTool({ credentials: tenant.credentials, parameters: asText });
		const said = await call({}).then(JSON.stringify, String);
		expect(writes(tenant)).toEqual([]);
		expect(said).toMatch(/\w+ \w+/);
	});

	it("through n8n's routing engine, which does not wait", async () => {
		const { run: stored } = await run(asText, { byRoutingEngine: true });
		expect({ sent: writes(tenant).length > 0, waits: stored.status === 'waiting' }).toEqual(
			stored.status === 'waiting' ? { sent: true, waits: true } : { sent: false, waits: false },
		);
	});
});

describe('Nothing waits where the question', () => {
	const ways = [
		['text', asText],
		['template', asTemplate],
	] as const;

	it.each<[string, object]>([
		['was refused', refusal(422, 'The session is over')],
		['was not allowed', refusal(403)],
		['may not have arrived', refusal(500)],
		['broke off', reset],
		['was not delivered', created({ latest_error: { user_friendly_message: 'The session is over' } })],
		['has the status failed', created({ status: 'failed' })],
	])('%s', async (_name, answer) => {
		for (const [, parameters] of ways) {
			answerWith(tenant, { templates: { data: [approvable] }, send: answer, sendTemplate: answer });
			const { error, run: stored } = await run(parameters);
			expect(error).toBeDefined();
			expect(stored.waitTill).toBeUndefined();
			const continued = await run(parameters, going);
			expect(continued.run.waitTill).toBeUndefined();
			expect(outcomes(continued)).toEqual([expect.any(String)]);
		}
	});

	it.each<[string, object, number]>([
		['may not have arrived, and it is not sent again', refusal(500), 1],
		['was not delivered, and it is not sent again', created({ latest_error: { type: 'x' } }), 1],
		['was refused three times', refusal(422), 3],
	])('%s by Retry On Fail', async (_name, answer, times) => {
		answerWith(tenant, { send: answer });
		const { run: stored } = await run(asText, {
			settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		});
		expect(stored.waitTill).toBeUndefined();
		expect(writes(tenant)).toHaveLength(times);
	});
});

describe('The limit of the wait', () => {
	it.each([
		[1, 'hours', 3_600_000],
		['={{ "2" }}', 'hours', 7_200_000],
		[0.5, 'minutes', 30_000],
		[1.5, 'days', 129_600_000],
	])('of %s %s is kept', async (resumeAmount, resumeUnit, milliseconds) => {
		const before = Date.now();
		const { run: stored } = await run({
			...asText,
			options: { limitWaitTime: { values: { limitType: 'afterTimeInterval', resumeAmount, resumeUnit } } },
		});
		const waits = Number(stored.waitTill) - before;
		expect(waits).toBeGreaterThanOrEqual(milliseconds);
		expect(waits).toBeLessThan(milliseconds + 20_000);
	});

	it.each([
		['2090-05-17T10:00:00Z', '2090-05-17T10:00:00.000Z'],
		['2090-05-17T10:00:00+02:00', '2090-05-17T08:00:00.000Z'],
		['={{ DateTime.fromISO("2090-05-17T10:00:00Z") }}', '2090-05-17T10:00:00.000Z'],
	])('at %s is that moment', async (maxDateAndTime, moment) => {
		const { run: stored } = await run({
			...asText,
			options: { limitWaitTime: { values: { limitType: 'atSpecifiedTime', maxDateAndTime } } },
		});
		expect(stored.waitTill?.toISOString()).toBe(moment);
	});

	it('without one is without end', async () => {
		const { run: stored } = await run(asText);
		expect(Number(stored.waitTill)).toBeGreaterThan(Date.parse('2900-01-01'));
	});
});

it('The token of the credential is nowhere in what is kept of the wait', async () => {
	const result = await run(asText);
	expect(leaksOfRun(result, String(tenant.credentials.accessToken))).toEqual([]);
});

it('The links of two runs of the same question differ', async () => {
	await run(asText);
	await run(asText);
	const [first, second] = bodies.map((body) => linksIn(contentOf(body)));
	expect(first.filter((link) => second.includes(link))).toEqual([]);
});
