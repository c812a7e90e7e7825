import { operationsByResource } from '../../nodes/CustomerMessaging/operations/index.ts';
import { expectNone } from '../engine/expectNone.mts';
import { type SentRequest, TestTenant } from '../engine/tenant.mts';
import { isLookedAt, nameOf, nodeDescription, shownOperations } from '../description/nodeDescription.mts';
import { endpointOf, endpoints as allEndpoints, fieldsIn } from './contract.mts';
import { demoIds } from './demoIds.mts';
import { exchanged } from './exchanged.mts';
import { queryFields } from './queryFields.mts';
import { caseNames as allCases, isForTool, type Reached, runCase, runCaseAsTool, waits } from './runCase.mts';
import { throughSockets } from '../tenant/memoryNetwork.mts';
import { hasSimplified, schemaProblems } from './schemaProblems.mts';

const tenant = TestTenant.inEachTest();

const shown = (value: unknown) => JSON.stringify(value);

/** Query parameters and body members of a request. */
function fieldsOfRequest({ query, body, headers }: SentRequest): string[] {
	const names = Object.keys(query).map((name) => `?${name}`);
	if (body === '') return names;
	if (String(headers['content-type']).startsWith('multipart/')) {
		return [...names, ...[...body.matchAll(/form-data; name="(\w+)"/g)].map(([, name]) => name)];
	}
	return [...names, ...fieldsIn(JSON.parse(body))];
}

const CASES = 'test/contract/operationCases.mts';

const caseNames = allCases.filter(isLookedAt);
const endpoints = allEndpoints.filter(({ resource }) => isLookedAt(resource));

/** A test of each row, of which a part of the node may have none. */
const each =
	<T,>(rows: T[]) =>
	(title: string, run: (row: T) => Promise<void>) => {
		if (rows.length > 0) it.each(rows)(title, run);
	};

/** The query parameters that were tried, each in a request of its own. */
const triedQueries: SentRequest[] = [];

/** What the cases did, by their names. */
const reachedBy = new Map<string, Reached>();

/** What a case did. @throws where its own test failed or was left out */
function before(name: string): Reached {
	const reached = reachedBy.get(name);
	if (reached) return reached;
	throw new Error(`${name} has to pass first: see its own test.`);
}

/** What all cases did: what is missing may be the doing of one that failed. */
const all = () => caseNames.map(before);

const SENDS = 'the node sends exactly these requests and gives back these items';

describe(SENDS, () => {
	// Jest would call the snapshots of all other cases obsolete.
	afterAll(() => {
		const { snapshotState } = expect.getState();
		for (const name of allCases.filter((one) => !isLookedAt(one)))
			snapshotState.markSnapshotsAsCheckedForTest(`${SENDS} ${name}`);
	});

	it.each(caseNames)('%s', async (name) => {
		const reached = await throughSockets(async () => await runCase(tenant, name, { hasAllParameters: true }));
		expect(exchanged(tenant, reached)).toMatchSnapshot();
		reachedBy.set(name, reached);
	});
});

describe('each item is as the output schema of its operation says', () => {
	it.each(caseNames)('%s', async (name) => {
		const reached = before(name);
		const { resource, operation } = reached.case;
		if (reached.output.length === 0) {
			throw new Error(
				`${name} gives no item: give it a record in demo() of sandbox/resources/${resource}.mts, and run npm run generate`,
			);
		}
		const isSimplified = await hasSimplified(resource, operation);
		const raw = isSimplified ? [await runCase(tenant, name, {}, { simple: false })] : [];
		expectNone([
			...schemaProblems(reached, isSimplified),
			...raw.flatMap((one) => schemaProblems(one, false)).map((problem) => `${problem} (raw)`),
		]);
	});
});

describe('a query parameter goes out as the contract has it', () => {
	each(queryFields().filter(({ name }) => isLookedAt(name)))('$name: $member', async (field) => {
		const { file, name, member, given, expected } = field;
		const { error } = await tenant.run(field.parameters(await demoIds(tenant)));
		const request = tenant.sent().find(({ path }) => path === `/third-party/v1${field.path}`);
		if (request) triedQueries.push(request);
		const sent = request?.query[member];
		const came =
			sent === undefined ? `is not sent (${error?.message ?? 'without an error'})` : `is ${shown(sent)}`;
		expectNone(
			sent === expected
				? []
				: [
						`${file}: the value ${shown(given)} of "${member}" of "${name}" ${came}, where the contract takes ${shown(expected)}; mend its conversion`,
					],
		);
	});
});

const waiting = caseNames.filter(waits);
const carriedOutAnywhere = caseNames.filter((name) => !waits(name));

describe('what waits for an answer is refused where n8n cannot wait', () => {
	const REFUSAL = 'This operation cannot wait for an answer here';

	each(waiting)("by n8n's own routing engine: %s", async (name) => {
		await expect(runCase(tenant, name, { byRoutingEngine: true })).rejects.toThrow(REFUSAL);
		expect(tenant.sent()).toEqual([]);
	});

	each(waiting)('as a tool of an agent: %s', async (name) => {
		await expect(runCaseAsTool(tenant, name)).rejects.toThrow(REFUSAL);
		expect(tenant.sent()).toEqual([]);
	});
});

