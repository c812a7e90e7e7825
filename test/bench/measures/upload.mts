import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Bench } from '../bench.mts';
import type { JobNode } from '../engine/job.mts';
import { median, ratioOf, type Row, target } from '../figures.mts';

const MEGABYTES = 100;
const BYTES_PER_MEGABYTE = 1024 * 1024;
const MIME_TYPE = 'application/pdf';

async function writeLargeFile(file: string, megabytes: number): Promise<void> {
	const chunk = Buffer.alloc(BYTES_PER_MEGABYTE, 7);
	const handle = await open(file, 'w');
	for (let written = 0; written < megabytes; written++) await handle.write(chunk);
	await handle.close();
}

/** A large file out of n8n's file-system binary store into the tenant, in a fresh process for each run. */
export async function upload(bench: Bench): Promise<Row[]> {
	const { place, tenant, engines } = bench;
	await tenant.reset();
	await tenant.setLatency(0);
	const small = path.join(place.folder, 'small.pdf');
	const large = path.join(place.folder, 'large.pdf');
	await writeFile(small, 'small');
	await writeLargeFile(large, bench.scaled(MEGABYTES));
	const nodes = {
		peer: bench.httpRequest('/files/temporary-upload', {
			method: 'POST',
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: {
				parameters: [
					{ parameterType: 'formData', name: 'type', value: 'document' },
					{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
				],
			},
		}),
		ours: bench.ours({ resource: 'file', operation: 'upload', type: 'document' }),
	};
	const send = async (node: JobNode, profile?: string) => {
		const job = (file: string) => bench.job([node], { file, mimeType: MIME_TYPE });
		const result = await engines.runAlone(job(small), { ...job(large), profile });
		await tenant.reset();
		if (result.failed > 0) throw new Error(`${node.type}: the upload failed. ${result.error ?? ''}`);
		return { ...result, above: result.peakMegabytes - result.idleMegabytes };
	};
	const { peer, ours } = await bench.inTurns(
		{
			peer: async (profile) => await send(nodes.peer, profile),
			ours: async (profile) => await send(nodes.ours, profile),
		},
		({ milliseconds, above }) => `${Math.round(above)} MB, ${(milliseconds / 1_000).toFixed(1)} s`,
		{ warmUp: false },
	);
	const name = 'HTTP Request, multipart body';
	const megabytes = (runs: typeof peer) => runs.map(({ above }) => above);
	const seconds = (runs: typeof peer) => runs.map(({ milliseconds }) => milliseconds / 1_000);
	return [
		{
			measure: 'Upload of 100 MB: peak memory above idle',
			unit: 'MB',
			peer: { name, value: median(megabytes(peer)) },
			ours: median(megabytes(ours)),
			ratio: ratioOf(megabytes(ours), megabytes(peer)),
			targets: [target.atMost(1), target.atMost(32, 'ours')],
		},
		{
			measure: 'Upload of 100 MB: time',
			unit: 's',
			peer: { name, value: median(seconds(peer)) },
			ours: median(seconds(ours)),
			ratio: ratioOf(seconds(peer), seconds(ours)),
			targets: [],
		},
	];
}
