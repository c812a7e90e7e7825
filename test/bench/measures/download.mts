import { openAsBlob } from 'node:fs';

import { http } from '../../http.mts';
import type { Bench } from '../bench.mts';
import type { JobNode } from '../engine/job.mts';
import type { Row } from '../figures.mts';
import { MIME_TYPE, type Sides, transferRows, writeFiles } from './transfers.mts';

/** Puts a file into the tenant. @returns its UUID */
async function put({ tenant }: Bench, file: string): Promise<string> {
	const form = new FormData();
	form.append('type', 'document');
	form.append('file', await openAsBlob(file, { type: MIME_TYPE }), 'file.pdf');
	const { status, data } = await http.post<{ internal_uuid: string }>(
		`${tenant.baseUrl}/files/temporary-upload`,
		form,
		{ headers: { authorization: `Bearer ${tenant.token}` } },
	);
	if (status !== 200) throw new Error(`The tenant did not take the file: ${status} ${JSON.stringify(data)}`);
	return data.internal_uuid;
}

/** A large file out of the tenant into n8n's file-system binary store. */
export async function download(bench: Bench): Promise<Row[]> {
	const { tenant } = bench;
	await tenant.reset();
	await tenant.setLatency(0);
	const files = await writeFiles(bench);
	const uuids = { small: await put(bench, files.small), large: await put(bench, files.large) };
	const job =
		(node: (uuid: string) => JobNode): Sides['ours'] =>
		(size) =>
			bench.job([node(uuids[size])], { people: 1, first: 0 });
	const sides = {
		peer: job((uuid) =>
			bench.httpRequest(`/files/${uuid}`, {
				options: { response: { response: { responseFormat: 'file' } } },
			}),
		),
		ours: job((fileUuid) => bench.ours({ resource: 'file', operation: 'download', fileUuid })),
	};
	const rows = await transferRows(bench, 'Download', 'HTTP Request, response as a file', sides);
	await tenant.reset();
	return rows;
}
