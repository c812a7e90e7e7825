import type { Bench } from '../bench.mts';
import type { Child } from '../calls.mts';
import type { BareNode } from '../engine/bareNodes.mts';
import type { EngineApi } from '../engine/engine.child.mts';
import type { JobNode, JobResult } from '../engine/job.mts';
import { median, ratioOf, type Row, target } from '../figures.mts';
import { createWithBareNode, createWithHttpRequest, createWithOurs } from './createCustomers.mts';

const ITEMS = 1_000;
/** The default of Request Limits: Maximum in Flight. */
const LIMIT = 40;

interface Write extends JobResult {
	mostInFlight: number;
}

async function write(
	bench: Bench,
	engine: Child<EngineApi>,
	node: JobNode,
	profile?: string,
): Promise<Write> {
	const input = bench.newPeople(bench.scaled(ITEMS));
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
		declarative: createWithBareNode('declarative'),
		boundedDeclarative: createWithBareNode('boundedDeclarative'),
		programmatic: createWithBareNode('programmatic'),
	};
	const results = await bench.inTurns(
		{
			peer: async (profile) => await write(bench, engine, nodes.peer, profile),
			ours: async (profile) => await write(bench, engine, nodes.ours, profile),
			declarative: async (profile) => await write(bench, engine, nodes.declarative, profile),
			boundedDeclarative: async (profile) => await write(bench, engine, nodes.boundedDeclarative, profile),
			programmatic: async (profile) => await write(bench, engine, nodes.programmatic, profile),
		},
		(result) =>
			`${wall(result).toFixed(2)} ms, CPU ${cpu(result).toFixed(2)} ms, ${result.mostInFlight} in flight`,
	);
	const { peer, ours } = results;
	const name = `1,000 single writes at ${latency} ms`;
	const figures = (of: (write: Write) => number) => ({
		peer: { name: 'HTTP Request', value: median(peer.map(of)) },
		ours: median(ours.map(of)),
		ratio: ratioOf(ours.map(of), peer.map(of)),
	});
	const floor = (node: BareNode, of: (write: Write) => number, digits: number) =>
		`${median(results[node].map(of)).toFixed(digits)} (${ratioOf(results[node].map(of), peer.map(of)).median.toFixed(2)})`;
	const floors = (of: (write: Write) => number, digits: number) =>
		`nodes with nothing but n8n's engine, and their ratio: declarative, all at once ${floor('declarative', of, digits)}; declarative, 40 in flight ${floor('boundedDeclarative', of, digits)}; programmatic, 40 in flight ${floor('programmatic', of, digits)}`;
	const most = (writes: Write[]) => Math.max(...writes.map((write) => write.mostInFlight));
	const mostInFlight: Row = {
		measure: `${name}: most in flight`,
		unit: 'requests',
		peer: { name: 'HTTP Request', value: most(peer) },
		ours: most(ours),
		targets: [target.atMost(LIMIT, 'ours')],
	};
	return [
		{
			measure: name,
			unit: 'items/s',
			...figures(perSecond),
			targets: [target.atLeast(latency > 0 ? 1 : 1.25)],
			note: floors(perSecond, 0),
		},
		// Without latency the tenant has answered each request before it reads the next one.
		...(latency > 0 ? [mostInFlight] : []),
		{
			measure: `${name}: CPU per item`,
			unit: 'ms',
			...figures(cpu),
			targets: [target.atMost(1.5)],
			note: floors(cpu, 2),
		},
	];
}

export async function singleWrites(bench: Bench): Promise<Row[]> {
	const engine = await bench.engines.start();
	const rows = [...(await atLatency(bench, engine, 20)), ...(await atLatency(bench, engine, 0))];
	await bench.engines.stop(engine);
	return rows;
}
