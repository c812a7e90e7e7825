import type { Bench } from '../bench.mts';
import type { Child } from '../calls.mts';
import type { BareNode } from '../engine/bareNodes.mts';
import type { EngineApi } from '../engine/engine.child.mts';
import type { JobNode, JobResult } from '../engine/job.mts';
import { median, timesBetter, type Row, target } from '../figures.mts';
import {
	COMPUTED_NAME,
	createWithBareNode,
	createWithHttpRequest,
	createWithOurs,
} from './createCustomers.mts';

const ITEMS = 1_000;
/** What only a note tells goes by item too, and is slow. */
const BARE_ITEMS = 300;
/** The default of Maximum in Flight. */
const LIMIT = 40;

interface Write extends JobResult {
	mostInFlight: number;
}

async function write(
	bench: Bench,
	engine: Child<EngineApi>,
	node: JobNode,
	profile?: string,
	items = ITEMS,
): Promise<Write> {
	const input = bench.newPeople(bench.scaled(items));
	await bench.tenant.traffic();
	const result = await engine.call('run', { ...bench.job([node], input), profile });
	const { mostInFlight, requests } = await bench.tenant.traffic();
	if (result.failed > 0 || result.items !== input.people || requests !== input.people) {
		throw new Error(
			`${node.type}: ${result.failed} of ${input.people} writes failed, ${requests} arrived. ${result.error ?? ''}`,
		);
	}
	return { ...result, mostInFlight };
}

const wall = ({ milliseconds, items }: Write) => milliseconds / items;
const cpu = ({ cpuMilliseconds, items }: Write) => cpuMilliseconds / items;
const perSecond = (write: Write) => 1_000 / wall(write);

async function atLatency(bench: Bench, engine: Child<EngineApi>, latency: number): Promise<Row[]> {
	await bench.tenant.reset();
	await bench.tenant.setLatency(latency);
	const nodes = {
		peer: createWithHttpRequest(bench),
		ours: createWithOurs(bench),
		peerComputed: createWithHttpRequest(bench, undefined, COMPUTED_NAME),
		oursComputed: createWithOurs(bench, undefined, COMPUTED_NAME),
		declarative: createWithBareNode('declarative'),
		boundedDeclarative: createWithBareNode('boundedDeclarative'),
		programmatic: createWithBareNode('programmatic'),
	};
	const results = await bench.inTurns(
		{ seconds: 35 },
		{
			peer: async (profile) => await write(bench, engine, nodes.peer, profile),
			ours: async (profile) => await write(bench, engine, nodes.ours, profile),
			peerComputed: async (profile) => await write(bench, engine, nodes.peerComputed, profile),
			oursComputed: async (profile) => await write(bench, engine, nodes.oursComputed, profile),
			declarative: async (profile) => await write(bench, engine, nodes.declarative, profile, BARE_ITEMS),
			boundedDeclarative: async (profile) =>
				await write(bench, engine, nodes.boundedDeclarative, profile, BARE_ITEMS),
			programmatic: async (profile) => await write(bench, engine, nodes.programmatic, profile, BARE_ITEMS),
		},
		(result) =>
			`${wall(result).toFixed(2)} ms, CPU ${cpu(result).toFixed(2)} ms, ${result.mostInFlight} in flight`,
	);
	const { peer, ours } = results;
	const name = `1,000 single writes at ${latency} ms`;
	const figures = (
		of: (write: Write) => number,
		compare: (typeof timesBetter)[keyof typeof timesBetter],
		[mine, other]: Write[][] = [ours, peer],
	) => ({
		peer: { name: 'HTTP Request', value: median(other.map(of)) },
		ours: median(mine.map(of)),
		ratio: compare(mine.map(of), other.map(of)),
	});
	const { whereMoreIsBetter, whereLessIsBetter } = timesBetter;
	const rate = (sides?: Write[][]) => figures(perSecond, whereMoreIsBetter, sides);
	const load = (sides?: Write[][]) => figures(cpu, whereLessIsBetter, sides);
	const floor = (node: BareNode, of: typeof rate, digits: number) => {
		const { ours: bare, ratio } = of([results[node], peer]);
		return `${bare.toFixed(digits)} (${ratio.median.toFixed(2)})`;
	};
	const floors = (of: typeof rate, digits: number) =>
		`nodes with nothing but n8n's engine, and their ratio: declarative, all at once ${floor('declarative', of, digits)}; declarative, 40 in flight ${floor('boundedDeclarative', of, digits)}; programmatic, 40 in flight ${floor('programmatic', of, digits)}`;
	const most = (writes: Write[]) => Math.max(...writes.map((write) => write.mostInFlight));
	const mostInFlight: Row = {
		measure: `${name}: most in flight`,
		unit: 'requests',
		peer: { name: 'HTTP Request', value: most(peer) },
		ours: most(ours),
		targets: [target.atMost(LIMIT)],
	};
	return [
		{
			measure: name,
			unit: 'items/s',
			...rate(),
			targets: [target.timesBetter(latency > 0 ? 1 : 1.25)],
			note: floors(rate, 0),
		},
		{
			measure: `${name}, with a computed expression`,
			unit: 'items/s',
			...rate([results.oursComputed, results.peerComputed]),
			targets: [target.timesBetter(1)],
		},
		// Without latency the tenant has answered each request before it reads the next one.
		...(latency > 0 ? [mostInFlight] : []),
		{
			measure: `${name}: CPU per item`,
			unit: 'ms',
			...load(),
			targets: [target.timesBetter(0.67)],
			note: floors(load, 2),
		},
		{
			measure: `${name}, with a computed expression: CPU per item`,
			unit: 'ms',
			...load([results.oursComputed, results.peerComputed]),
			targets: [target.timesBetter(0.67)],
		},
	];
}

export async function singleWrites(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	const rows = [...(await atLatency(bench, engine, 20)), ...(await atLatency(bench, engine, 0))];
	await bench.engines.stop(engine);
	return rows;
}
