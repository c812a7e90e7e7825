import type { Bench } from '../bench.mts';
import type { JobNode, JobResult } from '../engine/job.mts';
import { median, ratioOf, type Row, target } from '../figures.mts';
import { createWithHttpRequest } from './createCustomers.mts';

const CUSTOMERS = 10_000;

interface Import extends JobResult {
	requests: number;
	/** The part of the time that the tenant took. */
	tenantMilliseconds: number;
}

function bulkImport(bench: Bench, columns: JobNode['parameters']): JobNode {
	return bench.ours({ resource: 'customer', operation: 'bulkImport', columns, output: 'summary' });
}

const mapped = (value: JobNode['parameters']) => ({ mappingMode: 'defineBelow', value });

/** 10,000 customers into the tenant: our bulk import, with each way to map columns, against one create per item. */
export async function customersIn(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	const put = async (node: JobNode, profile?: string): Promise<Import> => {
		// The same tenant for each: one that holds more customers takes longer for a further one.
		await bench.tenant.reset();
		const input = bench.newPeople(bench.scaled(CUSTOMERS));
		await bench.tenant.traffic();
		const result = await engine.call('run', { ...bench.job([node], input), profile });
		const { requests, milliseconds } = await bench.tenant.traffic();
		if (result.failed > 0)
			throw new Error(`${node.type}: ${result.failed} customers failed. ${result.error ?? ''}`);
		return { ...result, requests, tenantMilliseconds: milliseconds };
	};
	const http = createWithHttpRequest(bench);
	const byName = bulkImport(bench, { mappingMode: 'autoMapInputData', value: null });
	const fields = bulkImport(
		bench,
		mapped({
			displayId: '={{ $json.displayId }}',
			name: '={{ $json.name }}',
			email: '={{ $json.email }}',
		}),
	);
	const template = bulkImport(
		bench,
		mapped({
			displayId: '={{ $json.displayId }}',
			name: '={{ $json.firstName }} {{ $json.lastName }}',
			email: '={{ $json.email }}',
		}),
	);
	const computed = bulkImport(
		bench,
		mapped({
			displayId: '={{ $json.displayId }}',
			name: "={{ $json.firstName + ' ' + $json.lastName }}",
			email: '={{ $json.email }}',
		}),
	);
	const results = await bench.inTurns(
		{
			peer: async (profile) => await put(http, profile),
			byName: async (profile) => await put(byName, profile),
			fields: async (profile) => await put(fields, profile),
			template: async (profile) => await put(template, profile),
			computed: async (profile) => await put(computed, profile),
		},
		({ milliseconds, requests, tenantMilliseconds }) =>
			`${Math.round(milliseconds)} ms, ${requests} requests that take the tenant ${Math.round(tenantMilliseconds)} ms`,
	);
	await bench.engines.stop(engine);

	const seconds = (imports: Import[]) => imports.map(({ milliseconds }) => milliseconds / 1_000);
	const row = (ours: Import[], how: string): Row => ({
		measure: `10,000 customers in, ${how}`,
		unit: 's',
		peer: { name: 'HTTP Request, one create per item', value: median(seconds(results.peer)) },
		ours: median(seconds(ours)),
		ratio: ratioOf(seconds(results.peer), seconds(ours)),
		targets: [target.atLeast(50)],
		note: `of our time the tenant itself takes ${Math.round(median(ours.map(({ tenantMilliseconds }) => tenantMilliseconds)))} ms`,
	});
	const all = [...results.byName, ...results.fields, ...results.template, ...results.computed];
	return [
		row(results.byName, 'columns by name'),
		row(results.fields, 'columns mapped to fields'),
		row(results.template, 'a column mapped to text and fields'),
		row(results.computed, 'a column mapped to a computed expression'),
		{
			measure: '10,000 customers in: requests',
			unit: 'requests',
			peer: { name: 'HTTP Request, one create per item', value: results.peer[0].requests },
			ours: Math.max(...all.map(({ requests }) => requests)),
			targets: [target.atMost(20, 'ours')],
		},
	];
}
