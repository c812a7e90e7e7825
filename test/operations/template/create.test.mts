import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const CREATE = { resource: 'template', operation: 'create' };

/** The body that goes out, byte for byte. */
async function sentBody(parameters: IDataObject, json: IDataObject = {}): Promise<string | undefined> {
	tenant.sandbox.clearRequests();
	await tenant.run({ ...CREATE, ...parameters } as INodeParameters, { items: [{ json }] });
	const [request, ...others] = tenant.sent();
	expect(others).toEqual([]);
	expect(request.path).toContain('/templates');
	return request.body;
}

const COMPONENTS = '[{"type":"BODY","text":"Dear {{1}}"}]';

describe('a new template', () => {
	it('has the members of its form, and the others by Other Fields (JSON)', async () => {
		const body = await sentBody({
			...{ name: ' parcel ', language: 'en_US', templateCategory: 'UTILITY' },
			options: { fieldsJson: `{"components":${COMPONENTS}}` },
		});
		expect(body).toBe(`{"name":"parcel","language":"en_US","category":"UTILITY","components":${COMPONENTS}}`);
	});

	it.each<[string, string, string | undefined]>([
		['{{1}}, {{ 2 }}', '', undefined],
		['no variable', '', undefined],
		['{{first_name}}', '', 'named'],
		['{{1}} and {{ shop }}', '', 'named'],
		['{{first_name}}', ',"parameter_format":"NAMED"', 'NAMED'],
	])('with %j%s tells the chat app whether its variables have names', async (text, more, format) => {
		const fieldsJson = `{"components":[{"type":"BODY","text":"${text}"}]${more}}`;
		const body = await sentBody({ name: 'a', language: 'de', options: { fieldsJson } });
		expect((JSON.parse(body ?? '{}') as IDataObject).parameter_format).toBe(format);
	});

	it('takes expressions', async () => {
		const parameters = {
			name: '={{ $json.name }}',
			language: '={{ $json.code }}',
			templateCategory: '={{ $json.category }}',
			fields: { field: [{ name: 'components', value: '={{ $json.parts }}' }] },
		};
		const parts = [{ type: 'BODY', text: 'Hallo {{1}}' }];
		const item = { name: 'a', code: 'de', category: 'MARKETING', parts };
		expect(await sentBody(parameters, item)).toBe(
			`{"name":"a","language":"de","category":"MARKETING","components":${JSON.stringify(parts)}}`,
		);
	});

	it('has what workflows have stored as its fields', async () => {
		const fields = { field: [{ name: 'title', value: 'x' }] };
		expect(await sentBody({ fields })).toBe('{"title":"x"}');
	});

	it('goes out by Other Fields (JSON) alone', async () => {
		const fieldsJson =
			'{"name":7,"language":"en_US","category":"utility","components":[{"type":"BODY","text":"Hi"}]}';
		expect(await sentBody({ options: { fieldsJson } })).toBe(fieldsJson);
	});

	it('has what Other Fields say, and of JSON what the form does not', async () => {
		const body = await sentBody({
			...{ name: 'form', language: 'de' },
			fields: { field: [{ name: 'name', value: 'rows' }] },
			options: { fieldsJson: `{"name":"json","components":${COMPONENTS}}` },
		});
		expect(body).toBe(`{"name":"rows","language":"de","components":${COMPONENTS}}`);
	});

	it.each(['{"__proto__":{"polluted":1},"a":1}', '{"constructor":{"prototype":{"polluted":1}},"a":1}'])(
		'takes no harm from %s',
		async (fieldsJson) => {
			await tenant.run({ ...CREATE, name: 'a', options: { fieldsJson } });
			expect(({} as IDataObject).polluted).toBeUndefined();
		},
	);

	it.each<[IDataObject, string]>([
		[{ templateCategory: '={{ "utility" }}' }, 'Category is "utility", which cannot be chosen'],
		[{ name: '={{ [1] }}' }, 'Name'],
		[{ name: '={{ $json.nowhere }}', options: { fieldsJson: '={{ $json.nowhere }}' } }, 'Name'],
		[{}, 'have no value; nothing was sent'],
	])('%j is refused before it is sent', async (parameters, problem) => {
		const { error } = await tenant.run({ ...CREATE, ...parameters } as INodeParameters);
		expect(error?.message).toContain(problem);
		expect(tenant.sent()).toEqual([]);
	});

	it('that the tenant refuses has the names of its form', async () => {
		const { error } = await tenant.run({ ...CREATE, language: 'xx' });
		expect(error?.description).toContain('Name: A template needs a name.');
		expect(error?.description).toContain('Language Name or ID: The language must be one of');
	});
});
