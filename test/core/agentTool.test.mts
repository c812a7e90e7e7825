import type { INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { agentRun, agentTool } from '../engine/agentTool.mts';
import { ACTION_NODE, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId, TestTenant } from '../engine/tenant.mts';
import { nodeDescription } from '../description/nodeDescription.mts';

const tenant = TestTenant.inEachTest();
const odd = OddTenant.inEachTest();

const tool = async (parameters: INodeParameters) =>
	await agentTool({ credentials: tenant.credentials, parameters });

describe('as a tool of an agent before version 3, or of the MCP Server Trigger', () => {
	it('an operation is carried out and answers the model', async () => {
		const call = await tool({ resource: 'tag', operation: 'create', title: 'Made by a tool' });
		expect(await call({})).toEqual([expect.objectContaining({ title: 'Made by a tool' })]);
		expect(tenant.sent()).toMatchObject([
			{ method: 'POST', path: '/third-party/v1/tags', body: '{"title":"Made by a tool"}' },
		]);
	});

	it('an argument of the model reaches the request', async () => {
		const call = await tool({
			resource: 'tag',
			operation: 'create',
			title: "={{ $fromAI('title', 'The title', 'string') }}",
		});
		expect(await call({ title: 'Asked for' })).toEqual([expect.objectContaining({ title: 'Asked for' })]);
		expect(await call({ title: 'And another' })).toEqual([expect.objectContaining({ title: 'And another' })]);
	});

	it('a bulk import is carried out', async () => {
		const call = await tool({
			resource: 'customer',
			operation: 'bulkImport',
			columns: { mappingMode: 'defineBelow', value: { displayId: '491710000001', name: 'Nora' } },
		});
		expect(await call({})).toEqual([
			{ row: 2, name: 'Nora', number: '491710000001', result: 'created or updated', reason: '', input: {} },
		]);
		expect(tenant.sent()).toMatchObject([{ path: '/third-party/v1/customers/bulk-import' }]);
	});

	it.each(['profile', 'media'])('a model meets one field for the tags of a %s', async (resource) => {
		const { properties, name } = await nodeDescription();
		const shown = (type: string) => {
			const description = { name: type, properties } as INodeTypeDescription;
			const parameters = { resource, operation: 'setTags' };
			const node = { type, typeVersion: 1 } as INode;
			return properties
				.filter((one) => NodeHelpers.displayParameter(parameters, one, node, description, parameters))
				.map((one) => one.name)
				.filter((one) => /tag/i.test(one));
		};
		expect(shown(name)).toEqual(['tagIds', 'tags']);
		expect(shown(`${name}Tool`)).toEqual(['tags']);
	});

	it('a failure is an error that names the parameter, and nothing is sent', async () => {
		const call = await tool({ resource: 'media', operation: 'get', mediaId: byId('first') });
		await expect(call({})).rejects.toThrow('Media Item "first" is not a whole number');
		const bulk = await tool({ resource: 'customer', operation: 'bulkDelete', customerIds: '={{ ["x"] }}' });
		await expect(bulk({})).rejects.toThrow('Customer Names or IDs contains "x", which is not an ID');
		expect(tenant.sent()).toEqual([]);
	});

	it.each<[string, INodeParameters, message: string, asked: string[]]>([
		[
			'a wrong value',
			{ resource: 'media', operation: 'get', mediaId: byId('first') },
			'Media Item "first" is not a whole number. Choose a record from the list or enter its numeric ID, e.g. 42. Nothing was sent for this item.',
			[],
		],
		[
			'a refusal',
			{ resource: 'tag', operation: 'create', title: 'VIP' },
			'The title is taken. The service refused the change (HTTP 409). Change the value that is in conflict and try again.',
			['POST /third-party/v1/tags'],
		],
	])(
		'%s tells the model what to do in the message, which is all it sees',
		async (_what, parameters, message, asked) => {
			odd.answer(async (_request, reply) => await reply.code(409).send({ message: 'The title is taken.' }));
			const options = { type: `${ACTION_NODE}Tool`, credentials: odd.credentials, parameters };
			const byRouting = await agentTool(options);
			await expect(byRouting({})).rejects.toMatchObject({ message, description: undefined });
			expect((await runNode(options)).error).toMatchObject({ message, description: undefined });
			expect(odd.asked).toEqual([...asked, ...asked]);
		},
	);

	it.each<[string, INodeParameters, named: string]>([
		['a resource that does not exist', { resource: 'invoice', operation: 'get' }, 'Resource'],
		['an operation that does not exist', { resource: 'settings', operation: 'remove' }, 'Operation'],
		['a name that all objects have', { resource: 'tag', operation: 'constructor' }, 'Operation'],
		[
			'an operation whose expression n8n has stripped',
			{ resource: 'tag', operation: '{{ "getAll" }}' },
			'Operation',
		],
		[
			'an operation that the model chooses',
			{ resource: 'tag', operation: "={{ $fromAI('chosen') }}", title: 'Chosen', tagId: byId(1) },
			'Operation',
		],
		[
			'a resource that the model chooses',
			{ resource: "={{ $fromAI('chosen') }}", operation: 'getAll' },
			'Resource',
		],
	])('%s is an error, and nothing is sent', async (_what, parameters, named) => {
		const call = await tool(parameters);
		for (const chosen of ['tag', 'getAll', 'create', 'user']) {
			await expect(call({ chosen })).rejects.toThrow(
				`${named} does not exist, or cannot be chosen by an expression`,
			);
		}
		expect(tenant.sent()).toEqual([]);
	});

	it('two tools of one agent keep their tenants apart', async () => {
		const asked: string[] = [];
		odd.answer(({ url, headers }) => {
			asked.push(`${url} ${String(headers.authorization)}`);
			return { data: { id: 1, name: 'Odd' } };
		});
		const run = agentRun();
		const parameters = { resource: 'account', operation: 'get' };
		const first = await agentTool({ name: 'First', credentials: tenant.credentials, parameters }, run);
		const second = await agentTool({ name: 'Second', credentials: odd.credentials, parameters }, run);
		await first({});
		expect(await second({})).toEqual([{ id: 1, name: 'Odd' }]);
		expect(tenant.sent()).toHaveLength(1);
		expect(asked).toEqual([`/third-party/v1/me Bearer ${String(odd.credentials.accessToken)}`]);
	});
});

describe('what a tool gives to the model', () => {
	const record = { id: 7, name: 'Nora', phone_number: '491700000000', internal: 'x'.repeat(20) };
	const get = { resource: 'profile', operation: 'get', profileId: byId(7) };

	const given = async (parameters: INodeParameters, type = `${ACTION_NODE}Tool`) => {
		odd.answer(() => ({ data: record }));
		const { items, error } = await runNode({
			type,
			parameters: { ...get, ...parameters },
			credentials: odd.credentials,
		});
		expect(error).toBeUndefined();
		return items.map(({ json }) => json);
	};
	const simple = { id: 7, name: 'Nora', phone_number: '491700000000' };

	it.each<[string, INodeParameters, object]>([
		['the fields that are needed most, unless it is told otherwise', {}, simple],
		['simplified', { output: 'simplified' }, simple],
		['raw', { output: 'raw' }, record],
		[
			'selected fields in their order',
			{ output: 'selectedFields', outputFields: 'internal, name' },
			{ internal: record.internal, name: 'Nora' },
		],
		[
			'selected fields, one in each line',
			{ output: 'selectedFields', outputFields: 'name\ninternal' },
			{ name: 'Nora', internal: record.internal },
		],
		[
			'selected fields of an array, and nothing that all objects have',
			{ output: 'selectedFields', outputFields: '={{ ["id", "constructor"] }}' },
			{ id: 7 },
		],
		[
			'nothing of a record that has none of the selected fields',
			{ output: 'selectedFields', outputFields: 'x' },
			{},
		],
		[
			'selected fields that the model chooses, without those that do not exist',
			{ output: 'selectedFields', outputFields: '={{ ["name", "other"].join(",") }}' },
			{ name: 'Nora' },
		],
	])('%s', async (_, parameters, expected) => {
		const [json] = await given(parameters);
		expect(json).toEqual(expected);
		expect(Object.keys(json)).toEqual(Object.keys(expected));
	});

	it('tells the person which names of fields no record has, over all pages and items', async () => {
		odd.answer(({ url }) =>
			url.includes('page=2')
				? { data: [{ id: 8, name: 'Jo', e_mail: 'jo@example.com' }] }
				: {
						data: [{ id: 7, name: 'Nora' }],
						links: { next: `${odd.credentials.tenantDomain}${url}&page=2` },
					},
		);
		const list = { resource: 'profile', operation: 'getAll', returnAll: true, output: 'selectedFields' };
		const { items, run } = await runNode({
			...{ type: `${ACTION_NODE}Tool`, credentials: odd.credentials, items: [{ json: {} }, { json: {} }] },
			parameters: { ...list, outputFields: 'e_mail, emial' },
		});
		expect(items.map(({ json }) => json)).toEqual([
			{},
			{ e_mail: 'jo@example.com' },
			{},
			{ e_mail: 'jo@example.com' },
		]);
		const [task] = run.data.resultData.runData.Node;
		expect(task.hints?.map(({ message }) => message)).toEqual([
			'2 of 2 items have no field "emial" (Fields).',
		]);
	});

	it('needs the fields to be named', async () => {
		const { error } = await runNode({
			type: `${ACTION_NODE}Tool`,
			parameters: { ...get, output: 'selectedFields', outputFields: '={{ " ".trim() }}' },
			credentials: odd.credentials,
		});
		expect(error?.message).toMatch(/^Fields is empty\. Enter a value\./);
	});

	it('is not what a node in a workflow gives, which has Simplify', async () => {
		expect(await given({ output: 'raw' }, ACTION_NODE)).toEqual([simple]);
		expect(await given({ simple: false }, ACTION_NODE)).toEqual([record]);
	});
});

describe("a bulk operation by n8n's routing engine", () => {
	it('sends a request for each item, links the items, and names the one that fails', async () => {
		odd.answer(({ body }) => ({ data: body }));
		const parameters = { resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.ids }}' };
		const { items } = await runNode({
			credentials: odd.credentials,
			parameters,
			items: [{ json: { ids: [1, 2] } }, { json: { ids: 'x' } }, { json: { ids: [3] } }],
			onError: 'continueRegularOutput',
			byRoutingEngine: true,
		});
		expect(items).toMatchObject([
			{ json: { ids: [1, 2], deleted: true }, pairedItem: { item: 0 } },
			{ json: { error: 'Customer Names or IDs contains "x", which is not an ID' }, pairedItem: { item: 1 } },
			{ json: { ids: [3], deleted: true }, pairedItem: { item: 2 } },
		]);
		expect(odd.asked).toHaveLength(2);
	});

	it('keeps the error of an item for the error output', async () => {
		const { items, errorItems } = await runNode({
			credentials: odd.credentials,
			parameters: { resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.ids }}' },
			items: [{ json: { ids: 'x' } }],
			onError: 'continueErrorOutput',
			byRoutingEngine: true,
		});
		expect(items).toEqual([]);
		expect(errorItems).toMatchObject([
			{ json: { error: 'Customer Names or IDs contains "x", which is not an ID' } },
		]);
	});

	it('stops with the error of its item', async () => {
		const { error } = await runNode({
			credentials: odd.credentials,
			parameters: { resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.ids }}' },
			items: [{ json: { ids: [1] } }, { json: {} }],
			byRoutingEngine: true,
		});
		expect(error?.message).toBe('Customer Names or IDs is empty');
		expect(error?.context.itemIndex).toBe(1);
	});
});
