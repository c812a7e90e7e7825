import type { Bench } from '../bench.mts';
import type { Job, JobNode, JobResult } from '../engine/job.mts';
import { median, timesBetter, type Row, target } from '../figures.mts';

const PROFILES = 100_000;
const PER_PAGE = 100;

const getAll = (bench: Bench, simple: boolean, amount: JobNode['parameters']): JobNode =>
	bench.ours({ resource: 'profile', operation: 'getAll', simple, ...amount });

/** All profiles as the tenant sends them. */
export const getAllProfiles = (bench: Bench): JobNode => getAll(bench, false, { returnAll: true });

/** HTTP Request's pagination over the same pages, as its documentation shows it for pages by number. */
const paginate = (bench: Bench, limit: JobNode['parameters']): JobNode =>
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

interface Read extends JobResult {
	/** Peak memory above idle, MB. */
	above: number;
}

/** All profiles of a large tenant, in a fresh process for each run since memory is measured. */
export async function returnAll(bench: Bench): Promise<Row[]> {
	const { tenant, engines } = bench;
	const profiles = bench.scaled(PROFILES);
	await tenant.reset();
	await tenant.setLatency(0);
	await tenant.seed(profiles);
	const input: Job['input'] = { people: 1, first: 0 };
	const onePage = { limitPagesFetched: true, maxRequests: 1 };

	const read = async (
		warmUp: JobNode[],
		nodes: JobNode[],
		profile: string | undefined,
		leastItems: number,
	): Promise<Read> => {
		const result = await engines.runAlone(bench.job(warmUp, input), { ...bench.job(nodes, input), profile });
		if (result.failed > 0 || result.items < leastItems) {
			throw new Error(`${result.items} items were read, ${leastItems} expected. ${result.error ?? ''}`);
		}
		return { ...result, above: result.peakMegabytes - result.idleMegabytes };
	};
	const ours = async (simple: boolean, profile?: string) =>
		await read(
			[getAll(bench, simple, { returnAll: false, limit: PER_PAGE })],
			[getAll(bench, simple, { returnAll: true })],
			profile,
			profiles,
		);
	const results = await bench.inTurns(
		{ seconds: 80, warmUp: false },
		{
			peer: async (profile) =>
				await read([paginate(bench, onePage)], [paginate(bench, {})], profile, profiles / PER_PAGE),
			peerWithSplitOut: async (profile) =>
				await read([paginate(bench, onePage), splitOut], [paginate(bench, {}), splitOut], profile, profiles),
			ours: async (profile) => await ours(false, profile),
			oursSimplified: async (profile) => await ours(true, profile),
		},
		({ milliseconds, above }) => `${(milliseconds / 1_000).toFixed(1)} s, ${Math.round(above)} MB`,
	);

	const seconds = (reads: Read[]) => reads.map(({ milliseconds }) => milliseconds / 1_000);
	const megabytes = (reads: Read[]) => reads.map(({ above }) => above);
	const rows = (name: string, mine: Read[], peerName: string, peer: Read[], counts: boolean): Row[] => [
		{
			measure: `${name}: time`,
			unit: 's',
			peer: { name: peerName, value: median(seconds(peer)) },
			ours: median(seconds(mine)),
			ratio: timesBetter.whereLessIsBetter(seconds(mine), seconds(peer)),
			targets: counts ? [target.timesBetter(1)] : [],
		},
		{
			measure: `${name}: peak memory above idle`,
			unit: 'MB',
			peer: { name: peerName, value: median(megabytes(peer)) },
			ours: median(megabytes(mine)),
			ratio: timesBetter.whereLessIsBetter(megabytes(mine), megabytes(peer)),
			targets: counts ? [target.timesBetter(1)] : [],
		},
	];
	const name = 'Return All of 100,000 profiles';
	const pages = 'HTTP Request, one item per page';
	const split = 'HTTP Request and Split Out, one item per profile';
	return [
		...rows(`${name}, as sent`, results.ours, pages, results.peer, true),
		...rows(`${name}, simplified`, results.oursSimplified, pages, results.peer, false),
		...rows(`${name}, as sent, same items`, results.ours, split, results.peerWithSplitOut, false),
	];
}
