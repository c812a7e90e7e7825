import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import sharp from 'sharp';

import { type Execution, errorOf, itemsOf } from '../rest.mts';
import { asAdmin } from '../../sandbox/tenantClient.mts';
import { CREDENTIAL_TYPE, NODE_TYPE, type TenantAndN8n, tenantAndN8nInThisFile } from './tenantAndN8n.mts';

interface TestFile {
	type: 'document' | 'image' | 'video';
	name: string;
	mimeType: string;
	content: Buffer;
}

let both: TenantAndN8n;
let fileServer: Server;
let files: TestFile[];

/** What a mobile phone records, as far as a look at its first bytes tells. */
function video(bytes: number): Buffer {
	const start = Buffer.from('\0\0\0\x20ftypisom\0\0\x02\0isomiso2avc1mp41', 'latin1');
	return Buffer.concat([start, randomBytes(bytes - start.length)]);
}

tenantAndN8nInThisFile(async (started) => {
	both = started;
	// Noise of this size stays above 90 kB, and below the side length at which the service shrinks.
	const noise = { width: 180, height: 180, channels: 3 as const };
	const image = await sharp(randomBytes(180 * 180 * 3), { raw: noise })
		.png()
		.toBuffer();
	const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000), Buffer.from('\n%%EOF\n')]);
	files = [
		{ type: 'video', name: 'unboxing.mp4', mimeType: 'video/mp4', content: video(12 * 1024 * 1024) },
		{ type: 'image', name: 'parcel.png', mimeType: 'image/png', content: image },
		{ type: 'document', name: 'invoice.pdf', mimeType: 'application/pdf', content: pdf },
	];
	fileServer = createServer((request, response) => {
		const file = files.find(({ name }) => request.url === `/${name}`);
		response.writeHead(file ? 200 : 404, { 'content-type': file?.mimeType }).end(file?.content);
	});
	await new Promise<void>((resolve) => fileServer.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => await new Promise((resolve) => fileServer?.close(resolve)));

/** Runs the node behind a manual trigger, on an item with a file in the binary field `data`. */
async function run(parameters: INodeParameters, file: TestFile): Promise<Execution> {
	const { port } = fileServer.address() as AddressInfo;
	const node = (name: string, type: string, typeVersion: number, given: INodeParameters = {}): INode => ({
		id: name,
		name,
		type,
		typeVersion,
		position: [0, 0],
		parameters: given,
	});
	const download = { url: `http://127.0.0.1:${port}/${file.name}`, options: {} };
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', 1),
		node('File', 'n8n-nodes-base.httpRequest', 4.2, download),
		{
			...node('Node', NODE_TYPE, 1, { resource: 'message', ...parameters }),
			credentials: { [CREDENTIAL_TYPE]: both.credential },
		},
	];
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: NodeConnectionTypes.Main, index: 0 }]] },
			]),
	);
	const { id } = await both.rest.createWorkflow({ name: 'One node', nodes, connections });
	return await both.rest.runToEnd(id, 'Start');
}

/** The one item that the node gave. */
function item(execution: Execution) {
	expect(errorOf(execution)).toBeUndefined();
	const items = itemsOf(execution, 'Node');
	expect(items).toHaveLength(1);
	return items[0].json;
}

const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

describe('a file from a binary field, on disk as n8n keeps it', () => {
	it.each([
		['a video of 12 MB', 'unboxing.mp4'],
		['an image of 90 kB', 'parcel.png'],
		['a PDF', 'invoice.pdf'],
	])('arrives unchanged: %s', async (_what, name) => {
		const file = files.find((known) => known.name === name) as TestFile;
		const [{ id }] = both.sandbox.store.conversations.search('Mira').records;
		const parameters = { operation: 'send', conversationId: String(id), messageType: file.type };
		const execution = await run({ ...parameters, options: { caption: 'Look' } }, file);

		expect(itemsOf(execution, 'File')[0].binary?.data.id).toMatch(/^filesystem/);
		const sent = item(execution);
		const message = both.sandbox.store.conversations.messages(id).at(-1);
		const { type, mimeType, content } = file;
		const stored = { internal_uuid: expect.any(String), name, mime_type: mimeType, size: content.length };
		expect(message).toMatchObject({
			id: sent.id,
			contents: [{ type, [type]: { caption: 'Look' }, file: stored }],
		});
		const { internal_uuid } = message?.contents[0].file as { internal_uuid: string };
		const kept = await asAdmin(both.sandbox).get<Buffer>(`/files/${internal_uuid}`, {
			responseType: 'arraybuffer',
		});
		expect(sha256(kept.data)).toBe(sha256(content));
	});
});
