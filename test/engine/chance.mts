let state = jest.getSeed();

/** Returns a number from 0 to 1 by chance: the same row of them for the same `--seed` of jest, which a run prints. */
export function chance(): number {
	// Mulberry32.
	state = (state + 0x6d2b79f5) | 0;
	let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
	mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
	return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** A whole number by chance, from 0 up to but not including that. */
export const upTo = (most: number): number => Math.floor(chance() * most);

export const oneOf = <T,>(all: readonly T[]): T => all[upTo(all.length)];
