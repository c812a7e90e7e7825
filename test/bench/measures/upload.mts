import type { Bench } from '../bench.mts';
import type { JobNode } from '../engine/job.mts';
import type { Row } from '../figures.mts';
import { MIME_TYPE, type Sides, transferRows, writeFiles } from './transfers.mts';

/** A large file out of n8n's file-system binary store into the tenant. */
export async function upload(bench: Bench): Promise<Row[]> {
	const { tenant, engines } = bench;
	await tenant.reset();
	await tenant.setLatency(0);
	const files = await writeFiles(bench);
	const [small, large] = await engines.store([files.small, files.large], MIME_TYPE);
	const stored = { small, large };
	const job =
		(node: JobNode): Sides['ours'] =>
		(size) =>
			bench.job([node], { stored: stored[size] });
	const sides = {
		peer: job(
			bench.httpRequest('/files/temporary-upload', {
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
		),
		ours: job(bench.ours({ resource: 'file', operation: 'upload', type: 'document' })),
	};
	return await transferRows(
		bench,
		'Upload',
		'HTTP Request, multipart body',
		sides,
		async () => await tenant.reset(),
	);
}
