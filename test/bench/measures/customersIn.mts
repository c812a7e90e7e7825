import type { Bench } from '../bench.mts';
import type { Child } from '../calls.mts';
import type { EngineApi } from '../engine/engine.child.mts';
import type { JobNode, JobResult } from '../engine/job.mts';
import { median, type Row, target, timesBetter } from '../figures.mts';
import { COMPUTED_NAME, createWithHttpRequest } from './createCustomers.mts';

const CUSTOMERS = 10_000;
/** What our node puts into one request. */
const ROWS_PER_REQUEST = 500;

interface Import extends JobResult {
	requests: number;
	/** The part of the time in which the tenant had a request, its latency included. */
	tenantMilliseconds: number;
}

/** A way to put the customers in, and how many of them its input has in each item. */
interface Way {
	node: JobNode;
	perItem?: number;
}

const bulkImport = (bench: Bench, columns: JobNode['parameters']): Way => ({
	node: bench.ours({ resource: 'customer', operation: 'bulkImport', columns, output: 'summary' }),
});

/** Our import, with columns that name fields. */
export const customersFromFields = (bench: Bench): JobNode => withName(bench, '={{ $json.name }}').node;

const withName = (bench: Bench, name: string): Way => {
	const value = { displayId: '={{ $json.displayId }}', name, email: '={{ $json.email }}' };
	return bulkImport(bench, { mappingMode: 'defineBelow', value });
};

/** What an expert does with HTTP Request: the endpoint of our import, with rows that something before has grouped already. */
const bulkWithHttpRequest = (bench: Bench): Way => ({
	node: bench.httpRequest('/customers/bulk-import', {
		method: 'POST',
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			"={{ JSON.stringify({ duplicates: 'override', customers: $json.rows.map((row) => ({ channel: 'chatapp', display_id: row.displayId, name: row.name, profile: { email: row.email } })) }) }}",
	}),
	perItem: ROWS_PER_REQUEST,
});

async function atLatency(bench: Bench, engine: Child<EngineApi>, latency: number): Promise<Row[]> {
	const put = async ({ node, perItem }: Way, profile?: string): Promise<Import> => {
		// The same tenant for each: one that holds more customers takes longer for a further one.
		await bench.tenant.reset();
		await bench.tenant.setLatency(latency);
		const input = { ...bench.newPeople(bench.scaled(CUSTOMERS)), perItem };
		await bench.tenant.traffic();
		const result = await engine.call('run', { ...bench.job([node], input), profile });
		const { requests, milliseconds } = await bench.tenant.traffic();
		if (result.failed > 0)
			throw new Error(`${node.type}: ${result.failed} items failed. ${result.error ?? ''}`);
		return { ...result, requests, tenantMilliseconds: milliseconds };
	};
	const ways = {
		peer: { node: createWithHttpRequest(bench) },
		peerInBulk: bulkWithHttpRequest(bench),
		byName: bulkImport(bench, { mappingMode: 'autoMapInputData', value: null }),
		fields: withName(bench, '={{ $json.name }}'),
		template: withName(bench, '={{ $json.firstName }} {{ $json.lastName }}'),
		computed: withName(bench, COMPUTED_NAME),
	};
	const results = await bench.inTurns(
		{ seconds: 60 },
		{
			peer: async (profile) => await put(ways.peer, profile),
			peerInBulk: async (profile) => await put(ways.peerInBulk, profile),
			byName: async (profile) => await put(ways.byName, profile),
			fields: async (profile) => await put(ways.fields, profile),
			template: async (profile) => await put(ways.template, profile),
			computed: async (profile) => await put(ways.computed, profile),
		},
		({ milliseconds, requests, tenantMilliseconds }) =>
			`${Math.round(milliseconds)} ms, ${requests} requests that take the tenant ${Math.round(tenantMilliseconds)} ms`,
	);

	const name = `10,000 customers in at ${latency} ms`;
	const singles = { name: 'HTTP Request, one create per item', imports: results.peer };
	const bulk = {
		name: 'HTTP Request on the bulk endpoint, rows grouped before',
		imports: results.peerInBulk,
	};
	const seconds = (imports: Import[]) => imports.map(({ milliseconds }) => milliseconds / 1_000);
	const row = (ours: Import[], how: string, least: number, peer = singles): Row => ({
		measure: `${name}, ${how}`,
		unit: 's',
		peer: { name: peer.name, value: median(seconds(peer.imports)) },
		ours: median(seconds(ours)),
		ratio: timesBetter.whereLessIsBetter(seconds(ours), seconds(peer.imports)),
		targets: [target.timesBetter(least)],
		note: `of our time the tenant takes ${Math.round(median(ours.map(({ tenantMilliseconds }) => tenantMilliseconds)))} ms`,
	});
	// At a latency, the time of our 20 requests, four at a time, is a larger part of the whole.
	const least = latency > 0 ? 10 : 50;
	const all = [...results.byName, ...results.fields, ...results.template, ...results.computed];
	const own = results.fields.map(({ milliseconds, tenantMilliseconds }) => milliseconds - tenantMilliseconds);
	const ownShare: Row = {
		measure: `${name}, columns mapped to fields: without the time of the tenant`,
		unit: 'ms',
		ours: median(own),
		targets: [target.atMost(100)],
	};
	return [
		row(results.byName, 'columns by name', least),
		row(results.fields, 'columns mapped to fields', least),
		row(results.fields, 'columns mapped to fields', latency > 0 ? 0.9 : 0.8, bulk),
		// At a latency, it prepares a request while the tenant answers another one.
		...(latency > 0 ? [] : [ownShare]),
		row(results.template, 'a column mapped to text and fields', least),
		row(results.computed, 'a column mapped to a computed expression', least),
		{
			measure: `${name}: requests`,
			unit: 'requests',
			peer: { name: singles.name, value: results.peer[0].requests },
			ours: Math.max(...all.map(({ requests }) => requests)),
			targets: [target.atMost(20)],
		},
	];
}

/** 10,000 customers into the tenant: our bulk import, with each way to map columns, against both ways of HTTP Request. */
export async function customersIn(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	const rows = [...(await atLatency(bench, engine, 0)), ...(await atLatency(bench, engine, 20))];
	await bench.engines.stop(engine);
	return rows;
}
