import type { OnError } from 'n8n-workflow';

import { ANY_IDS, operationCases } from '../../contract/operationCases.mts';
import { runNode } from '../../engine/engine.mts';
import { leaksOfRun, LogWatch } from '../../engine/leaks.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();
const log = LogWatch.inEachTest();

const TOKEN = '12|Zx+"k\\9/tenant=token';

describe('no operation tells the token of a service that repeats it', () => {
	it.each<[string, OnError | undefined, Parameters<OddTenant['answer']>[0]]>([
		['refused', undefined, async (_, reply) => await reply.code(401).send({ message: `Not ${TOKEN}` })],
		[
			'failing',
			'continueRegularOutput',
			async (_, reply) => await reply.code(500).send({ message: `Not ${TOKEN}` }),
		],
		[
			'dropped',
			'continueErrorOutput',
			(request, reply) => {
				reply.hijack();
				request.raw.socket.destroy();
			},
		],
	])('%s', async (_how, onError, answer) => {
		odd.answer(answer);
		const leaks: string[] = [];
		for (const { resource, operation, parameters, items } of operationCases(ANY_IDS)) {
			const run = await runNode({
				credentials: { tenantDomain: odd.url, accessToken: TOKEN },
				parameters: { resource, operation, advanced: { maximumTries: 1 }, ...parameters },
				items,
				onError,
			});
			leaks.push(...leaksOfRun(run, TOKEN, log).map((leak) => `${resource}: ${operation}: ${leak}`));
		}
		expect(leaks).toEqual([]);
	});
});
