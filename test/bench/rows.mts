/** One line of the table. */
export interface Row {
	measure: string;
	/** Unit of both figures. */
	unit: string;
	ours: number;
	peer?: { name: string; value: number };
	/** How many times better ours is than the peer, pair by pair, so that above 1 is always better. */
	ratios?: number[];
	/** Targets: how many times better ours has to be, and the most that our own figure may be. */
	timesBetter?: number;
	atMost?: number;
	/** What else has to be known of the figures. */
	note?: string;
}

/** The value that so many percent of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return (sorted[Math.ceil(sorted.length / 2) - 1] + sorted[Math.floor(sorted.length / 2)]) / 2;
}

export const highest = (values: number[]): number => Math.max(...values);

/** What a row has beside its figures. */
interface Details extends Pick<Row, 'timesBetter' | 'atMost' | 'note'> {
	/** Whether more is better or less; without it nothing is compared. */
	better?: 'more' | 'less';
	/** Makes one figure of ours in all rounds, and of the peer's unless it has `ofPeer`. */
	of?: (values: number[]) => number;
	ofPeer?: (values: number[]) => number;
}

/** Makes a row of the figures of both sides, round by round. */
export function row(
	measure: string,
	unit: string,
	ours: number[],
	peer: [name: string, values: number[]] | undefined,
	{ better, of = median, ofPeer = of, ...others }: Details,
): Row {
	const pairs = ours.map((mine, round) => [mine, peer?.[1][round] ?? NaN]);
	const ratios = pairs.map(([mine, theirs]) => (better === 'more' ? mine / theirs : theirs / mine));
	return {
		measure,
		unit,
		ours: of(ours),
		...others,
		...(peer && { peer: { name: peer[0], value: ofPeer(peer[1]) } }),
		...(better && { ratios }),
	};
}

/** Three digits that count, or the whole number. */
const figure = (value: number): string =>
	Math.abs(value) >= 100 || Number.isInteger(value)
		? String(Math.round(value))
		: String(Number(value.toPrecision(3)));

function cellsOf({ measure, unit, ours, peer, ratios, timesBetter, atMost }: Row): string[] {
	const times = ratios && median(ratios);
	const range = ratios && ` (${figure(Math.min(...ratios))} to ${figure(highest(ratios))})`;
	const targets = [
		...(timesBetter === undefined ? [] : [`at least ${timesBetter} times`]),
		...(atMost === undefined ? [] : [`at most ${figure(atMost)} ${unit}`]),
	];
	const isMet = (times ?? 0) >= (timesBetter ?? 0) && ours <= (atMost ?? Infinity);
	return [
		measure,
		peer ? `${figure(peer.value)} ${unit} (${peer.name})` : '',
		`${figure(ours)} ${unit}`,
		times === undefined ? '' : figure(times) + range,
		targets.join(', '),
		targets.length === 0 ? '' : isMet ? 'met' : 'not met',
	];
}

/** A table in Markdown. */
const markdown = ([head, ...rows]: string[][]): string =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** All figures with their targets and notes. @param failures what was not measured, each with the reason */
export const tableOf = (rows: Row[], failures: string[]): string =>
	markdown([['Measure', "n8n's own", 'This package', 'Times better', 'Target', ''], ...rows.map(cellsOf)])
		.concat('\n', ...failures.map((failure) => `- **Not measured**: ${failure}\n`))
		.concat(...rows.map(({ measure, note }) => (note ? `- ${measure}: ${note}.\n` : '')));

/** The figures that are to be better than those of n8n's own nodes. */
export const comparisonOf = (rows: Row[]): string =>
	markdown([
		['Measure', "n8n's own", 'This package', 'Times better'],
		...rows
			.filter(({ timesBetter }) => timesBetter !== undefined)
			.map((one) => [...cellsOf(one).slice(0, 3), figure(median(one.ratios ?? []))]),
	]);
