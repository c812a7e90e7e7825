import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Bench } from '../bench.mts';
import type { Job } from '../engine/job.mts';
import { median, timesBetter, type Row, target } from '../figures.mts';

const MEGABYTES = 100;
const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Type of the files of both measures. */
export const MIME_TYPE = 'application/pdf';

type Size = 'small' | 'large';

/** Writes a file of 100 MB, and a small one for the job that loads what is loaded at first use. */
export async function writeFiles(bench: Bench): Promise<Record<Size, string>> {
	const [small, large] = ['small', 'large'].map((name) => path.join(bench.place.folder, `${name}.pdf`));
	await writeFile(small, 'small');
	const handle = await open(large, 'w');
	const chunk = Buffer.alloc(BYTES_PER_MEGABYTE, 7);
	for (let written = 0; written < bench.scaled(MEGABYTES); written++) await handle.write(chunk);
	await handle.close();
	return { small, large };
}

/** Jobs of both sides, each with a file. */
export interface Sides {
	peer: (size: Size) => Job;
	ours: (size: Size) => Job;
}

/**
 * Runs both sides in turns, in a fresh process for each run.
 *
 * @param name what is measured, e.g. `Upload`
 * @param peerName how n8n's side does it
 * @param afterEach called after each run
 */
export async function transferRows(
	bench: Bench,
	name: string,
	peerName: string,
	sides: Sides,
	afterEach: () => Promise<void> = async () => {},
): Promise<Row[]> {
	const transfer = async (job: Sides['ours'], profile?: string) => {
		const result = await bench.engines.runAlone(job('small'), { ...job('large'), profile });
		await afterEach();
		if (result.failed > 0 || result.items !== 1) throw new Error(`${name} failed. ${result.error ?? ''}`);
		return { seconds: result.milliseconds / 1_000, above: result.peakMegabytes - result.idleMegabytes };
	};
	const { peer, ours } = await bench.inTurns(
		{ seconds: 25, warmUp: false },
		{
			peer: async (profile) => await transfer(sides.peer, profile),
			ours: async (profile) => await transfer(sides.ours, profile),
		},
		({ seconds, above }) => `${Math.round(above)} MB, ${seconds.toFixed(2)} s`,
	);
	const megabytes = (runs: typeof peer) => runs.map(({ above }) => above);
	const seconds = (runs: typeof peer) => runs.map((run) => run.seconds);
	return [
		{
			measure: `${name} of 100 MB: peak memory above idle, the highest of all rounds`,
			unit: 'MB',
			peer: { name: peerName, value: Math.max(...megabytes(peer)) },
			ours: Math.max(...megabytes(ours)),
			ratio: timesBetter.whereLessIsBetter(megabytes(ours), megabytes(peer)),
			targets: [target.timesBetter(1), target.atMost(32)],
		},
		{
			measure: `${name} of 100 MB: time`,
			unit: 's',
			peer: { name: peerName, value: median(seconds(peer)) },
			ours: median(seconds(ours)),
			ratio: timesBetter.whereLessIsBetter(seconds(ours), seconds(peer)),
			targets: [target.timesBetter(1)],
		},
	];
}
