import { createHash } from 'node:crypto';

import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { labelOf } from '../../description/labels.mts';
import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();
const odd = OddTenant.inEachTest();
const upload = { resource: 'file', operation: 'upload', binaryPropertyName: 'data', type: 'document' };

const PDF = Buffer.concat([
	Buffer.from('%PDF-1.4\n'),
	Buffer.from([0, 255, 128, 10, 13]),
	Buffer.alloc(70_000, 'x'),
]);

function item(mimeType = 'application/pdf', fileName: string | undefined = 'Größe "1".pdf') {
	return { json: {}, binary: { data: { data: PDF.toString('base64'), mimeType, fileName } } };
}

/** The parts of a multipart body, each as its head and its bytes. */
function parts(body: string, contentType: string) {
	const boundary = /boundary=(.+)$/.exec(contentType)?.[1] ?? '';
	return body
		.split(`--${boundary}`)
		.slice(1, -1)
		.map((part) => {
			const [head, ...content] = part.slice(2, -2).split('\r\n\r\n');
			return { head: head.split('\r\n'), content: content.join('\r\n\r\n') };
		});
}

describe('file: upload', () => {
	it.each([
		[{ fileName: 'photo.png' }, 'photo.png', 'image/png', 'image'],
		[{ fileName: '', mimeType: 'application/pdf' }, 'file', 'application/pdf', 'document'],
		[{ fileName: '' }, 'file', 'application/octet-stream', 'document'],
		[
			{ fileName: 'Rechnung.pdf', mimeType: 'binary/octet-stream' },
			'Rechnung.pdf',
			'application/pdf',
			'document',
		],
		[{ fileName: 'a.png', mimeType: 'application/octet-stream' }, 'a.png', 'image/png', 'image'],
		[{ fileExtension: 'ogg' }, 'file.ogg', 'audio/ogg', 'audio'],
	])('sends a file of %j with a name and a type', async (about, name, type, kind) => {
		const binary = { data: { data: PDF.toString('base64'), ...about } as IBinaryData };
		for (const given of ['automatic', kind]) {
			tenant.sandbox.clearRequests();
			// Whether the service takes these bytes by this name is another matter.
			await tenant.run({ ...upload, type: given }, { items: [{ json: {}, binary }] });
			const [{ body, headers }] = tenant.sent();
			const sent = parts(body, String(headers['content-type']));
			expect(sent[0].content).toBe(kind);
			expect(sent.at(-1)?.head).toEqual([
				`Content-Disposition: form-data; name="file"; filename="${name}"`,
				`Content-Type: ${type}`,
			]);
		}
	});

	it('sends type, flag and file as one multipart body of known length, the bytes unchanged', async () => {
		const { items, error } = await tenant.run({ ...upload, options: { public: true } }, { items: [item()] });

		expect(error).toBeUndefined();
		const [request] = tenant.sent();
		const contentType = String(request.headers['content-type']);
		expect(request).toMatchObject({ method: 'POST', path: '/third-party/v1/files/temporary-upload' });
		expect(contentType).toMatch(/^multipart\/form-data; boundary=/);
		expect(request.headers['content-length']).toBe(String(request.body_length));
		const [type, flag, file, ...more] = parts(request.body, contentType);
		expect(more).toEqual([]);
		expect(type).toEqual({ head: ['Content-Disposition: form-data; name="type"'], content: 'document' });
		expect(flag).toEqual({ head: ['Content-Disposition: form-data; name="public"'], content: '1' });
		expect(file.head).toEqual([
			'Content-Disposition: form-data; name="file"; filename="Größe %221%22.pdf"',
			'Content-Type: application/pdf',
		]);
		expect(items).toEqual([
			{
				json: expect.objectContaining({
					internal_uuid: expect.any(String),
					mime_type: 'application/pdf',
					public: true,
					size: PDF.length,
					type: 'document',
				}),
				pairedItem: { item: 0 },
			},
		]);
		const stored = await tenant.download(String(items[0].json.internal_uuid));
		const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
		expect(sha256(stored)).toBe(sha256(PDF));
	});

	it('leaves the flag out unless it is set', async () => {
		await tenant.run(upload, { items: [item()] });
		const [request] = tenant.sent();
		expect(parts(request.body, String(request.headers['content-type']))).toHaveLength(2);
	});

	const file = item().binary.data;

	it.each<[string, INodeExecutionData, string]>([
		['one other', { json: {}, binary: { photo: file } }, 'The item has these: photo.'],
		['several others', { json: {}, binary: { photo: file, 'my invoice': file } }, 'photo, my invoice'],
		['none', { json: {} }, 'The item has none. Add a node before it that provides a file'],
		['an empty set', { json: {}, binary: {} }, 'The item has none.'],
		['a field of JSON of that name', { json: { data: 'x' } }, 'The item has none.'],
	])('names a missing binary field, and those of an item that has %s', async (_what, one, told) => {
		const { error } = await tenant.run(upload, { items: [one] });
		expect(error).toMatchObject({
			message: `${await labelOf('binaryPropertyName', { resource: 'file', operation: 'upload' })} "data" is not a binary field of the item`,
			description: expect.stringContaining(told),
			context: { itemIndex: 0 },
		});
		expect(tenant.sent()).toEqual([]);
	});

	const EMPTY = { data: '', mimeType: 'application/pdf', fileName: 'Rechnung.pdf' };

	it.each([
		['a file', upload],
		['a file of the media library', { resource: 'media', operation: 'create', source: 'binary' }],
		['a message', { resource: 'message', operation: 'send', conversationId: '3', messageType: 'document' }],
	])('refuses 0 bytes before anything is sent: %s', async (_what, parameters) => {
		const given = { ...parameters, binaryPropertyName: 'data' };
		const { error } = await tenant.run(given, { items: [{ json: {}, binary: { data: EMPTY } }] });
		expect(error).toMatchObject({
			message: 'Input Binary Field "Rechnung.pdf" is empty: it has 0 bytes',
			context: { itemIndex: 0 },
		});
		expect(tenant.sent()).toEqual([]);
	});

	it.each(['__proto__', 'constructor', 'toString', 'Data', ' ', 'data.x'])(
		'finds no binary field called %j',
		async (binaryPropertyName) => {
			const run = tenant.run({ ...upload, binaryPropertyName }, { items: [item()] });
			const failure = await run.then(({ error }) => error?.message, String);
			expect(failure).toMatch(/binary|parameter/i);
			expect(tenant.sent()).toEqual([]);
		},
	);

	it('names those of the item for media and for messages as well', async () => {
		for (const parameters of [
			{ resource: 'media', operation: 'create', source: 'binary' },
			{ resource: 'message', operation: 'send', conversationId: '3', messageType: 'image' },
		]) {
			const { error } = await tenant.run(
				{ ...parameters, binaryPropertyName: 'data' },
				{ items: [{ json: {}, binary: { photo: file } }] },
			);
			expect(`${error?.message} ${error?.description}`).toContain('photo');
		}
	});

	it('passes on that the kind does not allow the MIME type', async () => {
		const { error } = await tenant.run({ ...upload, type: 'image' }, { items: [item()] });
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		expect(`${error?.message} ${error?.description}`).toMatch(/application\/pdf|mime/i);
	});
});

