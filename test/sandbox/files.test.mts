import { createHash, randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { ALLOWED_MIME_TYPES, FILE_KINDS, MEDIA_SIZE_LIMITS, MEGABYTE } from '../../sandbox/choices.mts';
import { http } from '../http.mts';
import { ask, type Data, type Fields, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

interface Uploaded {
	internal_uuid: string;
	url: string;
	size: number;
	[member: string]: unknown;
}

const text = { content: 'hello', mimeType: 'text/plain', name: 'note.txt' };
const put = async (
	fields: Record<string, string>,
	file: Parameters<typeof uploadForm>[1] = text,
): Promise<Uploaded> => {
	const { status, body } = await upload(tenant, uploadForm(fields, file));
	expect([status, body]).toEqual([200, expect.anything()]);
	return body as Uploaded;
};
const bytes = (length: number) => new Uint8Array(randomBytes(length));
const picture = async (width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png') =>
	new Uint8Array(
		await sharp({ create: { width, height, channels: 3, background: '#4477aa' } })
			.toFormat(format)
			.toBuffer(),
	);
const get = (url: string, headers = {}) => http.get<Buffer>(url, { headers, responseType: 'arraybuffer' });
const contentOf = async (url: string) => (await get(url)).data;
const textOf = async (url: string) => String(await contentOf(url));
const download = (uuid: string) =>
	get(`${tenant.url}/third-party/v1/files/${uuid}`, { authorization: `Bearer ${tenant.token}` });
const advance = (days: number) => tenant.control('POST', '/clock', { advance: { days } });

describe('upload', () => {
	test('an upload is answered bare, with everything about the file', async () => {
		expect(await put({ type: 'document' })).toEqual({
			internal_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
			public: false,
			url: expect.stringContaining(tenant.url),
			name: 'note.txt',
			type: 'document',
			mime_type: 'text/plain',
			size: 5,
		});
	});

	test.each(FILE_KINDS)('%s takes exactly its own mime types', async (kind) => {
		const answers = await Promise.all(
			Object.values(ALLOWED_MIME_TYPES)
				.flat()
				.map(async (mimeType) => {
					const content = mimeType.startsWith('image/') ? await picture(2, 2) : 'content';
					const { status } = await upload(
						tenant,
						uploadForm({ type: kind }, { content, mimeType, name: 'f' }),
					);
					return [mimeType, status];
				}),
		);
		expect(answers).toEqual(
			Object.values(ALLOWED_MIME_TYPES)
				.flat()
				.map((mimeType) => [mimeType, ALLOWED_MIME_TYPES[kind].includes(mimeType) ? 200 : 422]),
		);
	});

	test.each(FILE_KINDS)('%s has its own size limit, told in the answer', async (kind) => {
		const limit = MEDIA_SIZE_LIMITS.temporary_upload_mb[kind];
		const [mimeType] = ALLOWED_MIME_TYPES[kind];
		const tooLarge = { content: new Uint8Array(limit * MEGABYTE + 1), mimeType, name: 'large' };
		expect(await upload(tenant, uploadForm({ type: kind }, tooLarge))).toMatchObject({
			status: 413,
			body: { message: expect.stringContaining(`${limit} MB`) },
		});
		if (kind === 'audio') {
			const largest = { content: new Uint8Array(limit * MEGABYTE), mimeType, name: 'large' };
			expect((await put({ type: kind }, largest)).size).toBe(limit * MEGABYTE);
		}
	});

	test('a form without file, type or with a wrong public flag is refused by field', async () => {
		expect(await upload(tenant, uploadForm({ type: 'document' }))).toMatchObject({
			status: 422,
			body: { errors: { file: [expect.any(String)] } },
		});
		expect(await upload(tenant, uploadForm({ type: 'song', public: 'yes' }, text))).toMatchObject({
			status: 422,
			body: { errors: { type: [expect.any(String)], public: [expect.any(String)] } },
		});
		expect((await tenant.ask('POST', '/files/temporary-upload', { type: 'image' })).status).toBe(422);
	});

	test('the parts may come in any order', async () => {
		const form = new FormData();
		form.append('file', new Blob(['hello'], { type: 'text/plain' }), 'note.txt');
		form.append('public', '1');
		form.append('type', 'document');
		expect(await upload(tenant, form)).toMatchObject({
			status: 200,
			body: { public: true, type: 'document', size: 5 },
		});
	});

	test('a refused upload leaves nothing behind', async () => {
		const before = tenant.store.files.count();
		await upload(tenant, uploadForm({ type: 'image' }, text));
		expect(tenant.store.files.count()).toBe(before);
	});

	test.each([
		[3000, 1000, 1500, 500],
		[1000, 4500, 333, 1500],
		[1501, 1501, 1500, 1500],
	])(
		'an image of %i × %i is shrunk to %i × %i, keeping the aspect',
		async (width, height, newWidth, newHeight) => {
			const { url, size } = await put(
				{ type: 'image' },
				{ content: await picture(width, height), mimeType: 'image/png', name: 'p.png' },
			);
			const shrunk = await contentOf(url);
			expect(await sharp(shrunk).metadata()).toMatchObject({
				format: 'png',
				width: newWidth,
				height: newHeight,
			});
			expect(size).toBe(shrunk.length);
		},
	);

	test.each(['png', 'jpeg', 'webp'] as const)(
		'a %s of at most 1500 px stays as it is, to the byte',
		async (format) => {
			const content = await picture(1500, 1500, format);
			const { url } = await put(
				{ type: 'image' },
				{ content, mimeType: `image/${format}`, name: `p.${format}` },
			);
			expect(await contentOf(url)).toEqual(content);
		},
	);

	test('a picture taken sideways is turned when it is shrunk', async () => {
		const content = new Uint8Array(
			await sharp({ create: { width: 3000, height: 1000, channels: 3, background: '#4477aa' } })
				.withMetadata({ orientation: 6 })
				.jpeg()
				.toBuffer(),
		);
		const { url } = await put({ type: 'image' }, { content, mimeType: 'image/jpeg', name: 'p.jpg' });
		expect(await sharp(await contentOf(url)).metadata()).toMatchObject({ width: 500, height: 1500 });
	});

	test('a file that only claims to be an image is refused', async () => {
		const answer = await upload(tenant, uploadForm({ type: 'image' }, { ...text, mimeType: 'image/png' }));
		expect(answer).toMatchObject({
			status: 422,
			body: { errors: { file: ['The file is not a readable image.'] } },
		});
	});

	test('a QuickTime video is delivered as mp4, by name and mime type', async () => {
		const file = await put(
			{ type: 'video' },
			{ content: bytes(1000), mimeType: 'video/quicktime', name: 'clip.MOV' },
		);
		expect(file).toMatchObject({ name: 'clip.mp4', mime_type: 'video/mp4' });
		expect((await get(file.url)).headers['content-type']).toBe('video/mp4');
	});

	test('other files arrive unchanged, to the byte', async () => {
		const content = bytes(3_000_000);
		const { internal_uuid, size } = await put(
			{ type: 'video' },
			{ content, mimeType: 'video/mp4', name: 'v.mp4' },
		);
		const answer = await download(internal_uuid);
		const hash = createHash('sha256').update(answer.data).digest('hex');
		expect(size).toBe(3_000_000);
		expect(hash).toBe(createHash('sha256').update(content).digest('hex'));
	});

	test('names with umlauts, spaces and signs survive', async () => {
		const name = "Größe 'A' & b+c%.txt";
		const file = await put({ type: 'document' }, { ...text, name });
		expect(file.name).toBe(name);
		expect(await textOf(file.url)).toBe('hello');
	});
});

describe('addresses of files', () => {
	test('a public file keeps one address as long as it exists, without a token', async () => {
		const { url } = await put({ type: 'document', public: '1' });
		await advance(30);
		expect(await textOf(url)).toBe('hello');
	});

	test('a private file has no public address', async () => {
		const { url } = await put({ type: 'document', public: '0' });
		const guessed = url.replace('/temporary/', '/public/').split('?')[0];
		expect((await get(guessed)).status).toBe(404);
	});

	test('a temporary address works for 7 days of the tenant, then no longer', async () => {
		const { internal_uuid } = await put({ type: 'document' });
		const { url } = await tenant.must<{ url: string }>('GET', `/files/${internal_uuid}/temporary-url`);
		await advance(6.99);
		expect(await textOf(url)).toBe('hello');
		await advance(0.02);
		expect((await get(url)).status).toBe(403);
		const { url: fresh } = await tenant.must<{ url: string }>('GET', `/files/${internal_uuid}/temporary-url`);
		expect(await textOf(fresh)).toBe('hello');
	});

	test('a temporary address cannot be forged or prolonged', async () => {
		const { url } = await put({ type: 'document' });
		const later = url.replace(/expires=(\d+)/, (_, seconds: string) => `expires=${Number(seconds) + 1}`);
		const signed = new URL(url);
		signed.searchParams.set('signature', 'ü');
		for (const wrong of [later, url.slice(0, -1), signed.href, url.split('?')[0]]) {
			expect([wrong, (await get(wrong)).status]).toEqual([wrong, 403]);
		}
	});

	test('a file is downloaded as octet-stream, without ranges', async () => {
		const { internal_uuid } = await put({ type: 'document' });
		const answer = await download(internal_uuid);
		expect(answer.headers['content-type']).toBe('application/octet-stream');
		expect(answer.headers['content-length']).toBe('5');
		expect(String(answer.data)).toBe('hello');
	});

	test('an upload is kept for 90 days', async () => {
		const { internal_uuid, url } = await put({ type: 'document', public: '1' });
		await advance(89.9);
		expect((await download(internal_uuid)).status).toBe(200);
		await advance(0.2);
		expect((await download(internal_uuid)).status).toBe(404);
		expect((await get(url)).status).toBe(404);
	});

	test('an unknown file is not found', async () => {
		expect((await download('nothing')).status).toBe(404);
		expect((await ask(`${tenant.url}/files/public/nothing/x`)).status).toBe(404);
	});
});

describe('media library', () => {
	const create = (fields: object) => tenant.ask('POST', '/media', { type: 'document', ...fields });

	test('a media item needs an uploaded file', async () => {
		expect(await create({ internal_uuid: 'nothing' })).toMatchObject({
			status: 422,
			body: { errors: { internal_uuid: [expect.any(String)] } },
		});
	});

	test('a media item needs a file of its own type', async () => {
		const { internal_uuid } = await put({ type: 'document' });
		const answer = await create({ type: 'image', internal_uuid });
		expect(answer).toMatchObject({ status: 422, body: { errors: { type: [expect.any(String)] } } });
	});

	test('a media item is created and changed bare, read in data, and deleted with an empty array', async () => {
		const { internal_uuid } = await put({ type: 'document' });
		const { body } = await create({ internal_uuid, title: 'Price list' });
		const media = body as Fields;
		expect(media).toMatchObject({
			internal_uuid,
			title: 'Price list',
			description: null,
			filename: 'note.txt',
		});
		const changed = await tenant.must('PATCH', `/media/${media.id}`, {
			title: null,
			filename: 'prices.txt',
			type: 'image',
		});
		expect(changed).toMatchObject({ title: null, filename: 'prices.txt', type: 'document' });
		expect(await tenant.must('GET', `/media/${media.id}`)).toEqual({ data: changed });
		expect(await tenant.must<Data<Fields[]>>('GET', '/media')).toMatchObject({
			data: [{}, { id: media.id }],
		});
		expect(await tenant.must('DELETE', `/media/${media.id}`)).toEqual({ data: [] });
		expect((await tenant.ask('GET', `/media/${media.id}`)).status).toBe(404);
	});

	test('a file in the media library outlives the 90 days', async () => {
		const { internal_uuid } = await put({ type: 'document' });
		await create({ internal_uuid });
		await advance(200);
		expect((await download(internal_uuid)).status).toBe(200);
	});

	test('tags of a media item follow the same rules as those of a profile', async () => {
		const { data: media } = await tenant.must<Data<Fields[]>>('GET', '/media');
		const path = `/media/${media[0].id}/tags`;
		const { data: tags } = await tenant.must<Data<Fields[]>>('GET', '/tags');
		const { data } = await tenant.must<Data<Fields[]>>('POST', path, {
			tags: [{ id: tags[0].id }, { id: null, title: 'Header' }],
		});
		expect(data.map(({ title }) => title)).toEqual(['Header', 'Newsletter']);
		expect(await tenant.must('DELETE', `${path}/${tags[0].id}`)).toEqual({ data: [data[0]] });
		expect((await tenant.ask('DELETE', `${path}/${tags[0].id}`)).status).toBe(404);
		expect((await tenant.ask('POST', path, { tags: [{ id: 999 }] })).status).toBe(422);
		expect(await tenant.must('GET', path)).toEqual({ data: [data[0]] });
	});
});
