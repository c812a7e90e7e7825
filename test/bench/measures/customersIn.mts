import type { INodeParameters } from 'n8n-workflow';

import type { Bench } from '../bench.mts';
import type { Engine, JobNode } from '../engine.mts';
import { highest, median, type Row, row } from '../rows.mts';
import { latency } from '../tenant.mts';
import { COMPUTED_NAME, createWithHttpRequest } from './singleWrites.mts';

const CUSTOMERS = 10_000;

/** What our node puts into one request. */
const ROWS_PER_REQUEST = 500;

async function atLatency(bench: Bench, engine: Engine, ms: number): Promise<Row[]> {
	const put = async (node: JobNode, perItem?: number) => {
		// The same tenant for each: one that holds more customers takes longer for a further one.
		await bench.tenant.reset(...latency(ms));
		const result = await bench.write(engine, node, CUSTOMERS, perItem);
		if (result.failed > 0) throw new Error(`${node.type}: ${result.failed} failed. ${result.error ?? ''}`);
		return result;
	};
	type Import = Awaited<ReturnType<typeof put>>;
	const bulkImport = async (columns: INodeParameters) =>
		await put(
			bench.ours({ resource: 'customer', operation: 'bulkImport', columns, options: { output: 'summary' } }),
		);
	const withName = async (name: string) => {
		const value = { displayId: '={{ $json.displayId }}', name, email: '={{ $json.email }}' };
		return await bulkImport({ mappingMode: 'defineBelow', value });
	};
	/** What an expert does: the endpoint of our import, with rows that something before has grouped already. */
	const bulk = bench.httpRequest('/customers/bulk-import', {
		method: 'POST',
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			"={{ JSON.stringify({ duplicates: 'override', customers: $json.rows.map((row) => ({ channel: 'chatapp', display_id: row.displayId, name: row.name, profile: { email: row.email } })) }) }}",
	});
	const results = await bench.inTurns(
		{ seconds: 60 },
		{
			peer: async () => await put(createWithHttpRequest(bench)),
			peerInBulk: async () => await put(bulk, ROWS_PER_REQUEST),
			byName: async () => await bulkImport({ mappingMode: 'autoMapInputData', value: null }),
			fields: async () => await withName('={{ $json.name }}'),
			template: async () => await withName('={{ $json.firstName }} {{ $json.lastName }}'),
			computed: async () => await withName(COMPUTED_NAME),
		},
		({ milliseconds, requests, busy }) =>
			`${Math.round(milliseconds)} ms, ${requests} requests that take the tenant ${Math.round(busy)} ms`,
	);
	const name = `10,000 customers in at ${ms} ms`;
	const singles = 'HTTP Request, one create per item';
	const inBulk = 'HTTP Request on the bulk endpoint, rows grouped before';
	const { peer, peerInBulk, byName, fields, template, computed } = results;
	const requests = (imports: Import[]) => imports.map((one) => one.requests);
	const seconds = (imports: Import[]) => imports.map(({ milliseconds }) => milliseconds / 1_000);
	// At a latency, the time of our 20 requests, four at a time, is a larger part of the whole.
	const time = (
		ours: Import[],
		how: string,
		timesBetter = ms > 0 ? 10 : 50,
		[who, theirs]: [string, Import[]] = [singles, peer],
	): Row =>
		row(`${name}, ${how}`, 's', seconds(ours), [who, seconds(theirs)], {
			better: 'less',
			timesBetter,
			note: `of our time the tenant takes ${Math.round(median(ours.map(({ busy }) => busy)))} ms`,
		});
	const mapped = 'columns mapped to fields';
	const own = fields.map(({ milliseconds, busy }) => milliseconds - busy);
	const ownShare = `${name}, ${mapped}: without the time of the tenant`;
	const all = requests([...byName, ...fields, ...template, ...computed]);
	return [
		time(byName, 'columns by name'),
		time(fields, mapped),
		time(fields, mapped, ms > 0 ? 0.9 : 0.8, [inBulk, peerInBulk]),
		// At a latency, it prepares a request while the tenant answers another one.
		...(ms > 0 ? [] : [row(ownShare, 'ms', own, undefined, { atMost: 100 })]),
		time(template, 'a column mapped to text and fields'),
		time(computed, 'a column mapped to a computed expression'),
		row(`${name}: requests`, 'requests', all, [singles, requests(peer)], { of: highest, atMost: 20 }),
	];
}

/** 10,000 customers into the tenant: our bulk import, with each way to map columns, against both ways of HTTP Request. */
export const customersIn = async (bench: Bench): Promise<Row[]> =>
	await bench.withEngine(async (engine) => [
		...(await atLatency(bench, engine, 0)),
		...(await atLatency(bench, engine, 20)),
	]);
