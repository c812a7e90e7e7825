import type { BinaryHelperFunctions, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { fileUuid } from '../../shared/files';
import { request } from '../../transport/request';
import { sendWith } from '../../transport/send';

type FileContent = Parameters<BinaryHelperFunctions['prepareBinaryData']>[0];

const OCTET_STREAM = 'application/octet-stream';

/** The file name that an answer carries, in either notation of the header. */
function fileNameOf(contentDisposition: unknown): string | undefined {
	const header = typeof contentDisposition === 'string' ? contentDisposition : '';
	const extended = /filename\*=(?:UTF-8)?''([^;]+)/i.exec(header)?.[1];
	const plain = /filename="?([^";]+)"?/i.exec(header)?.[1];
	try {
		return extended ? decodeURIComponent(extended) : plain;
	} catch {
		return plain;
	}
}

/** Up to this many bytes n8n gets the content as a whole and tells its MIME type from it. */
const LOOKED_INTO = 1024 * 1024;

/** Streams the file into n8n's binary store. */
const download = sendWith(async function (options) {
	const field = String(this.getNodeParameter('binaryPropertyName', 'data'));
	const uuid = String(this.getNodeParameter('fileUuid')).trim();
	const { body, headers } = await request(this, { ...options, encoding: 'stream' });
	const stream = body as FileContent;
	const typed = String(this.getNodeParameter('options.fileName', '')).trim();
	const name = typed || fileNameOf(headers['content-disposition']);
	const type = String(headers['content-type'] ?? '').split(';')[0];
	// The interface answers every file as octet-stream, which says nothing. A name tells n8n more.
	const mimeType = type === '' || type === OCTET_STREAM ? undefined : type;
	const unknown = mimeType === undefined && name === undefined;
	const binary =
		unknown && Number(headers['content-length'] ?? Infinity) <= LOOKED_INTO
			? await this.helpers.prepareBinaryData(await this.helpers.binaryToBuffer(stream))
			: await this.helpers.prepareBinaryData(stream, name, unknown ? OCTET_STREAM : mimeType);
	this.logger.debug(`Downloaded ${uuid}: ${binary.fileSize ?? 'size unknown'}`);
	binary.fileName ??= binary.fileExtension ? `${uuid}.${binary.fileExtension}` : uuid;
	return [{ json: { internal_uuid: uuid }, binary: { [field]: binary } }];
});

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/files/{fileUuid}' },
	operations: { pagination: download },
};

const properties: INodeProperties[] = [
	fileUuid,
	{
		displayName: 'Put Output File in Field',
		name: 'binaryPropertyName',
		type: 'string',
		default: 'data',
		required: true,
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the file in',
		description: 'The binary field of the output item that takes the file',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'File Name',
				name: 'fileName',
				type: 'string',
				default: '',
				placeholder: 'e.g. parcel.jpg',
				description:
					'The name for the file, whose ending also tells its MIME type. Without it, files of up to 1 MB are recognised by their content.',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['file'], operation: ['download'] } },
	properties,
);
