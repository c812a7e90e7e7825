import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import sharp from 'sharp';
import { ALLOWED_MIME_TYPES, FILE_KINDS, MEDIA_SIZE_LIMITS, MEGABYTE } from '../../sandbox/choices.mts';
import { http } from '../http.mts';
import { type Data, type Fields, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

interface Uploaded {
	internal_uuid: string;
	url: string;
	size: number;
	[member: string]: unknown;
}

const NOTE = { content: 'hello', mimeType: 'text/plain', name: 'note.txt' };
const put = async (fields: Record<string, string>, file: Parameters<typeof uploadForm>[1] = NOTE) => {
	const { status, body } = await upload(tenant, uploadForm(fields, file));
	expect([status, body]).toEqual([200, expect.anything()]);
	return body as Uploaded;
};
const picture = async (width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png') => {
	const blue = sharp({ create: { width, height, channels: 3, background: '#4477aa' } });
	return new Uint8Array(await blue.withMetadata({ orientation: 6 }).toFormat(format).toBuffer());
};
const get = (url: string, headers = {}) => http.get<Buffer>(url, { headers, responseType: 'arraybuffer' });
const download = (uuid: string) =>
	get(`${tenant.baseUrl}/files/${uuid}`, { authorization: `Bearer ${tenant.token}` });

describe('upload', () => {
	test('an upload is answered bare, with everything about the file, whose parts come in any order', async () => {
		const form = new FormData();
		form.append('file', new Blob(['hello'], { type: 'text/plain' }), "Größe 'A' & b+c%.txt");
		form.append('type', 'document');
		const { body } = await upload(tenant, form);
		expect(body).toEqual({
			...{ internal_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), public: false },
			...{ url: expect.stringContaining(tenant.url), name: "Größe 'A' & b+c%.txt", type: 'document' },
			...{ mime_type: 'text/plain', size: 5 },
		});
		expect(String((await get((body as Uploaded).url)).data)).toBe('hello');
	});

	test.each(FILE_KINDS)('%s takes exactly its own mime types, up to its own size', async (kind) => {
		const all = Object.values(ALLOWED_MIME_TYPES).flat();
		const image = await picture(2, 2);
		const statusOf = async (mimeType: string, content: string | Uint8Array<ArrayBuffer>) =>
			(await upload(tenant, uploadForm({ type: kind }, { content, mimeType, name: 'f' }))).status;
		const statuses = await Promise.all(
			all.map((type) => statusOf(type, type.startsWith('image/') ? image : 'content')),
		);
		expect(statuses).toEqual(all.map((type) => (ALLOWED_MIME_TYPES[kind].includes(type) ? 200 : 422)));
		const limit = MEDIA_SIZE_LIMITS.temporary_upload_mb[kind];
		const tooLarge = new Uint8Array(limit * MEGABYTE + 1);
		expect(await statusOf(ALLOWED_MIME_TYPES[kind][0], tooLarge)).toBe(413);
	});

	test('a form without file, type or with a wrong public flag is refused by field, and leaves nothing behind', async () => {
		const files = () => readdirSync(tenant.store.filesFolder);
		const before = files();
		const errorsOf = async (form: FormData) =>
			Object.keys(((await upload(tenant, form)).body as { errors: object }).errors);
		expect(await errorsOf(uploadForm({ type: 'document' }))).toEqual(['file']);
		expect(await errorsOf(uploadForm({ type: 'song', public: 'yes' }, NOTE))).toEqual(['type', 'public']);
		expect(await errorsOf(uploadForm({ type: 'image' }, { ...NOTE, mimeType: 'image/png' }))).toEqual([
			'file',
		]);
		expect((await tenant.ask('POST', '/files/temporary-upload', { type: 'image' })).status).toBe(422);
		expect(files()).toEqual(before);
	});

	test.each([
		[3000, 1000, 500, 1500],
		[1000, 4500, 1500, 333],
	])(
		'an image of %i × %i, taken sideways, is turned and shrunk to %i × %i',
		async (width, height, ...smaller) => {
			const content = await picture(width, height, 'jpeg');
			const { url, size } = await put({ type: 'image' }, { content, mimeType: 'image/jpeg', name: 'p.jpg' });
			const { data } = await get(url);
			expect(await sharp(data).metadata()).toMatchObject({ width: smaller[0], height: smaller[1] });
			expect(size).toBe(data.length);
		},
	);

	test('a small image, and any other file, stays as it is, to the byte', async () => {
		for (const [type, mimeType, content] of [
			['image', 'image/webp', await picture(1500, 1500, 'webp')],
			['video', 'video/mp4', new Uint8Array(randomBytes(3_000_000))],
		] as const) {
			const { internal_uuid } = await put({ type }, { content, mimeType, name: 'f' });
			expect(Buffer.from(content).equals((await download(internal_uuid)).data)).toBe(true);
		}
	});

	test('a QuickTime video is delivered as mp4, by name and mime type', async () => {
		const file = await put(
			{ type: 'video' },
			{ content: 'x', mimeType: 'video/quicktime', name: 'clip.MOV' },
		);
		expect(file).toMatchObject({ name: 'clip.mp4', mime_type: 'video/mp4' });
		expect((await get(file.url)).headers['content-type']).toBe('video/mp4');
	});
});