describe("n8n's own routing engine sends the same and gives the same", () => {
	each(carriedOutAnywhere)('%s', async (name) => {
		const ours = before(name);
		const theirs = await runCase(tenant, name, { byRoutingEngine: true });
		expect(exchanged(tenant, theirs)).toEqual(exchanged(tenant, ours));
	});
});

describe('a tool of an agent sends the same and gives the same', () => {
	each(carriedOutAnywhere.filter(isForTool))('%s', async (name) => {
		const ours = before(name);
		const { requests, items } = exchanged(tenant, await runCaseAsTool(tenant, name));
		expect(requests).toEqual(exchanged(tenant, ours).requests);
		// A model gets no files.
		if (ours.output.every(({ binary }) => binary === undefined))
			expect(items).toEqual(exchanged(tenant, ours).items);
	});
});

describe('the node covers the whole contract', () => {
	const declared = Object.entries(operationsByResource).flatMap(([resource, operations]) =>
		Object.keys(operations).map((operation) => ({ resource, operation })),
	);

	it('lists each operation that it carries out, and carries out each that it lists', async () => {
		const described = shownOperations(await nodeDescription());
		const fileOf = (resource: string) => `nodes/CustomerMessaging/operations/${resource}.ts`;
		const names = new Set(declared.map(({ resource, operation }) => `${resource}: ${operation}`));
		const listed = new Set(described.map(nameOf));
		expectNone([
			...declared
				.filter(({ resource, operation }) => !listed.has(`${resource}: ${operation}`))
				.map(
					({ resource, operation }) =>
						`${fileOf(resource)}: Operation has no option "${operation}"; add it, then run npm run generate`,
				),
			...described
				.filter((one) => !names.has(nameOf(one)))
				.map(
					({ resource, operation }) =>
						`${fileOf(resource)}: "${operation}" is an option, but not among the operations; add it, then run npm run generate`,
				),
		]);
	});

	it('has a case for every operation of its description', async () => {
		const run = new Set(all().map(({ case: { resource, operation } }) => `${resource}: ${operation}`));
		const described = shownOperations(await nodeDescription())
			.map(nameOf)
			.filter(isLookedAt);
		expectNone([
			...described
				.filter((pair) => !run.has(pair))
				.map((pair) => `${CASES}: no case for "${pair}"; add one with every parameter of it`),
			...[...run]
				.filter((pair) => !described.includes(pair))
				.map((pair) => `${CASES}: the node has no operation "${pair}"`),
		]);
	});

	it('reaches every endpoint by exactly one plain operation', () => {
		const by = new Map<string, Set<string>>(endpoints.map(({ operationId }) => [operationId, new Set()]));
		for (const { name: caseName, case: one, requests } of all()) {
			if (one.composed) continue;
			const reached = requests.map(
				({ method, path }) => endpointOf(method, path)?.operationId ?? `${method} ${path}`,
			);
			expect({ caseName, requests: reached.length }).toEqual({ caseName, requests: 1 });
			const name = `${one.resource}: ${one.operation}${one.resource === 'settings' ? ` ${String(one.parameters.category)}` : ''}`;
			const known = by.get(reached[0]) ?? new Set();
			by.set(reached[0], known.add(name));
		}
		const resources = new Map(endpoints.map(({ operationId, resource }) => [operationId, resource]));
		expectNone(
			[...by].flatMap(([reached, operations]) => {
				const names = [...operations].map((name) => `"${name}"`).join(' and ');
				const resource = resources.get(reached);
				if (!resource) return [`sandbox/openapi.yaml: no endpoint ${reached}, which ${names} asks for`];
				if (operations.size === 0)
					return [
						`${CASES}: no case reaches "${reached}" of sandbox/openapi.yaml; add one, and its operation in nodes/CustomerMessaging/operations/${resource}.ts if there is none`,
					];
				if (operations.size > 1) return [`${CASES}: ${names} both reach "${reached}"; mark the composed one`];
				return [];
			}),
		);
	});

	it('can set every field that the contract shows', () => {
		const seen = new Map<string, Set<string>>(endpoints.map(({ operationId }) => [operationId, new Set()]));
		const requests = [...all().flatMap((reached) => reached.requests), ...triedQueries];
		for (const request of requests) {
			const { operationId } = endpointOf(request.method, request.path) ?? { operationId: '' };
			for (const field of fieldsOfRequest(request)) seen.get(operationId)?.add(field);
		}
		expectNone(
			endpoints.flatMap(({ operationId, fields }) =>
				fields
					.filter((field) => !seen.get(operationId)?.has(field))
					.map(
						(field) =>
							`${CASES}: no case sets "${field}" of "${operationId}"; add the parameter to its case, and to the operation if it has none`,
					),
			),
		);
	});
});
