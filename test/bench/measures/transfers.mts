import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { http } from '../../http.mts';
import type { Bench } from '../bench.mts';
import type { Job } from '../engine.mts';
import { highest, type Row, row } from '../rows.mts';

const BYTES = 100 * 1024 * 1024;
const mimeType = 'application/pdf';

/** A file of 100 MB, and a small one for the job that loads what is loaded at first use. */
async function writeFiles(bench: Bench): Promise<string[]> {
	const files = ['small', 'large'].map((name) => path.join(bench.place.folder, `${name}.pdf`));
	await writeFile(files[0], 'small');
	await writeFile(files[1], Buffer.alloc(bench.scaled(BYTES), 7));
	return files;
}

/** Runs both sides in turns, in a fresh process for each run. @param sides a job with the small file, and one with the large one */
async function transferRows(
	bench: Bench,
	name: string,
	peerName: string,
	sides: Record<'peer' | 'ours', Job[]>,
	afterEach: () => Promise<void>,
): Promise<Row[]> {
	const transfer = async ([small, large]: Job[]) => {
		const result = await bench.runAlone(small, large, 1);
		await afterEach();
		return result;
	};
	const { peer, ours } = await bench.inTurns(
		{ seconds: 25, warmUp: false },
		{ peer: async () => await transfer(sides.peer), ours: async () => await transfer(sides.ours) },
		({ seconds, megabytes }) => `${Math.round(megabytes)} MB, ${seconds.toFixed(2)} s`,
	);
	const seconds = (runs: typeof ours) => runs.map((run) => run.seconds);
	const megabytes = (runs: typeof ours) => runs.map((run) => run.megabytes);
	const memory = `${name} of 100 MB: peak memory above idle, the highest of all rounds`;
	const details = { better: 'less', timesBetter: 1 } as const;
	return [
		row(memory, 'MB', megabytes(ours), [peerName, megabytes(peer)], {
			...details,
			of: highest,
			atMost: 32,
		}),
		row(`${name} of 100 MB: time`, 's', seconds(ours), [peerName, seconds(peer)], details),
	];
}

/** A large file out of n8n's file-system binary store into the tenant. */
export async function upload(bench: Bench): Promise<Row[]> {
	await bench.tenant.reset();
	const files = await writeFiles(bench);
	// A process of its own does it, since the copying leaves memory behind.
	const stored = await bench.withEngine(async (engine) => [
		await engine.call('store', { file: files[0], mimeType }),
		await engine.call('store', { file: files[1], mimeType }),
	]);
	const peer = bench.httpRequest('/files/temporary-upload', {
		method: 'POST',
		sendBody: true,
		contentType: 'multipart-form-data',
		bodyParameters: {
			parameters: [
				{ parameterType: 'formData', name: 'type', value: 'document' },
				{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
			],
		},
	});
	const ours = bench.ours({ resource: 'file', operation: 'upload', type: 'document' });
	const sides = {
		peer: stored.map((file) => bench.job([peer], { stored: file })),
		ours: stored.map((file) => bench.job([ours], { stored: file })),
	};
	const forget = async () => await bench.tenant.reset();
	return await transferRows(bench, 'Upload', 'HTTP Request, multipart body', sides, forget);
}

/** A large file out of the tenant into n8n's file-system binary store. */
export async function download(bench: Bench): Promise<Row[]> {
	const { tenant } = bench;
	await tenant.reset();
	const put = async (file: string): Promise<string> => {
		const form = new FormData();
		form.append('type', 'document');
		form.append('file', await openAsBlob(file, { type: mimeType }), 'file.pdf');
		const headers = { authorization: `Bearer ${tenant.token}` };
		type Answer = { internal_uuid: string };
		const { data } = await http.post<Answer>(`${tenant.baseUrl}/files/temporary-upload`, form, { headers });
		return data.internal_uuid;
	};
	const uuids = await Promise.all((await writeFiles(bench)).map(put));
	const options = { response: { response: { responseFormat: 'file' } } };
	const sides = {
		peer: uuids.map((uuid) => bench.job([bench.httpRequest(`/files/${uuid}`, { options })])),
		ours: uuids.map((fileUuid) =>
			bench.job([bench.ours({ resource: 'file', operation: 'download', fileUuid })]),
		),
	};
	return await transferRows(bench, 'Download', 'HTTP Request, response as a file', sides, async () => {});
}
