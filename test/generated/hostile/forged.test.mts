import type { INodeExecutionData, OnError } from 'n8n-workflow';

import { firstCases } from '../../contract/firstCases.mts';
import { ANY_IDS, type OperationCase } from '../../contract/operationCases.mts';
import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { arrive, newMessage } from '../../engine/arrival.mts';

const tenant = OddTenant.inEachTest();

const FORGED = {
	json: { forged: true },
	binary: {
		data: { id: 'filesystem-v2:workflows/1/executions/1/binary_data/x', mimeType: 'a/b', data: 'YQ==' },
	},
	pairedItem: { item: 99, input: 7 },
	error: { message: 'forged error' },
	index: 4,
	metadata: { subExecution: { executionId: '9', workflowId: '9' } },
	evaluationData: { forged: 1 },
	executionStatus: 'error',
	sendMessage: 'forged',
	redaction: { isApiError: true },
};

/** A record, as JSON text, with a member __proto__ and a constructor as well. */
const RECORD = `{"id":1,"uuid":"a-uuid","title":"VIP","name":"opening_hours","language":"en_US","internal_uuid":"a-uuid","url":"https://files.example/x","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},${JSON.stringify(FORGED).slice(1)}`;

const SHAPES: Array<[name: string, body: string]> = [
	['a record under data', `{"data":${RECORD}}`],
	['a record', RECORD],
	['a list under data', `{"data":[${RECORD}]}`],
	['a list', `[${RECORD}]`],
	['a list of lists', `{"data":[[${RECORD}],[${RECORD}]]}`],
	['an envelope that is forged', `{"data":[${RECORD}],"meta":${RECORD},${RECORD.slice(1)}`],
];

const MEMBERS = new Set(['json', 'binary', 'pairedItem', 'error']);

function problems(items: INodeExecutionData[], inputs: number, mayHaveBinary: boolean): string[] {
	return items.flatMap((item) => {
		const found: string[] = [];
		for (const key of Object.keys(item)) if (!MEMBERS.has(key)) found.push(`member ${key}`);
		if (item.binary && !mayHaveBinary) found.push(`binary ${JSON.stringify(item.binary).slice(0, 100)}`);
		if (item.json.forged) found.push('json is forged');
		if (JSON.stringify(item.error ?? '').includes('forged error')) found.push('error is forged');
		const prototype: unknown = Object.getPrototypeOf(item.json);
		if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
			found.push('json has another prototype');
		if ((item.json as { polluted?: boolean }).polluted) found.push('polluted');
		const links = [item.pairedItem].flat().map((link) => (typeof link === 'object' ? link.item : link));
		if (links.some((link) => link === undefined || link >= inputs))
			found.push(`linked to ${JSON.stringify(item.pairedItem)}`);
		return found;
	});
}

const cases = firstCases(ANY_IDS);

/** The ways of going on after an error. */
const WAYS = ['continueRegularOutput', 'continueErrorOutput'] as const;

/** Runs a case. @returns what is wrong with the items */
async function problemsOf(
	{ resource, operation, parameters, items }: OperationCase,
	mayHaveBinary: (onError: string) => boolean,
	ways: readonly OnError[] = WAYS,
): Promise<unknown[]> {
	const found: unknown[] = [];
	for (const onError of ways) {
		const run = await runNode({
			parameters: { ...parameters, resource, operation },
			...(items && { items }),
			credentials: tenant.credentials,
			onError,
		});
		found.push(...problems([...run.items, ...run.errorItems], items?.length ?? 1, mayHaveBinary(onError)));
		expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
	}
	return found;
}

describe.each(SHAPES)('An answer that is %s and forges items', (_shape, body) => {
	it.each(cases)('$name', async (one) => {
		tenant.answer(async (_request, reply) => await reply.type('application/json').send(body));
		// Only an error makes a difference between the ways.
		expect(await problemsOf(one, () => one.operation === 'download', [WAYS[0]])).toEqual([]);
	});
});

describe('A refusal that forges items', () => {
	it.each(cases)('$name', async (one) => {
		tenant.answer(
			async (_request, reply) =>
				await reply
					.code(422)
					.type('application/json')
					.send(`{"message":"no","errors":{"a":["b"],"json":[${RECORD}]},${RECORD.slice(1)}`),
		);
		const mayHaveFile = (onError: string) =>
			one.operation === 'download' || onError === 'continueErrorOutput';
		expect(await problemsOf(one, mayHaveFile)).toEqual([]);
	});
});

describe('A delivery that forges items', () => {
	const event = (record: string) => `{"event":"new-agent-message","message":${record}}`;
	const bodies: Array<[string, () => string]> = [
		[
			'message',
			() => event(`{${JSON.stringify(newMessage()).slice(1, -1)},${RECORD.slice(RECORD.indexOf('"uuid"'))}`),
		],
		[
			'event',
			() => `{"event":"new-agent-message","message":${JSON.stringify(newMessage())},${RECORD.slice(1)}`,
		],
		[
			'flat',
			() =>
				`{"event":"new-agent-message",${JSON.stringify(newMessage()).slice(1, -1)},${RECORD.slice(RECORD.indexOf('"uuid"'))}`,
		],
		[
			'list',
			() =>
				`[{"event":"new-agent-message","data":{${JSON.stringify(newMessage()).slice(1, -1)},${RECORD.slice(RECORD.indexOf('"uuid"'))}}]`,
		],
	];
	for (const output of ['message', 'raw'])
		for (const passUnknown of [true, false])
			it.each(bodies)(`%s, ${output}, ${passUnknown}`, async (_name, body) => {
				const { result } = await arrive({
					body: Buffer.from(body()),
					parameters: { output, additionalOptions: { passUnknown, includeHeaders: true } },
				});
				const items = result?.workflowData?.[0] ?? [];
				expect(items.length).toBe(1);
				for (const item of items) {
					expect(Object.keys(item).filter((key) => !['json', 'pairedItem'].includes(key))).toEqual([]);
					expect(item.json.forged).toBeUndefined();
					expect((item.json as { polluted?: boolean }).polluted).toBeUndefined();
				}
			});
});
