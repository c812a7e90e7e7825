import { createHash } from 'node:crypto';

import { runNode } from '../../../engine/engine.mts';
import { OddTenant } from '../../../engine/oddTenant.mts';
import { TestTenant } from '../../../engine/tenant.mts';

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

	it('names a missing binary field and its item', async () => {
		const { error } = await tenant.run({ ...upload, binaryPropertyName: 'photo' }, { items: [item()] });
		expect(error?.message).toBe('Input Binary Field "photo" is not a binary field of the item');
		expect(error?.description).toBe('The item has these: data.');
		expect(error?.context.itemIndex).toBe(0);
		expect(tenant.sent()).toEqual([]);
	});

	it('names a missing binary field of an item that has none', async () => {
		const { error } = await tenant.run(upload, { items: [{ json: {} }] });
		expect(error?.description).toMatch(/^The item has none\. Add a node before that gives a file/);
	});

	it('passes on that the kind does not allow the MIME type', async () => {
		const { error } = await tenant.run({ ...upload, type: 'image' }, { items: [item()] });
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		expect(`${error?.message} ${error?.description}`).toMatch(/application\/pdf|mime/i);
	});
});

describe('file: upload with the type Automatic, which is the default', () => {
	const automatic = { resource: 'file', operation: 'upload', binaryPropertyName: 'data' };
	let type: string | undefined;
	const answered = (documents: string[] | number) =>
		odd.answer(async (request, reply) => {
			if (request.method === 'POST') {
				const form = (request.body as Buffer).toString('latin1');
				[{ content: type }] = parts(form, String(request.headers['content-type']));
				return { internal_uuid: 'u-1' };
			}
			return typeof documents === 'number'
				? await reply.code(documents).send({ message: 'No' })
				: { data: { document: documents, image: [], video: [], audio: [] } };
		});
	/** The type that goes out, with the requests before it. */
	const sentType = async (mimeType: string, parameters: object = automatic) => {
		const { error } = await runNode({
			parameters: parameters as never,
			items: [item(mimeType)],
			credentials: odd.credentials,
		});
		expect(error?.message).toBeUndefined();
		return { type, before: odd.asked.slice(0, -1) };
	};
	const LIST = 'GET /third-party/v1/support/allowed-mime-types';

	it.each([
		['image/png', 'image'],
		['IMAGE/JPG', 'image'],
		['video/mp4', 'video'],
		['audio/ogg; codecs=opus', 'audio'],
	])('sends %s as %s', async (mimeType, type) => {
		answered(['application/pdf']);
		expect(await sentType(mimeType)).toEqual({ type, before: [LIST] });
	});

	it.each(['application/pdf', 'text/csv', 'application/octet-stream', 'imagery/png', ''])(
		'sends %j as a document, without a look at what is allowed',
		async (mimeType) => {
			answered([]);
			expect(await sentType(mimeType)).toEqual({ type: 'document', before: [] });
		},
	);

	it.each([['image/png'], ['image/*'], ['IMAGE/PNG']])(
		'sends a picture as a document where the tenant takes %s as one, as it was before there was this type',
		async (allowed) => {
			answered(['application/pdf', allowed]);
			expect(await sentType('image/png')).toEqual({ type: 'document', before: [LIST] });
		},
	);

	it('goes by the MIME type where the user may not see what is allowed', async () => {
		answered(403);
		expect(await sentType('image/png')).toEqual({ type: 'image', before: [LIST] });
	});

	it.each(['audio', 'document', 'image', 'video'])('sends %s where that is chosen', async (type) => {
		answered([]);
		expect(await sentType('image/png', { ...upload, type })).toEqual({ type, before: [] });
	});

	it('asks once for many files', async () => {
		answered([]);
		await runNode({
			parameters: automatic,
			items: Array.from({ length: 20 }, () => item('image/png')),
			credentials: odd.credentials,
		});
		expect(odd.asked.filter((one) => one === LIST)).toHaveLength(1);
		expect(odd.asked).toHaveLength(21);
	});
});
