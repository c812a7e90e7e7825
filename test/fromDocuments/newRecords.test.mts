import type { FastifyRequest } from 'fastify';
import type { IBinaryKeyData, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../engine/agentTool.mts';
import { type NodeRunOptions, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

/** The bodies that were sent, as JSON or as the text of a form. */
const bodies: string[] = [];

let mimeTypes: unknown;

beforeEach(() => {
	bodies.splice(0);
	mimeTypes = {
		data: { image: ['image/png'], video: ['video/mp4'], audio: ['audio/ogg'], document: ['application/pdf'] },
	};
	tenant.answer(async ({ url, body, method }: FastifyRequest, reply) => {
		if (url.endsWith('/allowed-mime-types'))
			return mimeTypes === undefined
				? await reply.code(403).send({ message: 'no' })
				: await reply.type('application/json').send(JSON.stringify(mimeTypes));
		if (url.endsWith('/media-size-limits')) return await reply.code(403).send({ message: 'no' });
		if (method !== 'GET') bodies.push(Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body));
		return { id: 1, internal_uuid: 'u', url: 'https://files.example/u' };
	});
});

async function run(parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) {
	return await runNode({ credentials: tenant.credentials, ...options, parameters });
}

const failureOf = async (parameters: INodeParameters, options: Partial<NodeRunOptions> = {}) => {
	const { error, items } = await run(parameters, options);
	const failure = error ?? items[0]?.error;
	return failure && `${failure.message}\n${failure.description ?? ''}`;
};

const template: INodeParameters = { resource: 'template', operation: 'create' };

const FULL: INodeParameters = {
	...template,
	name: 'order_shipped',
	language: 'en_US',
	templateCategory: 'UTILITY',
	templateHeader: { header: { type: 'TEXT', text: 'News for {{1}}', sample: 'Jo' } },
	templateBody: 'Dear {{1}}, your order {{2}} is on its way.',
	bodySamples: {
		variable: [
			{ name: '1', text: 'Jo' },
			{ name: '2', text: 'A-1' },
		],
	},
	templateFooter: 'Reply STOP',
	templateButtons: {
		button: [
			{ type: 'QUICK_REPLY', text: 'Thanks' },
			{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', sample: 'https://shop.example/A-1' },
			{ type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '+49 171 1234567' },
			{ type: 'COPY_CODE', sample: 'SAVE20' },
		],
	},
};

const componentsOf = (index = 0) =>
	(JSON.parse(bodies[index]) as { components: Array<IDataObject & { type: string }> }).components;

const component = (type: string) => componentsOf().find((one) => one.type === type);

describe('A new template', () => {
	it("has its parts in the chat app provider's format", async () => {
		const { error } = await run(FULL);
		expect(error).toBeUndefined();
		expect(JSON.parse(bodies[0])).toEqual({
			name: 'order_shipped',
			language: 'en_US',
			category: 'UTILITY',
			components: [
				{
					type: 'HEADER',
					format: 'TEXT',
					text: 'News for {{1}}',
					example: { header_text: ['Jo'] },
				},
				{
					type: 'BODY',
					text: 'Dear {{1}}, your order {{2}} is on its way.',
					example: { body_text: [['Jo', 'A-1']] },
				},
				{ type: 'FOOTER', text: 'Reply STOP' },
				{
					type: 'BUTTONS',
					buttons: [
						{ type: 'QUICK_REPLY', text: 'Thanks' },
						{
							type: 'URL',
							text: 'Track',
							url: 'https://shop.example/{{1}}',
							example: ['https://shop.example/A-1'],
						},
						{ type: 'PHONE_NUMBER', text: 'Call', phone_number: expect.stringMatching(/^\+?491711234567$/) },
						{ type: 'COPY_CODE', example: 'SAVE20' },
					],
				},
			],
		});
	});

	it('has samples in the order of their numbers', async () => {
		await run({
			...FULL,
			bodySamples: {
				variable: [
					{ name: '2', text: 'A-1' },
					{ name: '1', text: 'Jo' },
				],
			},
		});
		expect(component('BODY')?.example).toEqual({ body_text: [['Jo', 'A-1']] });
	});

	it('has ten samples in the order of their numbers', async () => {
		const places = Array.from({ length: 11 }, (_, index) => String(index + 1));
		await run({
			...FULL,
			templateBody: places.map((place) => `{{${place}}}`).join(' '),
			bodySamples: { variable: [...places].sort().map((name) => ({ name, text: `v${name}` })) },
		});
		expect(component('BODY')?.example).toEqual({ body_text: [places.map((place) => `v${place}`)] });
	});

	it('has samples by name', async () => {
		await run({
			...FULL,
			templateBody: 'Dear {{first_name}}',
			bodySamples: { variable: [{ name: 'first_name', text: 'Jo' }] },
		});
		expect(component('BODY')?.example).toEqual({
			body_text_named_params: [{ param_name: 'first_name', example: 'Jo' }],
		});
	});

	it.each(['IMAGE', 'VIDEO', 'DOCUMENT'])('has a header with a sample of %s', async (type) => {
		await run({ ...FULL, templateHeader: { header: { type, sample: '4::aW1n' } } });
		expect(component('HEADER')).toEqual({
			type: 'HEADER',
			format: type,
			example: { header_handle: ['4::aW1n'] },
		});
	});

	it('has a header with a place', async () => {
		await run({ ...FULL, templateHeader: { header: { type: 'LOCATION' } } });
		expect(component('HEADER')).toEqual({ type: 'HEADER', format: 'LOCATION' });
	});

	it.each<[string, INodeParameters]>([
		['a header without a variable', { templateHeader: { header: { type: 'TEXT', text: 'News' } } }],
		['a body without a variable', { templateBody: 'Hello.', bodySamples: {} }],
		['a body without samples', { bodySamples: {} }],
	])('with %s has no empty sample', async (_name, change) => {
		const { error } = await run({ ...FULL, ...change });
		expect(error).toBeUndefined();
		expect(bodies[0]).not.toMatch(/\[\]|\[\[\]\]|\[""\]|null|"example":\{\}/);
	});

	it.each<[string, INodeParameters, string[]]>([
		['only a body', { templateBody: 'Hi' }, ['BODY']],
		['a body and a footer', { templateBody: 'Hi', templateFooter: 'Bye' }, ['BODY', 'FOOTER']],
		['only buttons', { templateButtons: { button: [{ type: 'QUICK_REPLY', text: 'Ok' }] } }, ['BUTTONS']],
		['empty buttons beside a body', { templateBody: 'Hi', templateButtons: {} }, ['BODY']],
		[
			'an empty list of buttons beside a body',
			{ templateBody: 'Hi', templateButtons: { button: [] } },
			['BODY'],
		],
		['an empty header beside a body', { templateBody: 'Hi', templateHeader: {} }, ['BODY']],
	])('of %s has no other part', async (_name, change, types) => {
		const { error } = await run({ ...template, name: 'a', ...change });
		expect(error).toBeUndefined();
		expect(componentsOf().map(({ type }) => type)).toEqual(types);
	});

	it('without parts has no components', async () => {
		await run({ ...template, name: 'a', language: 'de' });
		expect(bodies).toEqual(['{"name":"a","language":"de"}']);
	});

	it.each<[string, INodeParameters, RegExp]>([
		['nothing at all', {}, /field|value/i],
		['a body that is a record', { templateBody: '={{ {"a":1} }}' }, /Body/],
		['a name that is a list', { name: '={{ [1] }}' }, /Name/],
		['a category that is none', { name: 'a', templateCategory: '={{ "Utility!" }}' }, /Category/],
		['a name from nowhere', { name: '={{ $json.nowhere }}', fieldsJson: '={{ $json.nowhere }}' }, /\w+/],
	])('with %s is refused before anything is sent', async (_name, change, words) => {
		const failure = await failureOf({ ...template, ...change });
		expect(bodies).toEqual([]);
		expect(failure).toMatch(words);
	});

	it('has each item with its own words', async () => {
		const { error } = await run(
			{ ...template, name: '={{ $json.name }}', templateBody: '={{ $json.body }}' },
			{ items: [{ json: { name: 'a', body: 'A' } }, { json: { name: 'b', body: 5 } }] },
		);
		expect(error).toBeUndefined();
		expect(bodies.map((body) => (JSON.parse(body) as IDataObject).name).sort()).toEqual(['a', 'b']);
		expect(bodies.join()).toContain('"text":"5"');
	});

	it('has other members from JSON, and those of Other Fields win', async () => {
		await run({
			...template,
			name: 'a',
			fields: { field: [{ name: 'name', value: 'b' }] },
			fieldsJson: '{"name":"c","allow_category_change":true}',
		});
		expect(JSON.parse(bodies[0])).toEqual({ name: 'b', allow_category_change: true });
	});

	it.each(['{"__proto__":{"polluted":1},"a":1}', '{"constructor":{"prototype":{"polluted":1}},"a":1}'])(
		'takes no harm from %s',
		async (fieldsJson) => {
			await run({ ...template, name: 'a', fieldsJson });
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	it('is made by a model from its own words', async () => {
		const call = await agentTool({
			credentials: tenant.credentials,
			parameters: {
				...template,
				name: '={{ $fromAI("name") }}',
				language: 'en_US',
				templateBody: '={{ $fromAI("body") }}',
			},
		});
		await call({ name: 'order_late', body: 'Sorry, {{1}}!' });
		expect(JSON.parse(bodies[0])).toEqual({
			name: 'order_late',
			language: 'en_US',
			components: [{ type: 'BODY', text: 'Sorry, {{1}}!' }],
		});
	});
});

describe('An old workflow sends what it has sent', () => {
	it.each<[string, INodeParameters, string]>([
		[
			'a template by Other Fields',
			{
				...template,
				fields: {
					field: [
						{ name: 'name', value: 'a' },
						{ name: 'language', value: 'de' },
					],
				},
			},
			'{"name":"a","language":"de"}',
		],
		[
			'a template by JSON',
			{ ...template, fieldsJson: '{"language":"de","components":[{"type":"BODY","text":"x"}],"name":"a"}' },
			'{"language":"de","components":[{"type":"BODY","text":"x"}],"name":"a"}',
		],
		[
			'a template by Tenant Fields',
			{
				...template,
				tenantFields: {
					mappingMode: 'defineBelow',
					value: { name: 'a', category: 'x' },
					schema: ['name', 'category'].map((id) => ({
						...{ id, displayName: id, type: 'string', required: false },
						...{ defaultMatch: false, display: true },
					})),
				} as never,
			},
			'{"name":"a","category":"x"}',
		],
		[
			'a group by Other Fields',
			{ resource: 'group', operation: 'create', fields: { field: [{ name: 'title', value: 'a' }] } },
			'{"title":"a"}',
		],
		[
			'a group by JSON',
			{ resource: 'group', operation: 'update', groupId: byId(3), fieldsJson: '{"name":null,"x":[1]}' },
			'{"name":null,"x":[1]}',
		],
	])('%s', async (_name, parameters, body) => {
		const { error } = await run(parameters);
		expect(error).toBeUndefined();
		expect(bodies).toEqual([body]);
	});
});

describe('A group', () => {
	const group: INodeParameters = { resource: 'group', operation: 'create' };

	it.each<[string, INodeParameters, unknown]>([
		['its name', { name: 'Regulars' }, { name: 'Regulars' }],
		['a number for a name', { name: '={{ 5 }}' }, { name: '5' }],
		['Other Fields beside it', { name: 'a', fieldsJson: '{"color":"red"}' }, { name: 'a', color: 'red' }],
		['Other Fields over it', { name: 'a', fields: { field: [{ name: 'name', value: 'b' }] } }, { name: 'b' }],
	])('is created with %s', async (_name, parameters, body) => {
		await run({ ...group, ...parameters });
		expect(bodies.map((one) => JSON.parse(one) as unknown)).toEqual([body]);
	});

	it.each([{}, { name: '' }, { name: '', fieldsJson: '{}' }])(
		'is not created with %j',
		async (parameters) => {
			expect(await failureOf({ ...group, ...parameters })).toMatch(/\w+ \w+/);
			expect(bodies).toEqual([]);
		},
	);

	it('is renamed', async () => {
		await run({ ...group, operation: 'update', groupId: byId(3), name: 'b' });
		expect(bodies).toEqual(['{"name":"b"}']);
		expect(tenant.asked).toEqual(['PATCH /third-party/v1/groups/3']);
	});
});

const upload: INodeParameters = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };

const itemWith = (binary: IBinaryKeyData): INodeExecutionData[] => [{ json: {}, binary }];

const fileOf = (mimeType: string) => ({ data: 'YWJj', mimeType, fileName: 'a.bin' });

const typeOf = (form: string) => /name="type"\r\n(?:[^\r]+\r\n)*\r\n([^\r]*)/.exec(form)?.[1];

describe('The type of a file', () => {
	it.each([
		['image/png', 'image'],
		['IMAGE/PNG', 'image'],
		['image/png; name=a', 'image'],
		['image/svg+xml', 'image'],
		['video/mp4', 'video'],
		['audio/ogg; codecs=opus', 'audio'],
		['application/pdf', 'document'],
		['text/plain', 'document'],
		['application/octet-stream', 'document'],
		['font/woff', 'document'],
		['imagexyz/png', 'document'],
	])('is found from %s', async (mimeType, type) => {
		for (const parameters of [upload, { ...upload, type: 'automatic' }]) {
			bodies.splice(0);
			mimeTypes = undefined;
			const { error } = await run(parameters, { items: itemWith({ data: fileOf(mimeType) }) });
			expect(error).toBeUndefined();
			expect(bodies.map(typeOf)).toEqual([type]);
		}
	});

	it('is document where the tenant allows the MIME type as one', async () => {
		mimeTypes = { data: { image: ['image/png'], video: [], audio: [], document: ['image/png'] } };
		await run({ ...upload, type: 'automatic' }, { items: itemWith({ data: fileOf('image/png') }) });
		expect(bodies.map(typeOf)).toEqual(['document']);
	});

	it.each([
		{ data: {} },
		{ data: { document: null } },
		{ data: { document: 'x' } },
		{ data: { document: [null, 5] } },
	])('does not depend on a tenant that allows %j', async (allowed) => {
		mimeTypes = allowed;
		const { error } = await run(
			{ ...upload, type: 'automatic' },
			{ items: itemWith({ data: fileOf('image/png') }) },
		);
		expect(error).toBeUndefined();
		expect(bodies.map(typeOf)).toEqual(['image']);
	});

	it.each(['image', 'video', 'audio', 'document'])('stays %s where a workflow says so', async (type) => {
		mimeTypes = undefined;
		await run({ ...upload, type }, { items: itemWith({ data: fileOf('image/png') }) });
		expect(bodies.map(typeOf)).toEqual([type]);
	});
});

describe('A binary field that is missing', () => {
	it.each<[string, INodeExecutionData, RegExp[]]>([
		['one other', { json: {}, binary: { photo: fileOf('image/png') } }, [/photo/]],
		[
			'several others',
			{ json: {}, binary: { photo: fileOf('image/png'), 'my invoice': fileOf('application/pdf') } },
			[/photo/, /my invoice/],
		],
		['none', { json: {} }, [/data/]],
		['an empty set', { json: {}, binary: {} }, [/data/]],
		['a field of JSON of that name', { json: { data: 'x' } }, [/data/]],
	])('is told to an item with %s', async (_name, item, words) => {
		const failure = await failureOf(upload, { items: [item] });
		expect(failure).toMatch(/is not a binary field of the item|binary/);
		for (const word of words) expect(failure).toMatch(word);
		expect(failure).not.toMatch(/undefined|\[object/);
		expect(bodies).toEqual([]);
	});

	it.each(['__proto__', 'constructor', 'toString', 'Data', ' ', 'data.x'])(
		'is %j',
		async (binaryPropertyName) => {
			const failure = await failureOf(
				{ ...upload, binaryPropertyName },
				{ items: itemWith({ data: fileOf('image/png') }) },
			).catch((error: Error) => error.message);
			expect(failure).toMatch(/binary|Input Binary Field/i);
			expect(bodies).toEqual([]);
		},
	);

	it('is told shortly to an item with 1,000 files', async () => {
		const files = Object.fromEntries(
			Array.from({ length: 1000 }, (_, index) => [`file_${index}_${'x'.repeat(50)}`, fileOf('image/png')]),
		);
		const failure = await failureOf(upload, { items: itemWith(files) });
		expect(failure).toContain('file_0_');
		expect(String(failure).length).toBeLessThan(5000);
	});

	it('is told for media and for the header of a template as well', async () => {
		const items = itemWith({ photo: fileOf('image/png') });
		const media = { resource: 'media', operation: 'create', source: 'binary', binaryPropertyName: 'data' };
		expect(await failureOf(media, { items })).toContain('photo');
		const image = {
			...{ resource: 'message', operation: 'send', conversationId: '3', messageType: 'image' },
			...{ fileSource: 'binary', binaryPropertyName: 'data' },
		};
		expect(await failureOf(image, { items })).toContain('photo');
	});
});
