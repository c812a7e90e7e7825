import { createHmac } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { leaksIn, LogWatch } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { arrive, type Arrival, type Arrived, newMessage, TRIGGER_NODE } from '../nodes/trigger/arrival.mts';

const tenant = OddTenant.inEachTest();
const log = LogWatch.inEachTest();

const SECRET = 'shared-secret-123456';

const header = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: SECRET };
const basic = { method: 'basicAuth', user: 'tenant-user', password: SECRET };
const hmac = {
	...{ method: 'hmac', signatureHeaderName: 'X-Signature', secret: SECRET, algorithm: 'sha256' },
	...{ encoding: 'hex', prefix: 'sha256=', timestampHeaderName: 'X-Timestamp', toleranceSeconds: 300 },
};

const event = (message: IDataObject = {}, kind = 'new-agent-message') => ({
	event: kind,
	message: { ...newMessage(), ...message },
});

const filtered = (filters: INodeParameters, message: IDataObject = {}): Arrival => ({
	parameters: { filters },
	payload: event(message),
});

/** What an arrival is refused for, its status in production, and words that help. */
const REFUSED: Array<[string, Arrival, number, RegExp]> = [
	['no header', { credential: header }, 401, /X-Webhook-Secret/i],
	[
		'another secret',
		{ credential: header, headers: { 'x-webhook-secret': 'another-secret-999' } },
		401,
		/X-Webhook-Secret|secret/i,
	],
	['no login', { credential: basic }, 401, /Authorization|user name|login|Basic/i],
	[
		'another login',
		{ credential: basic, headers: { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` } },
		401,
		/password|login|user name/i,
	],
	['no signature', { credential: hmac }, 401, /X-Signature/i],
	[
		'no timestamp',
		{ credential: hmac, headers: { 'x-signature': `sha256=${'0'.repeat(64)}` } },
		401,
		/X-Timestamp/i,
	],
	[
		'an old timestamp',
		{ credential: hmac, headers: { 'x-signature': `sha256=${'0'.repeat(64)}`, 'x-timestamp': '1000000000' } },
		401,
		/X-Timestamp|timestamp/i,
	],
	[
		'a wrong signature',
		{
			credential: hmac,
			headers: {
				'x-signature': `sha256=${'0'.repeat(64)}`,
				'x-timestamp': String(Math.floor(Date.now() / 1000)),
			},
		},
		401,
		/signature/i,
	],
	[
		'an address',
		{ ip: '203.0.113.9', parameters: { additionalOptions: { ipAllowList: '192.0.2.1' } } },
		403,
		/203\.0\.113\.9|IP Allow List/,
	],
	['a content type', { headers: { 'content-type': 'text/plain' } }, 415, /content type|JSON/i],
	['no JSON', { body: Buffer.from('{') }, 400, /JSON/],
	['a text', { body: Buffer.from('"x"') }, 400, /JSON|object/],
	['no body', { body: Buffer.alloc(0) }, 400, /JSON|body|empty/i],
	['1,001 events', { payload: Array.from({ length: 1001 }, () => event()) }, 400, /holds too much/],
	['its size', { body: Buffer.alloc(2 * 1024 * 1024, 0x20) }, 413, /Maximum Size|large/i],
	['another kind', { payload: event({}, 'message-read') }, 200, /message-read|kind|Pass Unknown/i],
	['Status', filtered({ status: 'failed' }), 200, /Status/],
	['From', filtered({ from: 'bot' }), 200, /From/],
	['Source', filtered({ source: 'campaign' }), 200, /Source/],
	['Conversation IDs', filtered({ conversation: '99' }), 200, /Conversation/],
	['Only Failed', filtered({ onlyFailed: true }), 200, /Only Failed/],
	['Template IDs', filtered({ template: '5' }, { ca_template_id: 6 }), 200, /Template/],
	[
		'Templates',
		filtered({ templates: { chosen: { templateIds: [5] } } }, { ca_template_id: 6 }),
		200,
		/Template/,
	],
];

const told = ({ error }: Arrived) => `${error?.message ?? ''}\n${error?.description ?? ''}`;

it.each(REFUSED)(
	'a delivery refused for %s says why to the person who listens, and nothing secret to anybody',
	async (_name, arrival, status, words) => {
		const arrived = await arrive({ ...arrival, mode: 'manual' });
		expect(arrived.items).toBeUndefined();
		expect(told(arrived)).toMatch(words);
		expect(told(arrived)).toMatch(/\w+ \w+ \w+/);
		expect(told(arrived)).not.toMatch(/undefined|\[object/);
		const body = arrived.body ?? {};
		expect(leaksIn(body, SECRET)).toEqual([]);
		expect(leaksIn([told(arrived), log.lines], SECRET)).toEqual([]);
		expect(JSON.stringify(body)).not.toMatch(/tenant-user|description|stack/);
		expect(JSON.stringify(body).length).toBeLessThan(1000);
		const { body: inProduction, error, items, status: answered } = await arrive(arrival);
		expect([inProduction, error, items]).toEqual([undefined, undefined, undefined]);
		expect(answered).toBe(status);
	},
);

it('a header that a sender makes up is not in what is told', async () => {
	const arrived = await arrive({
		credential: header,
		mode: 'manual',
		headers: { 'x-webhook-secret': 'tried-secret-abcdef', authorization: 'Bearer tried-token-abcdef' },
	});
	expect(leaksIn([told(arrived), arrived.body], 'tried-secret-abcdef')).toEqual([]);
	expect(leaksIn([told(arrived), arrived.body], 'tried-token-abcdef')).toEqual([]);
});

it.each(['<script>alert(1)</script>', 'x'.repeat(100_000), '__proto__', '\u0000\u001b[31m'])(
	'what is told stays short and harmless for an event of the kind %.40j',
	async (kind) => {
		const arrived = await arrive({ payload: event({}, kind), mode: 'manual' });
		expect(told(arrived)).toMatch(/\w+ \w+/);
		expect(told(arrived).length).toBeLessThan(2000);
		expect(JSON.stringify(arrived.body ?? '')).not.toContain('<script>');
	},
);

it('the same event is heard twice while somebody listens', async () => {
	const payload = event();
	const set = { workflowId: 'w-listen', nodeId: 'n', credentialId: 'c', staticData: {}, payload };
	for (let round = 0; round < 3; round++)
		expect((await arrive({ ...set, mode: 'manual' })).items).toHaveLength(1);
	expect((await arrive({ ...set, mode: 'webhook' })).items).toHaveLength(1);
	const again = await arrive({ ...set, mode: 'webhook' });
	expect([again.items, again.status, again.body]).toEqual([undefined, 200, undefined]);
});

it('a signed event is heard while somebody listens', async () => {
	const body = Buffer.from(JSON.stringify(event()));
	const time = String(Math.floor(Date.now() / 1000));
	const signature = createHmac('sha256', SECRET).update(`${time}.`).update(body).digest('hex');
	const { items, error } = await arrive({
		credential: hmac,
		body,
		mode: 'manual',
		headers: { 'x-signature': `sha256=${signature}`, 'x-timestamp': time },
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});

it('of several events, those that pass are heard', async () => {
	const { items, error } = await arrive({
		mode: 'manual',
		parameters: { filters: { status: 'failed' } },
		payload: [event({ status: 'created' }), event({ status: 'failed' })],
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(1);
});

describe('The filters', () => {
	it.each<[string, INodeParameters, IDataObject, boolean]>([
		['a status', { status: 'failed' }, { status: 'failed' }, true],
		['capital letters', { status: 'FAILED' }, { status: 'failed' }, true],
		['a stored list', { status: 'failed, created' }, { status: 'created' }, true],
		['an expression with a list', { status: '={{ ["failed","created"] }}' }, { status: 'created' }, true],
		['an empty list', { status: '={{ [] }}' }, { status: 'created' }, true],
		['another', { status: 'failed' }, { status: 'created' }, false],
		['a part of it', { status: 'fail' }, { status: 'failed' }, false],
		['no status', { status: 'failed' }, { status: null }, false],
		['a number for a sender', { from: '5' }, { from: 5 }, true],
		['chosen templates', { templates: { chosen: { templateIds: [5, 7] } } }, { ca_template_id: 7 }, true],
		[
			'chosen templates, as texts',
			{ templates: { chosen: { templateIds: ['7'] } } },
			{ ca_template_id: 7 },
			true,
		],
		[
			'an ID that is a text',
			{ templates: { chosen: { templateIds: ['t-7'] } } },
			{ ca_template_id: 't-7' },
			true,
		],
		['none chosen', { templates: { chosen: { templateIds: [] } } }, { ca_template_id: 7 }, true],
		[
			'one of both',
			{ template: '5', templates: { chosen: { templateIds: [7] } } },
			{ ca_template_id: 5 },
			true,
		],
		[
			'neither of both',
			{ template: '5', templates: { chosen: { templateIds: [7] } } },
			{ ca_template_id: 6 },
			false,
		],
		['no template', { templates: { chosen: { templateIds: [7] } } }, { ca_template_id: null }, false],
	])('compare %s', async (_name, filters, message, passes) => {
		const { items } = await arrive(filtered(filters, message));
		expect(items !== undefined).toBe(passes);
	});
});

/** The credential of the trigger's list of templates is asked for where the filter is there. */
const WITH_TEMPLATES: INodeParameters = { filters: { templates: { chosen: { templateIds: [] } } } };

async function optionsOf(method: string, parameters: INodeParameters = WITH_TEMPLATES, settings = {}) {
	const { methods, context } = await editorOf({
		type: TRIGGER_NODE,
		credentials: tenant.credentials,
		parameters,
		settings,
	});
	return (await methods.loadOptions?.[method].call(context)) ?? [];
}

const LISTS: Array<[string, string, string[]]> = [
	['getMessageFrom', 'from', []],
	['getMessageSource', 'source', []],
	['getMessageStatus', 'status', ['created']],
];

describe.each(LISTS)('%s', (method, name, known) => {
	it('offers what is known, without a credential', async () => {
		const options = await optionsOf(method, {}, { credentials: {} });
		expect(options.map(({ value }) => value)).toEqual(expect.arrayContaining(known));
		expect(tenant.asked).toEqual([]);
	});

	it.each(['delivered', 'delivered, read', 'CREATED', ' x ', '5', '__proto__'])(
		'keeps the stored value %j',
		async (stored) => {
			const options = await optionsOf(method, { filters: { [name]: stored } }, { credentials: {} });
			const values = options.map(({ value }) => value);
			expect(values).toContain(stored);
			expect(new Set(values).size).toBe(values.length);
			for (const option of options) expect(option.name).toMatch(/\S/);
		},
	);

	it.each(['={{ $json.x }}', '', null, 5, ['a'], {}])('does not fail for the stored %j', async (stored) => {
		const options = await optionsOf(
			method,
			{ filters: { [name]: stored } as INodeParameters },
			{ credentials: {} },
		);
		for (const option of options) expect(typeof option.name).toBe('string');
	});
});

describe('The templates of the trigger', () => {
	const template = (more: IDataObject) => ({ name: 'a', language: 'de', status: 'APPROVED', ...more });

	it('are shown by name and language, and chosen by ID', async () => {
		tenant.answer(() => ({ data: [template({ id: 5 }), template({ id: 6, language: 'en' })] }));
		const options = await optionsOf('getTemplates');
		expect(options.map(({ value }) => value)).toEqual([5, 6]);
		for (const [index, language] of ['de', 'en'].entries()) {
			expect(options[index].name).toContain('a');
			expect(options[index].name).toContain(language);
		}
	});

	it('have IDs that are texts', async () => {
		tenant.answer(() => ({ data: [template({ id: 't-5' })] }));
		expect((await optionsOf('getTemplates')).map(({ value }) => value)).toEqual(['t-5']);
	});

	it('have no nonsense in their names', async () => {
		tenant.answer(() => ({ data: [{ id: 1 }, { id: 2, name: 'b' }, { id: 3, name: 'c', language: null }] }));
		const options = await optionsOf('getTemplates').catch((error: unknown) => error as Error);
		if (options instanceof Error) return expect(options.message).toMatch(/list that cannot be read/);
		expect(options.map(({ name }) => name).join()).not.toMatch(/undefined|null|\[object/);
	});

	it('tell in a sentence why they cannot be listed, without the token', async () => {
		tenant.answer(
			async (request, reply) => await reply.code(403).send({ message: `${request.headers.authorization}` }),
		);
		const error = await optionsOf('getTemplates').catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(Error);
		expect(leaksIn(error, String(tenant.credentials.accessToken))).toEqual([]);
	});
});
