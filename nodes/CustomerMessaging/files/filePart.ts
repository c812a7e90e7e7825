import type { IBinaryData, IExecuteSingleFunctions } from 'n8n-workflow';

import { freedWhenSent } from '../n8nInternals/sentPieces';
import type { FilePart } from '../n8nInternals/streamingForm';

/** Bytes per read. Smaller pieces cost time: each one passes through several streams. */
const PIECE_BYTES = 256 * 1024;

/** Bytes between two progress messages in the log. A smaller file uploads so fast that it needs none. */
const LOGGED_EACH_BYTES = 16 * 1024 * 1024;

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** Yields the pieces of a file and logs the progress. */
async function* withProgress(
	{ logger }: IExecuteSingleFunctions,
	name: string,
	size: number,
	pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
	let through = 0;
	let logged = 0;
	for await (const piece of pieces) {
		yield piece;
		through += piece.length;
		if (through - logged < LOGGED_EACH_BYTES) continue;
		logged = through;
		logger.info(`Uploading ${name}: ${megabytes(through)} of ${megabytes(size)} MB`);
	}
}

/** A file as a part of a form. */
export interface OpenedPart extends FilePart {
	/** Closes the file. axios leaves it open if a request fails. */
	close(): void;
}

/**
 * Makes a form part from a binary field of the current item. Its user closes it after the request.
 *
 * @param binary the result of `assertBinaryData`
 */
export async function filePart(context: IExecuteSingleFunctions, binary: IBinaryData): Promise<OpenedPart> {
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
			close() {},
		};
	}
	const { fileSize } = await context.helpers.getBinaryMetadata(id);
	let opened: Awaited<ReturnType<typeof context.helpers.getBinaryStream>> | undefined;
	let isClosed = false;
	return {
		name,
		type: mimeType,
		size: fileSize,
		async *stream() {
			opened?.destroy();
			opened = await context.helpers.getBinaryStream(id, PIECE_BYTES);
			// The request may have failed while the file was being opened.
			if (isClosed) return void opened.destroy();
			// What is read from a file belongs to this upload alone. Other stores can keep their pieces.
			const pieces = id.startsWith('filesystem') ? freedWhenSent(opened) : opened;
			yield* withProgress(context, name, fileSize, pieces);
		},
		close() {
			isClosed = true;
			opened?.destroy();
		},
	};
}
