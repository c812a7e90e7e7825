import type { INodeExecutionData, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { loadedPackage, type NodeRunOptions } from '../engine/engine';
import { type SentRequest, TestTenant } from '../engine/tenant';
import { endpointOf, endpoints, fieldsIn } from './contract';
import { demoIds } from './demoIds';
import { type OperationCase, operationCases } from './operationCases';

const tenant = TestTenant.inEachTest();

/** Fields that no operation sets, each with the reason. */
const LEFT_OUT: Record<string, string> = {};

/** The resource/operation pairs of the node, from its description. */
async function pairs(): Promise<string[]> {
	const { description } = (await loadedPackage()).getNode('customerMessaging').type as {
		description: { properties: INodeProperties[] };
	};
	return description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[])
				.filter(({ value }) => value !== '__CUSTOM_API_CALL__')
				.map(({ value }) => `${String(displayOptions?.show?.resource?.[0])}: ${String(value)}`),
		);
}

/** Query parameters and body members of a request. */
function fieldsOfRequest({ query, body, headers }: SentRequest): string[] {
	const names = Object.keys(query).map((name) => `?${name}`);
	if (body === '') return names;
	if (String(headers['content-type']).startsWith('multipart/')) {
		return [...names, ...[...body.matchAll(/form-data; name="(\w+)"/g)].map(([, name]) => name)];
	}
	return [...names, ...fieldsIn(JSON.parse(body))];
}

interface Reached {
	case: OperationCase;
	requests: SentRequest[];
	output: INodeExecutionData[];
}

/** What differs from run to run: times, generated UUIDs, the tenant's port, signatures, boundaries. */
function steady(value: string): string {
	return value
		.replaceAll(tenant.sandbox.url, '<tenant>')
		.replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '<time>')
		.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
		.replace(/axios-[\d.]+-boundary-[\w-]+/g, '<boundary>')
		.replace(/(Content-Type: [^\r\n]+\r\n\r\n)[^]*?(?=\r\n--)/g, '$1<bytes>')
		.replace(/"openapi":".*"/, '"openapi":"<contract>"')
		.replace(/(signature|expires)=[\w-]+/g, '$1=<$1>');
}

const lineOf = ({ method, path, query, body }: SentRequest) =>
	steady(
		[
			`${method} ${path.replace('/third-party/v1', '')}`,
			...Object.entries(query).map(([name, value]) => `?${name}=${String(value)}`),
			body,
		].join(' '),
	);

const nameOf = ({ case: { resource, operation, parameters } }: Reached) =>
	`${resource}: ${operation} ${steady(JSON.stringify(parameters))}`;

/** What a case sent and gave back, as text that stays the same from run to run. */
function exchanged({ requests, output }: Reached) {
	const items = output.map(({ json, binary }) =>
		steady(JSON.stringify({ ...json, ...(binary && { '(binary)': Object.keys(binary) }) })),
	);
	return { requests: requests.map(lineOf), items };
}

/** Requests that take many items at once; there is no declaration of them. */
const isBatch = ({ operation }: OperationCase) => operation.startsWith('bulk');

async function runAll(
	options: Partial<NodeRunOptions> = {},
	isWanted: (one: OperationCase) => boolean = () => true,
): Promise<Reached[]> {
	const reached: Reached[] = [];
	const count = operationCases(await demoIds(tenant)).length;
	for (let index = 0; index < count; index++) {
		await tenant.sandbox.reset();
		const one = operationCases(await demoIds(tenant))[index];
		if (!isWanted(one)) continue;
		tenant.sandbox.clearRequests();
		const { resource, operation, parameters, items } = one;
		const { error, items: output } = await tenant.run(
			{ resource, operation, ...parameters },
			{ items, ...options },
		);
		const name = `${resource}: ${operation} ${JSON.stringify(parameters)}`;
		expect({ name, error: error && `${error.message}\n${String(error.description)}` }).toEqual({
			name,
			error: undefined,
		});
		expect({ name, unlinked: output.filter(({ pairedItem }) => pairedItem === undefined) }).toEqual({
			name,
			unlinked: [],
		});
		reached.push({ case: one, requests: tenant.sent(), output });
	}
	return reached;
}

describe('the node covers the whole contract', () => {
	let all: Reached[] = [];

	it('runs every operation of its description without an error', async () => {
		all = await runAll();
		const run = new Set(all.map(({ case: { resource, operation } }) => `${resource}: ${operation}`));
		expect([...run].sort()).toEqual((await pairs()).sort());
	}, 120_000);

	it('sends exactly these requests and gives back these items', () => {
		for (const reached of all) expect(exchanged(reached)).toMatchSnapshot(nameOf(reached));
	});

	it("sends the same and gives the same when n8n's own routing engine runs the operations", async () => {
		const isDeclared = (one: OperationCase) => !isBatch(one);
		const byName = (reached: Reached[]) =>
			Object.fromEntries(reached.map((one) => [nameOf(one), exchanged(one)]));
		const theirs = await runAll({ byRoutingEngine: true }, isDeclared);
		expect(byName(theirs)).toEqual(byName(all.filter((one) => isDeclared(one.case))));
	}, 120_000);

	it('has 73 endpoints in the contract', () => {
		expect(endpoints).toHaveLength(73);
	});

	it('reaches every endpoint by exactly one plain operation', () => {
		const by = new Map<string, Set<string>>(endpoints.map(({ operationId }) => [operationId, new Set()]));
		for (const { case: one, requests } of all) {
			const reached = requests.map(
				({ method, path }) => endpointOf(method, path)?.operationId ?? `${method} ${path}`,
			);
			if (one.composed) continue;
			expect(reached).toHaveLength(1);
			const name = `${one.resource}: ${one.operation}${one.resource === 'settings' ? ` ${String(one.parameters.category)}` : ''}`;
			const known = by.get(reached[0]) ?? new Set();
			by.set(reached[0], known.add(name));
		}
		const wrong = [...by].filter(([, operations]) => operations.size !== 1);
		expect(wrong.map(([operationId, operations]) => [operationId, [...operations]])).toEqual([]);
		expect(by.size).toBe(73);
	});

	it('can set every field that the contract shows', () => {
		const seen = new Map<string, Set<string>>(endpoints.map(({ operationId }) => [operationId, new Set()]));
		for (const request of all.flatMap(({ requests }) => requests)) {
			const { operationId } = endpointOf(request.method, request.path) ?? { operationId: '' };
			for (const field of fieldsOfRequest(request)) seen.get(operationId)?.add(field);
		}
		const missing = endpoints.flatMap(({ operationId, fields }) =>
			fields
				.filter((field) => !seen.get(operationId)?.has(field))
				.map((field) => `${operationId} ${field}`)
				.filter((field) => !(field in LEFT_OUT)),
		);
		expect(missing).toEqual([]);
	});
});
