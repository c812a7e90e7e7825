import path from 'node:path';

import type { Bench } from '../bench.mts';
import { median, timesBetter, type Row, target } from '../figures.mts';

/** More than of other measures: a run takes a moment only, and what it measures little more than the noise. */
const ROUNDS = 15;

/** What loads a node in a fresh process and gives the milliseconds, and the file of the action node. */
export async function requireTimer({ place }: Bench) {
	const script = await place.compile(path.join(import.meta.dirname, 'coldRequire.child.mts'));
	const { execa } = await import('execa');
	const load = async (file: string): Promise<number> => {
		const className = path.basename(file, '.node.js');
		const { stdout } = await execa(place.installation.node, [script, file, className], {
			env: place.environment,
			extendEnv: false,
		});
		return Number(stdout);
	};
	const ours = path.join(place.packageFolder, 'dist/nodes/CustomerMessaging/CustomerMessaging.node.js');
	return { load, ours };
}

/** Loading the action node, each time in a fresh process. */
export async function coldRequire(bench: Bench): Promise<Row[]> {
	const timer = await requireTimer(bench);
	const peerFile = path.join(
		bench.place.modules,
		'n8n-nodes-base/dist/nodes/Microsoft/SharePoint/MicrosoftSharePoint.node.js',
	);
	const { peer, ours } = await bench.inTurns(
		{ seconds: 10, least: ROUNDS },
		{ peer: async () => await timer.load(peerFile), ours: async () => await timer.load(timer.ours) },
		(milliseconds) => `${milliseconds.toFixed(1)} ms`,
	);
	return [
		{
			measure: 'Cold require of the action node',
			unit: 'ms',
			peer: { name: "n8n's SharePoint node", value: median(peer) },
			ours: median(ours),
			ratio: timesBetter.whereLessIsBetter(ours, peer),
			targets: [target.timesBetter(1)],
		},
	];
}
