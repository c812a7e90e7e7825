// How far npm is with many packages. Plain Node.js, since nothing may be installed yet.

/**
 * The part of the whole time that has passed when a share of the packages is there, as measured with nothing in npm's cache.
 * npm reads and downloads before it writes the first one, and what it writes last is large.
 */
const PASSED = [
	[0, 0],
	[0.1, 0.3],
	[0.9, 0.6],
	[1, 0.85],
];

function passedAt(share) {
	const next = Math.max(
		1,
		PASSED.findIndex(([until]) => share <= until),
	);
	const [[from, passed], [until, then]] = [PASSED[next - 1], PASSED[next]];
	return passed + ((then - passed) * (share - from)) / (until - from);
}

/**
 * A function that says in a line how far an installation is, from the share of the packages that are there and the
 * seconds that have passed. While no package comes, it counts down; it leaves out a guess that was too short.
 */
export function installProgress() {
	let last = 0;
	let end = 0;
	return (share, seconds) => {
		if (share !== last) end = seconds / passedAt(share);
		last = share;
		const left = Math.ceil((end - seconds) / 10) * 10;
		const isGuess = share >= PASSED[1][0] && left > 0;
		const what =
			share === 1
				? 'all packages are there, npm completes them'
				: `${Math.floor(share * 100)} % of the packages`;
		return `${Math.round(seconds)} s: ${what}${isGuess ? `, about ${left} s left` : ''}`;
	};
}
