import { createHash } from 'node:crypto';

import { TestTenant } from '../../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();
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
		expect(error?.context.itemIndex).toBe(0);
		expect(tenant.sent()).toEqual([]);
	});

	it('passes on that the kind does not allow the MIME type', async () => {
		const { error } = await tenant.run({ ...upload, type: 'image' }, { items: [item()] });
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 0 } });
		expect(`${error?.message} ${error?.description}`).toMatch(/application\/pdf|mime/i);
	});
});
