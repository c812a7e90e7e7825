import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();

/** Runs the node for so many items, and returns the hints that n8n shows above its output. */
async function hintsOf(parameters: INodeParameters, items: object[]) {
	const { run, error } = await runNode({
		parameters,
		items: items.map((json) => ({ json: { ...json } })),
		credentials: odd.credentials,
		onError: 'continueRegularOutput',
	});
	expect(error).toBeUndefined();
	const [task] = run.data.resultData.runData.Node;
	return (task.hints ?? []).map(({ message, location, type }) => [message, location, type]);
}

describe('the hints of a run', () => {
	it('are none where every item went as asked', async () => {
		odd.answer(() => ({ data: { id: 1, title: 'VIP' } }));
		expect(await hintsOf({ resource: 'tag', operation: 'create', title: 'VIP' }, [{}, {}])).toEqual([]);
	});

	it('count the items that failed', async () => {
		odd.answer(async ({ body }, reply) =>
			(body as { title: string }).title === 'b' ? await reply.code(422).send({}) : { data: { id: 1 } },
		);
		const create = { resource: 'tag', operation: 'create', title: '={{ $json.title }}' };
		expect(await hintsOf(create, [{ title: 'a' }, { title: 'b' }, { title: 'b' }])).toEqual([
			['2 of 3 items failed.', 'outputPane', 'warning'],
		]);
	});

	it('are about items, not about fields of records', async () => {
		odd.answer(() => ({ data: { id: 1, error: 'a member of the tenant', status: 'failed' } }));
		expect(await hintsOf({ resource: 'tag', operation: 'get', tagId: byId(1) }, [{}])).toEqual([]);
	});

	it('count the messages that were not delivered', async () => {
		odd.answer(({ body }) => ({
			data: {
				id: 1,
				latest_error: JSON.stringify(body).includes('lost') ? { type: 'undeliverable' } : null,
			},
		}));
		const send = { resource: 'message', operation: 'send', conversationId: '1', text: '={{ $json.text }}' };
		expect(await hintsOf(send, [{ text: 'lost' }, { text: 'read' }])).toEqual([
			['1 of 2 items were not delivered; see latest_error.', 'outputPane', 'warning'],
		]);
	});

	it('count them once when the node is run again', async () => {
		let refusals = 1;
		odd.answer(async ({ body }, reply) => {
			const isLost = JSON.stringify(body).includes('lost');
			if (isLost) return { data: { id: 1, latest_error: { type: 'undeliverable' } } };
			return refusals-- > 0 ? await reply.code(422).send({}) : { data: { id: 2, latest_error: null } };
		});
		const { run } = await runNode({
			parameters: { resource: 'message', operation: 'send', conversationId: '1', text: '={{ $json.text }}' },
			items: [{ json: { text: 'lost' } }, { json: { text: 'later' } }],
			credentials: odd.credentials,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 10 },
		});
		const [task] = run.data.resultData.runData.Node;
		expect((task.hints ?? []).map(({ message }) => message)).toEqual([
			'1 of 2 items were not delivered; see latest_error.',
		]);
	});

	it('count the rows of an import that were left out', async () => {
		odd.answer(() => ({ data: { created_count: 1, updated_count: 0, skipped_count: 0 } }));
		const bulk = {
			resource: 'customer',
			operation: 'bulkImport',
			columns: { mappingMode: 'defineBelow', value: { displayId: '={{ $json.phone }}', name: 'N' } },
			invalidValues: 'skipRow',
		};
		expect(await hintsOf(bulk, [{ phone: '+491701' }, { phone: '+491702000000' }, { phone: 'x' }])).toEqual([
			['2 of 3 items were not imported; see findings in the first item.', 'outputPane', 'warning'],
		]);
	});

	it('tell once how long requests waited for the tenant', async () => {
		let asked = 0;
		odd.answer(async (_request, reply) =>
			++asked === 1
				? await reply.code(429).header('retry-after', '2').send({})
				: { data: { id: 1, title: 'VIP' } },
		);
		const get = { resource: 'tag', operation: 'get', tagId: byId(1), requestLimits: { maximumInFlight: 1 } };
		expect(await hintsOf(get, [{}, {}, {}])).toEqual([
			['1 request waited for the tenant, 2 s in all.', 'outputPane', 'info'],
		]);
	});
});
