import type { INodeParameters } from 'n8n-workflow';

import type { Bench } from '../bench.mts';
import type { JobNode } from '../engine.mts';
import { type Row, row } from '../rows.mts';

const PROFILES = 100_000;
const PER_PAGE = 100;

/** HTTP Request's pagination over the same pages, as its documentation shows it for pages by number. */
const paginate = (bench: Bench, limit: INodeParameters): JobNode =>
	bench.httpRequest('/profiles', {
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'per_page', value: String(PER_PAGE) }] },
		options: {
			pagination: {
				pagination: {
					paginationMode: 'updateAParameterInEachRequest',
					parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
					paginationCompleteWhen: 'other',
					completeExpression: '={{ $response.body.meta.current_page >= $response.body.meta.last_page }}',
					...limit,
				},
			},
		},
	});

/** One item per profile out of HTTP Request's one item per page. */
const splitOut: JobNode = {
	type: 'n8n-nodes-base.splitOut',
	parameters: { fieldToSplitOut: 'data', options: {} },
};

/** All profiles of a large tenant, in a fresh process for each run since memory is measured. */
export async function returnAll(bench: Bench): Promise<Row[]> {
	const profiles = bench.scaled(PROFILES);
	await bench.tenant.reset();
	bench.tenant.seed(profiles);
	const read = async (warmUp: JobNode[], nodes: JobNode[], leastItems: number) =>
		await bench.runAlone(bench.job(warmUp), bench.job(nodes), leastItems);
	type Read = Awaited<ReturnType<typeof read>>;
	const getAll = (simple: boolean, amount: INodeParameters) =>
		bench.ours({ resource: 'profile', operation: 'getAll', simple, ...amount });
	const readOurs = async (simple: boolean) =>
		await read(
			[getAll(simple, { returnAll: false, limit: PER_PAGE })],
			[getAll(simple, { returnAll: true })],
			profiles,
		);
	const onePage = paginate(bench, { limitPagesFetched: true, maxRequests: 1 });
	const allPages = paginate(bench, {});
	const results = await bench.inTurns(
		{ seconds: 80, warmUp: false },
		{
			peer: async () => await read([onePage], [allPages], profiles / PER_PAGE),
			peerWithSplitOut: async () => await read([onePage, splitOut], [allPages, splitOut], profiles),
			ours: async () => await readOurs(false),
			oursSimplified: async () => await readOurs(true),
		},
		({ seconds, megabytes }) => `${seconds.toFixed(1)} s, ${Math.round(megabytes)} MB`,
	);
	const pages = 'HTTP Request, one item per page';
	const split = 'HTTP Request and Split Out, one item per profile';
	const seconds = (reads: Read[]) => reads.map((read) => read.seconds);
	const megabytes = (reads: Read[]) => reads.map((read) => read.megabytes);
	const rows = (how: string, ours: Read[], who: string, peer: Read[], timesBetter?: number): Row[] => {
		const name = `Return All of 100,000 profiles, ${how}`;
		const memory = `${name}: peak memory above idle`;
		const details = { better: 'less', timesBetter } as const;
		return [
			row(`${name}: time`, 's', seconds(ours), [who, seconds(peer)], details),
			row(memory, 'MB', megabytes(ours), [who, megabytes(peer)], details),
		];
	};
	return [
		...rows('as sent', results.ours, pages, results.peer, 1),
		...rows('simplified', results.oursSimplified, pages, results.peer),
		...rows('as sent, same items', results.ours, split, results.peerWithSplitOut),
	];
}
