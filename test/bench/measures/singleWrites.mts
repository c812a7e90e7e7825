import type { INode } from 'n8n-workflow';

import type { Bench } from '../bench.mts';
import type { Engine, JobNode } from '../engine.mts';
import { highest, type Row, row } from '../rows.mts';
import { latency } from '../tenant.mts';

const ITEMS = 1_000;

const PEER = 'HTTP Request';

/** The default of Maximum in Flight. */
export const LIMIT = 40;

const NAME = '={{ $json.name }}';

/** The name as n8n has to compute it for each item. */
export const COMPUTED_NAME = "={{ $json.firstName + ' ' + $json.lastName }}";

/** One POST /customers for each item, by our node. */
export const createWithOurs = (bench: Bench, settings?: Partial<INode>, name = NAME): JobNode =>
	bench.ours(
		{ resource: 'customer', operation: 'create', displayId: '={{ $json.displayId }}', name },
		settings,
	);

/** The same requests by HTTP Request. */
export const createWithHttpRequest = (bench: Bench, settings?: Partial<INode>, name = NAME): JobNode => {
	const body = { channel: 'chatapp', display_id: '={{ $json.displayId }}', name };
	const parameters = Object.entries(body).map(([member, value]) => ({ name: member, value }));
	return bench.httpRequest(
		'/customers',
		{ method: 'POST', sendBody: true, bodyParameters: { parameters } },
		settings,
	);
};

async function atLatency(bench: Bench, engine: Engine, ms: number): Promise<Row[]> {
	await bench.tenant.reset(...latency(ms));
	const write = async (node: JobNode) => {
		const written = await bench.write(engine, node, ITEMS);
		const { failed, people, items, requests, error = '' } = written;
		if (failed > 0 || items !== people || requests !== people)
			throw new Error(`${node.type}: ${failed} of ${people} writes failed, ${requests} arrived. ${error}`);
		return written;
	};
	type Write = Awaited<ReturnType<typeof write>>;
	const wall = ({ milliseconds, items }: Write) => milliseconds / items;
	const cpu = ({ cpuMilliseconds, items }: Write) => cpuMilliseconds / items;
	const results = await bench.inTurns(
		{ seconds: 35 },
		{
			peer: async () => await write(createWithHttpRequest(bench)),
			ours: async () => await write(createWithOurs(bench)),
			peerComputed: async () => await write(createWithHttpRequest(bench, undefined, COMPUTED_NAME)),
			oursComputed: async () => await write(createWithOurs(bench, undefined, COMPUTED_NAME)),
		},
		(one) => `${wall(one).toFixed(2)} ms, CPU ${cpu(one).toFixed(2)} ms, ${one.mostInFlight} in flight`,
	);
	const name = `1,000 single writes at ${ms} ms`;
	const { peer, ours, peerComputed, oursComputed } = results;
	const mostInFlight = (writes: Write[]) => writes.map((one) => one.mostInFlight);
	const rows = (how: string, mine: Write[], others: Write[], timesBetter: number): [rate: Row, load: Row] => {
		const rate = [mine, others].map((writes) => writes.map((one) => 1_000 / wall(one)));
		const load = [mine, others].map((writes) => writes.map(cpu));
		const [both, perItem] = [`${name}${how}`, `${name}${how}: CPU per item`];
		return [
			row(both, 'items/s', rate[0], [PEER, rate[1]], { better: 'more', timesBetter }),
			row(perItem, 'ms', load[0], [PEER, load[1]], { better: 'less', timesBetter: 0.67 }),
		];
	};
	const [rate, load] = rows('', ours, peer, ms > 0 ? 1 : 1.25);
	const [rateComputed, loadComputed] = rows(', with a computed expression', oursComputed, peerComputed, 1);
	const inFlight = row(
		`${name}: most in flight`,
		'requests',
		mostInFlight(ours),
		[PEER, mostInFlight(peer)],
		{ of: highest, atMost: LIMIT },
	);
	// Without latency the tenant has answered each request before it reads the next one.
	return [rate, rateComputed, ...(ms > 0 ? [inFlight] : []), load, loadComputed];
}

export const singleWrites = async (bench: Bench): Promise<Row[]> =>
	await bench.withEngine(async (engine) => [
		...(await atLatency(bench, engine, 20)),
		...(await atLatency(bench, engine, 0)),
	]);
