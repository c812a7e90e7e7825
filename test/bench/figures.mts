/** The middle value; of an even number of values the mean of the two in the middle. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The value that so many percent of the values do not exceed. */
export function percentile(values: number[], percent: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** Ratios of the rounds' pairs. */
export interface Ratio {
	median: number;
	least: number;
	most: number;
}

/** `a` divided by `b`, round by round, so that what disturbed a round disturbs both. */
function ratioOf(a: number[], b: number[]): Ratio {
	const ratios = a.map((value, round) => value / b[round]);
	return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** How many times better ours is than the peer, so that above 1 is always better. */
export const timesBetter = {
	/** Of figures such as items per second. */
	whereMoreIsBetter: (ours: number[], peer: number[]): Ratio => ratioOf(ours, peer),
	/** Of figures such as seconds or megabytes. */
	whereLessIsBetter: (ours: number[], peer: number[]): Ratio => ratioOf(peer, ours),
};

/** What a figure has to reach. */
export interface Target {
	/** Our own figure, or its ratio to the peer's. */
	of: 'ours' | 'ratio';
	bound: 'atLeast' | 'atMost';
	value: number;
}

/** One line of the result. */
export interface Row {
	measure: string;
	/** Unit of both figures. */
	unit: string;
	peer?: { name: string; value: number };
	ours: number;
	/** How many times better ours is than the peer. */
	ratio?: Ratio;
	targets: Target[];
	/** What else has to be known of the figures. */
	note?: string;
}

const valueFor = ({ ours, ratio }: Row, { of }: Target): number =>
	of === 'ours' ? ours : (ratio?.median ?? Number.NaN);

export function isMet(row: Row, target: Target): boolean {
	const value = valueFor(row, target);
	return target.bound === 'atLeast' ? value >= target.value : value <= target.value;
}

export const target = {
	/** How many times better ours has to be, at least. */
	timesBetter: (value: number): Target => ({ of: 'ratio', bound: 'atLeast', value }),
	/** The most that our own figure may be. */
	atMost: (value: number): Target => ({ of: 'ours', bound: 'atMost', value }),
};
