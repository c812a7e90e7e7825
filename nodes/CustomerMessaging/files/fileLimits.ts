import type { IBinaryData, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Answered, Body } from '../contract/endpoints';
import { ask } from '../transport/ask';
import { oncePerRun } from '../transport/nodeRun';
import { ownMember } from '../values/json';

interface FileLimits {
	/** Allowed MIME types by kind of file. */
	mimeTypes: Answered<'GET /support/allowed-mime-types'>;
	/** Maximum upload size in megabytes by kind of file. */
	megabytes: unknown;
}

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Reads the limits of the tenant, once per run of the node. */
const limitsOf = oncePerRun(async (context: IExecuteSingleFunctions): Promise<FileLimits> => {
	const [mimeTypes, sizes] = await Promise.all([
		ask(context, 'GET /support/allowed-mime-types', {}),
		ask(context, 'GET /support/media-size-limits', {}),
	]);
	return { mimeTypes, megabytes: sizes.temporary_upload_mb };
});

/**
 * Checks a file against the limits of the tenant, before the file is sent.
 *
 * @param kind kind of file; the tenant allows MIME types and sizes for each kind
 * @param bytes size of the file, if n8n knows it
 * @throws NodeOperationError that names the file, the kind and the limit
 */
export async function checkFile(
	context: IExecuteSingleFunctions,
	kind: Body<'POST /files/temporary-upload'>['type'],
	{ fileName = 'The file', mimeType }: IBinaryData,
	bytes: number | undefined,
): Promise<void> {
	const { mimeTypes, megabytes } = await limitsOf(context);
	const itemIndex = context.getItemIndex();
	const allowed = mimeTypes[kind];
	const type = mimeType.split(';')[0].trim().toLowerCase();
	if (Array.isArray(allowed) && !allowed.some((one) => String(one).toLowerCase() === type)) {
		throw new NodeOperationError(
			context.getNode(),
			`${fileName} is of type ${type}, which the tenant does not allow as ${kind}`,
			{
				itemIndex,
				description: `Allowed as ${kind}: ${allowed.join(', ')}. Convert the file, or send it as another type.`,
			},
		);
	}
	const limit = Number(ownMember(megabytes, kind));
	if (bytes !== undefined && limit > 0 && bytes > limit * BYTES_PER_MEGABYTE) {
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
