import type { IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Answered, Body } from '../contract/endpoints';
import { readRecord, unlessHidden } from '../transport/records';
import { oncePerRun } from '../transport/nodeRun';
import { ownMember } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import type { NamedBinary } from './mimeTypes';

type FileKind = Body<'POST /files/temporary-upload'>['type'];

/** The limits of the tenant. A part that the user behind the token cannot read is undefined. */
interface FileLimits {
	/** Allowed MIME types by kind of file. */
	mimeTypes?: Answered<'GET /support/allowed-mime-types'>;
	/** Maximum sizes in megabytes by kind of file. */
	sizes?: Answered<'GET /support/media-size-limits'>;
}

/** Maximum number of allowed types that an error names. */
const MAX_TYPES = 100;

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** The kinds of files that a MIME type names. */
const NAMED_KINDS: FileKind[] = ['audio', 'image', 'video'];

/** The kinds of files that the service compresses after the upload, to meet the regular limits. */
const COMPRESSED: FileKind[] = ['image', 'video'];

/** Reads the limits of the tenant, once per run of the node. */
const limitsOf = oncePerRun(async (context: IExecuteSingleFunctions): Promise<FileLimits> => {
	const [sizes, mimeTypes] = await Promise.all([
		unlessHidden(readRecord(context, 'GET /support/media-size-limits', {})),
		unlessHidden(readRecord(context, 'GET /support/allowed-mime-types', {})),
	]);
	return { mimeTypes, sizes };
});

/** Returns a MIME type without its parameters. `image/jpg` is a usual spelling of `image/jpeg`. */
const plainType = (mimeType: string) =>
	mimeType
		.split(';')[0]
		.trim()
		.toLowerCase()
		.replace(/^image\/jpg$/, 'image/jpeg');

/** Whether an entry of the allowed types, such as `image/png` or `image/*`, allows a type. */
function allows(entry: unknown, type: string): boolean {
	const allowed = plainType(stringOf(entry));
	return allowed === type || (allowed.endsWith('/*') && type.startsWith(allowed.slice(0, -1)));
}

/** Returns the kind of a file whose kind the user leaves to its MIME type. */
export const kindOf = ({ mimeType }: NamedBinary): FileKind =>
	NAMED_KINDS.find((kind) => plainType(mimeType).startsWith(`${kind}/`)) ?? 'document';

/** Returns the maximum size of a file in megabytes; `Infinity` if the tenant names none. */
function mostMegabytes({ sizes }: FileLimits, kind: FileKind): number {
	const limits = [sizes?.temporary_upload_mb, ...(COMPRESSED.includes(kind) ? [] : [sizes?.regular_mb])].map(
		(part) => numericOf(ownMember(part, kind)),
	);
	return Math.min(...limits.filter((limit) => limit > 0));
}

/**
 * Checks a file against the limits of the tenant, before the file is sent.
 *
 * @param kind kind of file; the tenant allows MIME types and sizes for each kind
 * @param bytes size of the file, if n8n knows it
 * @throws NodeOperationError that names the file, the kind and the limit
 */
export async function checkFile(
	context: IExecuteSingleFunctions,
	kind: FileKind,
	{ fileName, mimeType }: NamedBinary,
	bytes: number | undefined,
): Promise<void> {
	const limits = await limitsOf(context);
	const itemIndex = context.getItemIndex();
	const allowed = limits.mimeTypes?.[kind];
	const type = plainType(mimeType);
	if (Array.isArray(allowed) && !allowed.some((one) => allows(one, type))) {
		throw new NodeOperationError(
			context.getNode(),
			`${fileName} is of type ${type}, which the tenant does not allow as ${kind}`,
			{
				itemIndex,
				description: `Convert the file, or send it as another type. Allowed as ${kind}: ${allowed.slice(0, MAX_TYPES).map(stringOf).join(', ')}.`,
			},
		);
	}
	const limit = mostMegabytes(limits, kind);
	if (bytes !== undefined && bytes > limit * BYTES_PER_MEGABYTE) {
		const size = (bytes / BYTES_PER_MEGABYTE).toFixed(1);
		throw new NodeOperationError(
			context.getNode(),
			`${fileName} has ${size} MB, the tenant takes at most ${limit} MB as ${kind}`,
			{
				itemIndex,
				description: 'Make the file smaller, or send it as another type.',
			},
		);
	}
}
