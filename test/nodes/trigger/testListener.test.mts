import type { ICredentialDataDecryptedObject, IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { editorOf } from '../../engine/engine.mts';
import { leaksIn } from '../../engine/leaks.mts';
import { TestTenant } from '../../engine/tenant.mts';
import { arrive, type Arrival, newMessage, TRIGGER_NODE } from './arrival.mts';

const SECRET = 'sixteen-or-more-characters';
const credential: ICredentialDataDecryptedObject = {
	method: 'headerSecret',
	headerName: 'X-Webhook-Secret',
	secret: SECRET,
};
const right = { 'x-webhook-secret': SECRET };

const message = (change: IDataObject) => ({ message: { ...newMessage(), ...change } });
const filtered = (filters: IDataObject, change: IDataObject = {}): Arrival => ({
	parameters: { filters: filters as never },
	payload: message(change),
});

/** Deliveries that do not start the workflow: the status, what the sender reads, and what else the person reads. */
const REFUSED: Array<[string, Arrival, number, string, RegExp]> = [
	[
		'without its secret',
		{ credential },
		401,
		'The secret, login or signature is wrong or missing',
		/no header "x-webhook-secret"/,
	],
	[
		'with a wrong secret',
		{ credential, headers: { 'x-webhook-secret': 'another' } },
		401,
		'The secret, login or signature is wrong or missing',
		/^Enter the same values/,
	],
	[
		'for a trigger without a credential',
		{ credential, isCredentialChosen: false },
		403,
		'The trigger has no credential',
		/Choose one/,
	],
	[
		'from another address',
		{ parameters: { additionalOptions: { ipAllowList: '198.51.100.1' } } },
		403,
		'The address of the caller is not on the IP Allow List',
		/came from 192\.0\.2\.7\..*N8N_PROXY_HOPS/,
	],
	[
		'with a form',
		{ headers: { 'content-type': 'application/x-www-form-urlencoded' } },
		415,
		'The content type of the webhook is not JSON',
		/application\/json/,
	],
	[
		'with half a body',
		{ body: Buffer.from('{"event":') },
		400,
		'The body of the webhook is not a JSON object or a list of objects, or holds too much',
		/body/,
	],
	[
		'with a large body',
		{ body: Buffer.alloc(2_000_000, ' ') },
		413,
		'The webhook is larger than Maximum Size',
		/Raise Maximum Size/,
	],
	[
		'when the credential cannot be read',
		{ credential: new Error('No key') },
		500,
		'n8n could not take the webhook',
		/log of n8n/,
	],
	[
		'about a customer',
		{ payload: { event: 'customer-created', data: { id: 7 } } },
		200,
		'The webhook is about no agent message',
		/Messages of customers and other events do not/,
	],
	[
		'with a message of a customer',
		{ payload: { event: 'new-customer-message', ...message({ from: 'customer' }) } },
		200,
		'The webhook is about no agent message',
		/Messages of customers/,
	],
	[
		'with another status',
		filtered({ status: 'failed', from: 'agent' }),
		200,
		'No message of the webhook passes the Filters',
		/^In the first message, Status is created\./,
	],
	[
		'with a delivered message',
		filtered({ onlyFailed: true, source: 'api' }, { source: 'x' }),
		200,
		'No message of the webhook passes the Filters',
		/there is no error \(Only Failed\), Source is x\./,
	],
	[
		'with another template',
		filtered({ template: 'welcome' }, { ca_template_id: 7 }),
		200,
		'No message of the webhook passes the Filters',
		/Template is 7 or null\./,
	],
];

describe('while a person listens for a test event, a delivery', () => {
	it.each(REFUSED)(
		'%s ends with the reason, for the sender too',
		async (_, arrival, status, reason, remedy) => {
			const listened = await arrive({ ...arrival, mode: 'manual' });
			expect(listened).toMatchObject({ status, body: { message: reason }, items: undefined });
			expect(listened.error).toMatchObject({ name: 'NodeOperationError', message: reason });
			expect(listened.error?.description).toMatch(remedy);
			expect(listened.error?.description).toMatch(/Then listen again for the next one\.$/);
			expect(leaksIn([listened.error, listened.body], SECRET)).toEqual([]);
		},
	);

	it.each(REFUSED)(
		'%s is answered in production as before, without a body or an error',
		async (_, arrival, status) => {
			const { body, error, ...arrived } = await arrive(arrival);
			expect([body, error]).toEqual([undefined, undefined]);
			expect(arrived).toMatchObject({ status, result: { noWebhookResponse: true } });
		},
	);

	it('that is right starts the workflow', async () => {
		const { items, error } = await arrive({ credential, headers: right, mode: 'manual' });
		expect([items?.length, error]).toEqual([1, undefined]);
	});
});

describe('a simplified event', () => {
	it('holds what people look for', async () => {
		const contents = [
			{ type: 'template', template: { name: 'shipped', language: 'de', body: { text: 'Hi' } } },
		];
		const { items } = await arrive({
			parameters: { output: 'simplified' },
			payload: message({
				...{ id: 1, contents, customer_id: 9, agent_reaction: 'x', status: 'failed' },
				latest_error: { user_friendly_message: 'Blocked' },
			}),
		});
		expect(items).toEqual([
			{
				...{ id: 1, conversation_id: 3, customer_id: 9, from: 'agent', status: 'failed' },
				...{ text: 'Hi', template: 'shipped', language: 'de', error: 'Blocked' },
				...{ contents, latest_error: { user_friendly_message: 'Blocked' } },
			},
		]);
	});

	it('of another kind stays whole', async () => {
		const payload = { event: 'deleted', uuid: 'x' };
		const parameters = { output: 'simplified', additionalOptions: { passUnknown: true } };
		expect((await arrive({ parameters, payload })).items).toEqual([payload]);
	});
});

describe('the filters', () => {
	const starts = async (filters: IDataObject, change: IDataObject) =>
		(await arrive(filtered(filters, change))).items !== undefined;
	const named = { contents: [{ type: 'template', template: { name: 'shipped' } }] };
	const chosen = (templateIds: unknown) => ({ templates: { chosen: { templateIds } } as never });

	it.each<[string, IDataObject, IDataObject, boolean]>([
		['a stored list of values', { status: 'created, sent' }, { status: 'Sent' }, true],
		['a list of an expression', { from: ['bot', 'agent'] }, {}, true],
		['any value', { source: '' }, { source: 'api' }, true],
		['a stored ID of a template', { template: '7, 8' }, { ca_template_id: 8 }, true],
		['the name of a template', { template: 'Shipped' }, named, true],
		['another name of a template', { template: 'welcome' }, named, false],
		['a chosen template', chosen([7, 8]), { ca_template_id: 8 }, true],
		['a template that is not chosen', chosen([7]), { ca_template_id: 8 }, false],
		['chosen templates beside IDs', { template: '8', ...chosen([7]) }, { ca_template_id: 8 }, true],
		['no chosen template', chosen([]), { ca_template_id: 8 }, true],
	])('compare %s', async (_, filters, change, expected) => {
		expect(await starts(filters, change)).toBe(expected);
	});

	const tenant = TestTenant.inEachTest();
	const optionsOf = async (method: string, filters: IDataObject = {}): Promise<INodePropertyOptions[]> => {
		const { methods, context } = await editorOf({
			type: TRIGGER_NODE,
			parameters: { filters: filters as never },
			credentials: tenant.credentials,
		});
		return (await methods.loadOptions?.[method].call(context)) ?? [];
	};

	it.each([
		['getMessageFrom', 'from', 'agent'],
		['getMessageSource', 'source', 'automation'],
		['getMessageStatus', 'status', 'created'],
	])('%s offers the known values, and what the workflow has stored', async (method, filter, known) => {
		const values = (await optionsOf(method, { [filter]: 'seen, read' })).map(({ value }) => value);
		expect(values).toEqual(expect.arrayContaining(['', known, 'seen, read']));
		expect((await optionsOf(method)).map(({ value }) => value)).not.toContain('seen, read');
		expect(tenant.sent()).toEqual([]);
	});

	it('offer templates by name and language', async () => {
		const options = await optionsOf('getTemplates', { templates: { chosen: {} } });
		expect(options).toContainEqual({ name: 'opening_hours · en_US', value: 84 });
	});
});
