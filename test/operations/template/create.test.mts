import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { agentTool } from '../../engine/agentTool.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const CREATE = { resource: 'template', operation: 'create' };

/** The body that goes out, byte for byte. */
async function sentBody(parameters: IDataObject, json: IDataObject = {}): Promise<string | undefined> {
	tenant.sandbox.clearRequests();
	const run = await tenant.run({ ...CREATE, ...parameters } as INodeParameters, { items: [{ json }] });
	expect(run.error && `${run.error.message}\n${run.error.description}`).toBeUndefined();
	const [request, ...others] = tenant.sent();
	expect(others).toEqual([]);
	expect(request.path).toContain('/templates');
	return request.body;
}

const button = (...rows: IDataObject[]) => ({ button: rows });
const samples = (...rows: Array<[string, string]>) => ({
	variable: rows.map(([name, text]) => ({ name, text })),
});

describe('a new template', () => {
	it('goes out in the order of its form', async () => {
		expect(
			await sentBody({
				name: ' parcel ',
				language: 'en_US',
				templateCategory: 'UTILITY',
				templateHeader: { header: { text: 'Hello {{1}}', sample: 'Jo' } },
				templateBody: 'Your parcel {{1}} arrives on {{2}}.\n\nThank you',
				bodySamples: samples(['2', 'Monday'], ['{{1}}', 'A-1001']),
				templateFooter: 'Reply STOP',
				templateButtons: button(
					{ type: 'URL', text: 'Track', url: 'https://a.example/{{1}}', sample: 'https://a.example/7' },
					{ text: 'Thanks' },
					{ type: 'PHONE_NUMBER', text: 'Call', phoneNumber: '+49 171 1234567' },
					{ type: 'COPY_CODE', sample: 'SAVE10' },
				),
			}),
		).toBe(
			'{"name":"parcel","language":"en_US","category":"UTILITY","components":[' +
				'{"type":"HEADER","format":"TEXT","text":"Hello {{1}}","example":{"header_text":["Jo"]}},' +
				'{"type":"BODY","text":"Your parcel {{1}} arrives on {{2}}.\\n\\nThank you","example":{"body_text":[["A-1001","Monday"]]}},' +
				'{"type":"FOOTER","text":"Reply STOP"},' +
				'{"type":"BUTTONS","buttons":[' +
				'{"type":"URL","text":"Track","url":"https://a.example/{{1}}","example":["https://a.example/7"]},' +
				'{"type":"QUICK_REPLY","text":"Thanks"},' +
				'{"type":"PHONE_NUMBER","text":"Call","phone_number":"491711234567"},' +
				'{"type":"COPY_CODE","example":"SAVE10"}]}]}',
		);
	});

	it('has the variables of its form when it is sent', async () => {
		await sentBody({
			name: 'parcel',
			language: 'en_US',
			templateBody: 'Dear {{first_name}}',
			bodySamples: samples(['first_name', 'Jo']),
		});
		const { data: agents } = await tenant.ask<{ data: Array<{ id: number }> }>('/agents');
		const sent = await tenant.run({
			...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567' },
			agentId: byId(agents[0].id),
			templateName: byId('parcel'),
			templateLanguage: 'en_US',
			variables: { mappingMode: 'defineBelow', value: { body_first_name: 'Jo' } },
		});
		expect(sent.error?.message).toBeUndefined();
	});

	it.each<[string, IDataObject, IDataObject]>([
		[
			'a picture',
			{ type: 'IMAGE', sample: '4:handle' },
			{ format: 'IMAGE', example: { header_handle: ['4:handle'] } },
		],
		['a film without a sample', { type: 'VIDEO', text: 'left over' }, { format: 'VIDEO' }],
		['a place', { type: 'LOCATION', sample: 'left over' }, { format: 'LOCATION' }],
		['a text', { type: 'TEXT', text: 'Hello' }, { format: 'TEXT', text: 'Hello' }],
		[
			'a named variable',
			{ text: 'Hello {{first_name}}', sample: 'Jo' },
			{
				format: 'TEXT',
				text: 'Hello {{first_name}}',
				example: { header_text_named_params: [{ param_name: 'first_name', example: 'Jo' }] },
			},
		],
	])('has a header with %s', async (_, header, component) => {
		const body = await sentBody({ name: 'a', language: 'de', templateHeader: { header } });
		expect(JSON.parse(String(body))).toMatchObject({ components: [{ type: 'HEADER', ...component }] });
	});

	it.each<[what: string, parts: IDataObject, format: string | undefined]>([
		['of the body', { templateBody: 'Dear {{first_name}}' }, 'named'],
		[
			'of the header',
			{ templateHeader: { header: { text: 'Dear {{ first_name }}' } }, templateBody: 'Hi' },
			'named',
		],
		['in numbers', { templateBody: 'Dear {{1}}' }, undefined],
		[
			'that Other Fields say otherwise of',
			{
				templateBody: 'Dear {{first_name}}',
				fields: { field: [{ name: 'parameter_format', value: 'NAMED' }] },
			},
			'NAMED',
		],
	])('says in what format its variables are: %s', async (_what, parts, format) => {
		const body = String(await sentBody({ name: 'a', language: 'de', ...parts }));
		expect((JSON.parse(body) as IDataObject).parameter_format).toBe(format);
	});

	it('has named samples', async () => {
		const bodySamples = samples(['first_name', 'Jo'], ['shop', 'Parcels']);
		const body = await sentBody({
			name: 'a',
			language: 'de',
			templateBody: '{{first_name}}, {{shop}}',
			bodySamples,
		});
		expect(body).toBe(
			'{"name":"a","language":"de","components":[{"type":"BODY","text":"{{first_name}}, {{shop}}","example":{"body_text_named_params":[{"param_name":"first_name","example":"Jo"},{"param_name":"shop","example":"Parcels"}]}}],"parameter_format":"named"}',
		);
	});

	it('takes expressions', async () => {
		const parameters = {
			name: '={{ $json.name }}',
			language: '={{ $json.code }}',
			templateCategory: '={{ $json.category }}',
			templateBody: '={{ $json.text }}',
		};
		const item = { name: 'a', code: 'de', category: 'MARKETING', text: 'Hallo {{1}}' };
		expect(await sentBody(parameters, item)).toBe(
			'{"name":"a","language":"de","category":"MARKETING","components":[{"type":"BODY","text":"Hallo {{1}}"}]}',
		);
	});

	it('has what workflows have stored as its fields', async () => {
		const fields = { field: [{ name: 'title', value: 'x' }] };
		tenant.sandbox.clearRequests();
		await tenant.run({ ...CREATE, fields });
		expect(tenant.sent().map(({ body }) => body)).toEqual(['{"title":"x"}']);
	});

	it('goes out by Other Fields (JSON) alone', async () => {
		const fieldsJson =
			'{"name":7,"language":"en_US","category":"utility","components":[{"type":"BODY","text":"Hi"}]}';
		const asked = { ...CREATE, options: { fieldsJson } };
		tenant.sandbox.clearRequests();
		await tenant.run(asked);
		expect(tenant.sent().map(({ body }) => body)).toEqual([fieldsJson]);
	});

	it('has what Other Fields say, and of JSON what the form does not', async () => {
		const body = await sentBody({
			name: 'form',
			language: 'de',
			templateBody: 'form',
			fields: { field: [{ name: 'name', value: 'rows' }] },
			options: { fieldsJson: '{"name":"json","components":[],"parameter_format":"NAMED"}' },
		});
		expect(body).toBe(
			'{"name":"rows","language":"de","components":[{"type":"BODY","text":"form"}],"parameter_format":"NAMED"}',
		);
	});

	it('has ten samples in the order of their numbers', async () => {
		const places = Array.from({ length: 11 }, (_, index) => String(index + 1));
		const body = await sentBody({
			name: 'a',
			language: 'de',
			templateBody: places.map((place) => `{{${place}}}`).join(' '),
			bodySamples: { variable: [...places].sort().map((name) => ({ name, text: `v${name}` })) },
		});
		expect(body).toContain(`"example":{"body_text":[${JSON.stringify(places.map((place) => `v${place}`))}]}`);
	});

	it.each<[string, IDataObject, string[]]>([
		['only a body', { templateBody: 'Hi' }, ['BODY']],
		['a body and a footer', { templateBody: 'Hi', templateFooter: 'Bye' }, ['BODY', 'FOOTER']],
		['only buttons', { templateButtons: button({ type: 'QUICK_REPLY', text: 'Ok' }) }, ['BUTTONS']],
		['empty buttons', { templateBody: 'Hi', templateButtons: {} }, ['BODY']],
		['an empty list of buttons', { templateBody: 'Hi', templateButtons: button() }, ['BODY']],
		['an empty header', { templateBody: 'Hi', templateHeader: {} }, ['BODY']],
		['a body without samples', { templateBody: 'Hi {{1}}', bodySamples: {} }, ['BODY']],
	])('of %s has no other part, and no empty sample', async (_name, change, types) => {
		const body = String(await sentBody({ name: 'a', language: 'de', ...change }));
		const { components } = JSON.parse(body) as { components: IDataObject[] };
		expect(components.map(({ type }) => type)).toEqual(types);
		expect(body).not.toContain('example');
	});

	it('without parts has no components', async () => {
		expect(await sentBody({ name: 'a', language: 'de' })).toBe('{"name":"a","language":"de"}');
	});

	it.each(['{"__proto__":{"polluted":1},"a":1}', '{"constructor":{"prototype":{"polluted":1}},"a":1}'])(
		'takes no harm from %s',
		async (fieldsJson) => {
			await tenant.run({ ...CREATE, name: 'a', options: { fieldsJson } });
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	it('is that of its own item, and what a model gives', async () => {
		const texts = ['A', 'B'];
		tenant.sandbox.clearRequests();
		await tenant.run(
			{ ...CREATE, name: '={{ $json.name }}', language: 'de', templateBody: '={{ $json.text }}' },
			{ items: texts.map((text) => ({ json: { name: `n_${text.toLowerCase()}`, text } })) },
		);
		const call = await agentTool({
			credentials: tenant.credentials,
			parameters: {
				...CREATE,
				name: '={{ $fromAI("name") }}',
				language: 'de',
				templateBody: '={{ $fromAI("text") }}',
			},
		});
		await call({ name: 'n_c', text: 'C {{1}}!' });
		const bodies = tenant.sent().map(({ body }) => JSON.parse(body) as { components: IDataObject[] });
		expect(bodies.map(({ components: [{ text }] }) => text).sort()).toEqual([...texts, 'C {{1}}!']);
	});

	it.each<[IDataObject, string]>([
		[{ bodySamples: samples(['1', 'Jo']) }, 'Body Samples have no body'],
		[{ templateBody: 'a', bodySamples: samples(['2', 'Jo']) }, 'Body Samples have {{2}}, but not {{1}}'],
		[{ templateHeader: { header: { type: 'TEXT' } } }, 'Header (Text) is empty'],
		[{ templateButtons: button({ text: 'a' }, { type: 'URL', text: 'b' }) }, 'Buttons (URL, row 2) is empty'],
		[
			{ templateButtons: button({ type: 'PHONE_NUMBER', text: 'b', phoneNumber: 'none' }) },
			'Buttons (Phone Number, row 1) "none" is not a phone number',
		],
		[{ templateCategory: '={{ "utility" }}' }, 'Category is "utility", which cannot be chosen'],
		[{ templateBody: '={{ {"a":1} }}' }, 'Body'],
		[{ name: '={{ [1] }}' }, 'Name'],
		[{ name: '={{ $json.nowhere }}', options: { fieldsJson: '={{ $json.nowhere }}' } }, 'Name'],
		[{}, 'have no value; nothing was sent'],
	])('%j is refused before it is sent', async (parameters, problem) => {
		const { error } = await tenant.run({ ...CREATE, ...parameters } as INodeParameters);
		expect(error?.message).toContain(problem);
		expect(tenant.sent()).toEqual([]);
	});

	it('that the tenant refuses has the names of its form', async () => {
		const { error } = await tenant.run({ ...CREATE, templateBody: 'Hello' });
		expect(error?.message).toBe('Name: A template needs a name.');
		expect(error?.description).toContain('Language Name or ID: The language must be one of');
	});
});
