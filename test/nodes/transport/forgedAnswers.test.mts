import { ANY_IDS, operationCases } from '../../contract/operationCases.mts';
import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();

/** Members that n8n would take for parts of an item. */
const FORGED = {
	json: { forged: true },
	binary: {
		data: { id: 'filesystem-v2:workflows/1/executions/1/binary_data/secret', mimeType: 'text/plain' },
	},
	pairedItem: { item: 99 },
	error: 'forged',
	index: 7,
	node: 'Other Node',
	metadata: { subExecution: { workflowId: '1', executionId: '1' } },
};

const record = {
	id: 7,
	title: 'A',
	name: 'A',
	internal_uuid: 'u-1',
	url: 'https://files.example/a.png',
	...FORGED,
};

const cases = operationCases(ANY_IDS);

describe.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'with onError %s',
	(onError) => {
		it.each([
			['a record', record],
			['a list', [record]],
			['a wrapped record', { data: record }],
			['a wrapped list', { data: [record] }],
			['a refusal', undefined],
		])('no answer makes parts of an item: %s', async (_, body) => {
			odd.answer(async (_request, reply) =>
				body === undefined
					? await reply.code(422).send({ ...record, message: 'No' })
					: await reply.send(body),
			);
			let items = 0;
			for (const { resource, operation, parameters, items: given } of cases) {
				const run = await runNode({
					parameters: { resource, operation, requestLimits: { maximumTries: 1 }, ...parameters },
					credentials: odd.credentials,
					items: given,
					onError,
				});
				for (const item of [...run.items, ...run.errorItems]) {
					items++;
					const name = `${resource}: ${operation}`;
					const own = item.json.error === undefined ? item : { ...item, error: undefined };
					const files = Object.values(item.binary ?? {}).map(({ id }) => String(id));
					expect({
						name,
						parts: Object.keys(own).filter(
							(part) => !['json', 'pairedItem', 'binary', 'error'].includes(part),
						),
					}).toEqual({ name, parts: [] });
					expect({ name, forged: files.filter((id) => id.includes('secret')) }).toEqual({ name, forged: [] });
					expect({ name, links: JSON.stringify(item.pairedItem) }).not.toMatchObject({
						links: expect.stringContaining('99'),
					});
					expect(item.metadata).toBeUndefined();
				}
			}
			expect(items).toBeGreaterThan(onError === undefined && body === undefined ? -1 : 50);
		});
	},
);
