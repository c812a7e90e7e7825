import path from 'node:path';

import { FROZEN_FOLDER, type FrozenNode, frozenVersions, readFrozen, writeFrozen } from './frozenFiles.mts';
import {
	type Done,
	kindOf,
	type Run,
	runSaved,
	type SavedNode,
	type Specimen,
	Specimens,
} from './frozenNodes.mts';
import { asText, FrozenTenant, requestsOf } from './frozenTenant.mts';
import { isReleased } from './released.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** What a node did and what it does now, as the same value where nothing has changed. */
export interface Comparison {
	before: unknown[];
	now: unknown[];
}

/** What others see of a run. Of a failure it counts that there is one, and why only where there was none before. */
const visible = ({ exchanges, output, status, until, failed }: Done, isFailing = false): unknown =>
	JSON.parse(
		asText({ requests: requestsOf(exchanges), output, status, until, failed: isFailing ? !!failed : failed }),
	);

/** Runs a frozen node once more, with the answers of then. */
export async function comparison(
	{ node, items, runs }: Pick<FrozenNode, 'items' | 'runs'> & { node: SavedNode },
	tenant: FrozenTenant,
): Promise<Comparison> {
	const all: Comparison = { before: [], now: [] };
	for (const { exchanges, output, status, until, failed, ...given } of runs) {
		const isFailing = failed !== undefined;
		all.before.push(visible({ exchanges, output, status, until, failed }, isFailing));
		const now = await runSaved(node, { items, ...given }, tenant, exchanges).then(
			({ done }) => visible(done, isFailing),
			(error: Error) => ({ error: error.message }),
		);
		all.now.push(now);
	}
	return all;
}

/** A run to be kept: texts of errors may change. */
const withoutReason = ({ failed, ...run }: Run): Run => ({
	...run,
	...(failed !== undefined && { failed: true }),
});

/** What a freeze has written. */
export interface Freezing {
	/** Nodes that an earlier version has frozen. */
	earlier: number;
	/** Nodes that were frozen for this version and are as they were. */
	kept: number;
	/** Names of the nodes that were frozen now. */
	frozen: string[];
}

/**
 * Freezes the nodes of a version that no earlier one has frozen: for those of an earlier version, a test holds what they do.
 * What the version has frozen before stays as it is where it still holds.
 *
 * @param place holds a folder for each version
 * @param chosen the nodes that are frozen: all of them, but in a test
 * @throws Error when the version is released
 */
export async function freeze(
	version: string,
	place = FROZEN_FOLDER,
	chosen = async (specimens: Specimens): Promise<Specimen[]> => await specimens.all(),
): Promise<Freezing> {
	if (isReleased(ROOT, version))
		throw new Error(
			`${version} is released, so what it froze stays: npx tsx scripts/freezeWorkflows.mts VERSION freezes for the next one.`,
		);
	const others = frozenVersions(place).filter((one) => one !== version);
	const own = readFrozen(version, place);
	const earlier = new Set(others.flatMap((one) => readFrozen(one, place).map(kindOf)));
	const known = new Map(own.map((one) => [kindOf(one), one]));
	const [specimens, tenant] = [await Specimens.begin(), new FrozenTenant()];
	try {
		const all = await chosen(specimens);
		await tenant.start();
		const fresh = all.filter((one) => !earlier.has(kindOf(one)));
		const nodes: FrozenNode[] = [];
		const frozen: string[] = [];
		for (const one of fresh) {
			const { name, file, items } = one;
			const before = known.get(kindOf(one));
			const compared = before && (await comparison(before, tenant));
			if (before && asText(compared?.before) === asText(compared?.now)) nodes.push({ ...before, name, file });
			else {
				const { node, runs } = await one.record(tenant);
				nodes.push({ name, file, items, node, runs: runs.map(withoutReason) });
				frozen.push(name);
			}
		}
		writeFrozen(version, nodes, place);
		return { earlier: all.length - fresh.length, kept: nodes.length - frozen.length, frozen };
	} finally {
		await tenant.stop();
		await specimens.end();
	}
}