describe('addresses of files', () => {
	test('a temporary address works for 7 days, cannot be forged or prolonged, and leads to nothing public', async () => {
		const { internal_uuid, url } = await put({ type: 'document' });
		const later = url.replace(/expires=(\d+)/, (_, seconds: string) => `expires=${Number(seconds) + 1}`);
		for (const wrong of [later, url.slice(0, -1), `${url.split('&')[0]}&signature=ü`, url.split('?')[0]]) {
			expect([wrong, (await get(wrong)).status]).toEqual([wrong, 403]);
		}
		expect((await get(url.replace('/temporary/', '/public/').split('?')[0])).status).toBe(404);
		tenant.clock.advance({ days: 6.99 });
		expect((await get(url)).status).toBe(200);
		tenant.clock.advance({ days: 0.02 });
		expect((await get(url)).status).toBe(403);
		const fresh = await tenant.must<{ url: string }>('GET', `/files/${internal_uuid}/temporary-url`);
		expect((await get(fresh.url)).status).toBe(200);
	});

	test('an upload is kept for 90 days, a public one at one address, and downloaded as octet-stream', async () => {
		const { internal_uuid, url } = await put({ type: 'document', public: '1' });
		tenant.clock.advance({ days: 89.9 });
		const { headers } = await download(internal_uuid);
		expect([headers['content-type'], headers['content-length']]).toEqual(['application/octet-stream', '5']);
		expect(String((await get(url)).data)).toBe('hello');
		tenant.clock.advance({ days: 0.2 });
		expect([(await download(internal_uuid)).status, (await get(url)).status]).toEqual([404, 404]);
	});
});

describe('media library', () => {
	test('an item is created and changed bare, read in data, and keeps its file over the 90 days', async () => {
		const { internal_uuid } = await put({ type: 'document' });
		expect((await tenant.ask('POST', '/media', { type: 'image', internal_uuid })).status).toBe(422);
		const item = { type: 'document', internal_uuid, title: 'Price list' };
		const media = await tenant.must<Fields>('POST', '/media', item);
		expect(media).toMatchObject({ ...item, description: null, filename: 'note.txt' });
		const change = { title: null, filename: 'prices.txt' };
		const changed = await tenant.must('PATCH', `/media/${media.id}`, { ...change, type: 'image' });
		expect(changed).toMatchObject({ ...item, ...change });
		expect(await tenant.must('GET', `/media/${media.id}`)).toEqual({ data: changed });
		tenant.clock.advance({ days: 200 });
		expect((await download(internal_uuid)).status).toBe(200);
		expect(await tenant.must('DELETE', `/media/${media.id}`)).toEqual({ data: [] });
		expect((await download(internal_uuid)).status).toBe(404);
	});

	test('an item has tags', async () => {
		const { data } = await tenant.must<Data<Fields[]>>('POST', '/media/71/tags', {
			tags: [{ id: 42 }, { id: 41 }],
		});
		expect(data.map(({ id }) => id)).toEqual([42, 41]);
		expect(await tenant.must('DELETE', '/media/71/tags/42')).toEqual({ data: [data[1]] });
		expect(await tenant.must('GET', '/media/71/tags')).toEqual({ data: [data[1]] });
	});
});
