import { createRequire } from 'node:module';
import path from 'node:path';
import type { IDataObject, INode, INodeParameters, INodeTypeDescription } from 'n8n-workflow';

import { SIZES } from '../../description/sizes.mts';
import { leaksIn } from '../../engine/leaks.mts';
import { http } from '../../http.mts';
import { installedN8n } from '../installation.mts';
import { errorOf, type Execution } from '../rest.mts';
import type { WorkflowDefinition } from '../workflow.mts';
import { rehearsed } from '../../release/rehearsal.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

const WRONG_TOKEN = 'another-access-token';

let both: TenantAndN8n;

tenantAndN8nInThisFile((started) => (both = started), { hasEditor: true });

/** Creates a credential of the sandbox with these fields changed. */
const credentialWith = async (change: { tenantDomain?: string; accessToken?: string }) => {
	const data = { tenantDomain: both.sandbox.url, accessToken: both.sandbox.token, ...change };
	const definition = { name: 'Under test', type: CREDENTIAL_TYPE, data };
	return { ...definition, ...(await both.rest.createCredential(definition)) };
};

/** Runs one node behind a manual trigger, on an item that holds a JSON file in the binary field `data`. */
const runNode = async (parameters: INodeParameters, credential = both.credential): Promise<Execution> => {
	const node = (name: string, type: string, typeVersion: number, more: Partial<INode> = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: {},
		...more,
	});
	const { id, name } = credential;
	const workflow: WorkflowDefinition = {
		name: 'One node',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1),
			node('File', 'n8n-nodes-base.convertToFile', 1.1, { parameters: { operation: 'toJson' } }),
			node('Node', NODE_TYPE, 1, { parameters, credentials: { [CREDENTIAL_TYPE]: { id, name } } }),
		],
		connections: {
			Start: { main: [[{ node: 'File', type: 'main', index: 0 }]] },
			File: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
		},
	};
	return await both.rest.runToEnd((await both.rest.createWorkflow(workflow)).id, 'Start');
};

describe('n8n loads the packed package', () => {
	it('as an action, a trigger, and a tool and its review for agents', async () => {
		const types = (await both.rest.nodeTypes()).filter(({ name }) => name.startsWith(NODE_TYPE));
		expect(types.map(({ name }) => name).sort()).toEqual([
			NODE_TYPE,
			`${NODE_TYPE}HitlTool`,
			`${NODE_TYPE}PollingTrigger`,
			`${NODE_TYPE}Tool`,
			`${NODE_TYPE}Trigger`,
		]);
		for (const { iconUrl } of types) {
			const { light, dark } = iconUrl as { light: string; dark: string };
			for (const url of [light, dark]) {
				const icon = await http.get(`${both.n8n.url}/${url}`);
				expect(icon.headers['content-type']).toContain('image/svg+xml');
			}
		}
	});

	it('in the version that the tag of its release names', async () => {
		const types = (await both.rest.nodeTypes()).filter(({ name }) => name.startsWith(NODE_TYPE));
		const versions = types.map((type) => `v${type.communityNodePackageVersion}`);
		expect(versions).toEqual(types.map(() => rehearsed()?.tag));
	});

	it('without a complaint in its log', () => {
		expect(both.n8n.log().filter((line) => /customer-?messaging/i.test(line))).toEqual([]);
	});

	it('with the output schema of an operation, for the editor', async () => {
		const schema = await both.rest.schema(NODE_TYPE, 'profile', 'setTags');
		expect(schema).toMatchObject({
			type: 'object',
			properties: { profile_id: { type: 'integer' }, tags: { type: 'array' } },
		});
	});
});

describe('n8n asks the tenant through the package', () => {
	const question = (parameter: string, method: string, parameters: IDataObject = {}) => ({
		node: { type: NODE_TYPE, version: 1 },
		parameter,
		method,
		parameters,
		credentials: { [CREDENTIAL_TYPE]: both.credential },
	});

	it.each<[string, string, string | undefined, string[]]>([
		['agents', 'searchChatAppAgents', undefined, ['Shop', 'Support']],
		['profiles that match', 'searchProfiles', 'mira', ['Mira Example']],
		['profiles by their number', 'searchProfiles', '4477', ['Test Tester']],
		['templates that match', 'searchTemplates', 'WELC', ['welcome · English (US) · en_US']],
		['nothing where nothing matches', 'searchCustomers', 'nobody of that name', []],
	])('for %s', async (_what, method, filter, names) => {
		const { results } = await both.rest.listSearch({ ...question('any', method), filter });
		expect(results.map(({ name }) => name)).toEqual(names.map((name) => expect.stringContaining(name)));
	});
});

describe('the test button of the credential', () => {
	it('is green with the right token', async () => {
		expect(await both.rest.testCredential(await credentialWith({}))).toMatchObject({ status: 'OK' });
	});

	it.each([
		['a wrong token', { accessToken: WRONG_TOKEN }, /The access token was refused .*enter a complete, valid/],
	])('is red with %s', async (_what, change, message) => {
		const result = await both.rest.testCredential(await credentialWith(change));
		expect(result).toEqual({ status: 'Error', message: expect.stringMatching(message) });
		for (const token of [both.sandbox.token, WRONG_TOKEN])
			expect(leaksIn({ result, log: both.n8n.log() }, token, 'n8n')).toEqual([]);
	});
});

it('a wrong token ends in an error that says what happened and what to do, and tells no token', async () => {
	const parameters = { resource: 'customer', operation: 'create', displayId: '491700000001', name: 'Mira' };
	const execution = await runNode(parameters, await credentialWith({ accessToken: WRONG_TOKEN }));
	const error = errorOf(execution);
	expect(error?.message).toMatch(/token is missing or unknown/);
	expect(error?.description).toMatch(/enter a complete, valid/);
	for (const token of [both.sandbox.token, WRONG_TOKEN])
		expect(leaksIn({ execution, log: both.n8n.log() }, token, 'n8n')).toEqual([]);
});

/** What n8n has for language models that build workflows. */
const aiBuilders = () => {
	const n8n = createRequire(installedN8n().script);
	const { generateNodeTypeFile } = n8n(
		path.join(path.dirname(n8n.resolve('@n8n/workflow-sdk')), 'generate-types', 'generate-types.js'),
	) as { generateNodeTypeFile: (type: INodeTypeDescription) => string };
	return {
		generateNodeTypeFile,
	};
};

describe('for language models that build workflows', () => {
	let types: INodeTypeDescription[];

	beforeAll(async () => {
		types = (await both.rest.nodeTypes()) as unknown as INodeTypeDescription[];
	});

	it('its type definition is as short as test/description/sizes.mts says', () => {
		const type = types.find(({ name }) => name === NODE_TYPE);
		const text = aiBuilders().generateNodeTypeFile(type as INodeTypeDescription);
		expect(text).toContain("operation: 'sendTemplate'");
		expect(text).toContain('@builderHint For messages to customers');
		const examples = [...text.matchAll(/<pattern>\{ resource: '(\w+)', operation: '(\w+)'/g)];
		expect(examples.map(([, ...names]) => names.join(' ')).sort()).toEqual([
			...['customer bulkImport', 'message sendAndWait', 'message sendTemplate'],
		]);
		expect(text).toContain('@builderHint Needs no schema: { mappingMode: "defineBelow"');
		expect(text.length).toBeLessThanOrEqual(SIZES.typeDefinition);
	});
});
