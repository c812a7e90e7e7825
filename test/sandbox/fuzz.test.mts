import fc from 'fast-check';
import { expectNone } from '../engine/expectNone.mts';
import type { Question } from '../http.mts';
import { type ContractOperation, contractBreach, operations } from './contract.mts';
import { type Generated, RequestGenerator } from './fuzz.requests.mts';
import { KnownIds } from './knownIds.mts';
import { ask, uploadForm, useTenant } from './tenant.mts';

/** Generated requests per operation, and where the generator starts. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 150);
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);

const tenant = useTenant({ record: false });

function payloadOf({ body, form }: Generated): Pick<Question, 'body' | 'headers'> {
	if (form) {
		const data = new FormData();
		for (const [name, part] of form) {
			if (typeof part === 'string') data.append(name, part);
			else data.append(name, uploadForm({}, part).get('file') as Blob, part.name);
		}
		return { headers: {}, body: data };
	}
	if (body === undefined) return { headers: {} };
	return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function send({ method }: ContractOperation, generated: Generated) {
	const { headers, body } = payloadOf(generated);
	const token = generated.token === 'admin' ? tenant.token : tenant.userToken;
	return await ask(`${tenant.url}/third-party/v1${generated.path}`, {
		method,
		headers: { ...headers, authorization: `Bearer ${token}` },
		body: method === 'GET' ? undefined : body,
	});
}

describe(`${RUNS} generated requests to each operation: no 5xx, every answer valid against the contract`, () => {
	const reached = new Map<string, Set<number>>();

	test.each(operations().map((operation) => [operation.operationId, operation] as const))(
		'%s',
		async (name, operation) => {
			const statuses = new Set<number>();
			reached.set(name, statuses);
			const requests = new RequestGenerator(new KnownIds(tenant.store)).requestsTo(operation);
			await fc.assert(
				fc.asyncProperty(requests, async (generated) => {
					const answer = await send(operation, generated);
					statuses.add(answer.status);
					const breach = contractBreach(operation, answer);
					if (answer.status >= 500 || breach !== undefined) {
						throw new Error(`${answer.status}: ${breach ?? ''} ${JSON.stringify(answer.body)}`);
					}
				}),
				{ numRuns: RUNS, seed: SEED },
			);
		},
		300_000,
	);

	test('the generated requests reach success everywhere', () => {
		const unreached = [...reached].filter(([, statuses]) => !statuses.has(200)).map(([name]) => name);
		expectNone(
			unreached.map(
				(name) =>
					`sandbox/openapi.yaml: no generated request to "${name}" was answered with 200; give what the sandbox takes as "examples" of its body`,
			),
		);
	});
});
