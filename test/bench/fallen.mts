import type { Row } from './figures.mts';

/** How many times as good as before a figure has to be: less is no chance any more, even on a machine that others use. */
const LEAST = 0.75;

/** A sentence for each row that is worse than what it is compared with by more than a quarter. */
export const fallen = (rows: Row[]): string[] =>
	rows.flatMap(({ measure, unit, ours, peer, ratio }) =>
		peer && ratio && ratio.median < LEAST
			? [
					`${measure}: ${Number(ours.toPrecision(3))} ${unit}, and ${Number(peer.value.toPrecision(3))} ${unit} with ${peer.name}. ${Number(ratio.median.toPrecision(2))} times as good`,
				]
			: [],
	);