describe('file: upload with the type Automatic, which is the default', () => {
	const automatic = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };
	/** The type that goes out, with the requests before it. */
	const sentType = async (mimeType: string, parameters: object = automatic) => {
		let type: string | undefined;
		odd.answer((request) => {
			const form = (request.body as Buffer).toString('latin1');
			[{ content: type }] = parts(form, String(request.headers['content-type']));
			return { internal_uuid: 'u-1' };
		});
		const { error } = await runNode({
			parameters: parameters as never,
			items: [item(mimeType)],
			credentials: odd.credentials,
		});
		expect(error?.message).toBeUndefined();
		return { type, before: odd.asked.slice(0, -1) };
	};

	it.each([
		['image/png', 'image'],
		['IMAGE/JPG', 'image'],
		['video/mp4', 'video'],
		['audio/ogg; codecs=opus', 'audio'],
		['image/svg+xml', 'image'],
		['application/pdf', 'document'],
		['text/csv', 'document'],
		['application/octet-stream', 'document'],
		['imagery/png', 'document'],
		['', 'document'],
	])('sends "%s" as %s, and asks nothing', async (mimeType, type) => {
		expect(await sentType(mimeType)).toEqual({ type, before: [] });
	});

	it.each(['audio', 'document', 'image', 'video'])('sends %s where that is chosen', async (type) => {
		expect(await sentType('image/png', { ...upload, type })).toEqual({ type, before: [] });
	});

	it('sends the kind of a new media item twice: with its file and with its record', async () => {
		const photo: INodeExecutionData = { json: {}, binary: { data: item('image/png').binary.data } };
		const sent: unknown[] = [];
		odd.answer((request) => {
			const isFile = request.url.endsWith('/files/temporary-upload');
			const body = request.body as Buffer | { type: string };
			const type = Buffer.isBuffer(body)
				? parts(body.toString('latin1'), String(request.headers['content-type']))[0].content
				: body.type;
			sent.push([isFile ? 'file' : 'record', type]);
			return isFile ? { internal_uuid: 'u-1' } : { id: 7 };
		});
		const parameters = { resource: 'media', operation: 'create', binaryPropertyName: 'data' };
		const { items } = await runNode({ parameters, items: [photo], credentials: odd.credentials });
		expect(items).toEqual([{ json: { id: 7 }, pairedItem: { item: 0 } }]);
		expect(sent).toEqual([
			['file', 'image'],
			['record', 'image'],
		]);
	});
});
