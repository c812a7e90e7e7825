import { stat } from 'node:fs/promises';

import type { Bench } from '../bench.mts';
import { type Row, target } from '../figures.mts';

const BYTES_PER_KILOBYTE = 1_000;

/** The package as `npm pack` writes it. */
export async function packedSize({ place }: Bench): Promise<Row[]> {
	const { size } = await stat(place.tarball);
	return [
		{
			measure: 'Packed size',
			unit: 'kB',
			ours: size / BYTES_PER_KILOBYTE,
			targets: [target.atMost(210)],
		},
	];
}
