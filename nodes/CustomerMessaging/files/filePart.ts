import type { IBinaryData, IExecuteSingleFunctions } from 'n8n-workflow';

import type { FilePart } from '../n8nInternals/streamingForm';

/** Bytes per read. V8 frees larger chunks later, so more of them stay in memory. */
const CHUNK_BYTES = 8 * 1024;

/** Bytes between two progress messages in the log. A smaller file uploads so fast that it needs none. */
const LOGGED_EACH_BYTES = 16 * 1024 * 1024;

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** Yields the chunks of a file and logs the progress. */
async function* withProgress(
	{ logger }: IExecuteSingleFunctions,
	name: string,
	size: number,
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	let through = 0;
	let logged = 0;
	for await (const chunk of chunks) {
		yield chunk;
		through += chunk.length;
		if (through - logged < LOGGED_EACH_BYTES) continue;
		logged = through;
		logger.info(`Uploading ${name}: ${megabytes(through)} of ${megabytes(size)} MB`);
	}
}

/**
 * Makes a form part from a binary field of the current item.
 *
 * @param binary the result of `assertBinaryData`
 */
export async function filePart(context: IExecuteSingleFunctions, binary: IBinaryData): Promise<FilePart> {
	const { id, mimeType } = binary;
	const name = binary.fileName ?? `file${binary.fileExtension ? `.${binary.fileExtension}` : ''}`;
	if (id === undefined) {
		const content = Buffer.from(binary.data, 'base64');
		return {
			name,
			type: mimeType,
			size: content.length,
			async *stream() {
				yield content;
			},
		};
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	return {
		name,
		type: mimeType,
		size: fileSize,
		async *stream() {
			yield* withProgress(context, name, fileSize, await context.helpers.getBinaryStream(id, CHUNK_BYTES));
		},
	};
}
