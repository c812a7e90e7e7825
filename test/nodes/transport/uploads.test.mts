import { createHash } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { StreamingForm } from '../../../nodes/CustomerMessaging/n8nInternals/streamingForm.ts';
import { loadedPackage, runNode } from '../../engine/engine.mts';
import { LogWatch } from '../../engine/leaks.mts';
import { OddTenant } from '../../engine/oddTenant.mts';

const odd = OddTenant.inEachTest();
const log = LogWatch.inEachTest();

interface Arrived {
	type: string;
	length: string | undefined;
	body: Buffer;
}

let arrived: Arrived[] = [];
beforeEach(() => {
	arrived = [];
	odd.answer(({ headers, body }) => {
		arrived.push({
			type: String(headers['content-type']),
			length: headers['content-length'],
			body: body as Buffer,
		});
		return { internal_uuid: 'u', size: 1 };
	});
});

const upload = async (binary: INodeExecutionData['binary'], parameters = {}) =>
	await runNode({
		parameters: { resource: 'file', operation: 'upload', type: 'image', ...parameters },
		items: [{ json: {}, binary }],
		credentials: odd.credentials,
	});

const CONTENT = Buffer.from([0, 1, 2, 250, 255, 13, 10, 45, 45]);
const file = (fields: object) => ({
	data: { data: CONTENT.toString('base64'), mimeType: 'image/png', ...fields },
});

describe('an upload', () => {
	it('is a form with the type first and the file byte for byte, of known length', async () => {
		const { error } = await upload(file({ fileName: 'dot.png' }));
		expect(error).toBeUndefined();
		const [{ type, length, body }] = arrived;
		const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(type)?.[1];
		expect(length).toBe(String(body.length));
		const text = body.toString('latin1');
		expect(text).toContain('Content-Disposition: form-data; name="type"\r\n\r\nimage\r\n');
		expect(text).toContain(
			'Content-Disposition: form-data; name="file"; filename="dot.png"\r\nContent-Type: image/png\r\n\r\n',
		);
		expect(text.indexOf('name="type"')).toBeLessThan(text.indexOf('name="file"'));
		const start = text.indexOf('image/png\r\n\r\n') + 'image/png\r\n\r\n'.length;
		expect(body.subarray(start, start + CONTENT.length).equals(CONTENT)).toBe(true);
		expect(text.endsWith(`--${boundary}--\r\n`)).toBe(true);
	});

	it.each([
		['its name', { fileName: 'a b.png', fileExtension: 'jpg' }, 'filename="a b.png"'],
		['its extension', { fileExtension: 'png' }, 'filename="file.png"'],
		['nothing', {}, 'filename="file"'],
	])('is called after %s', async (_, fields, expected) => {
		await upload(file(fields));
		expect(arrived[0].body.toString('latin1')).toContain(expected);
	});

	it('is private unless it is said to be public', async () => {
		await upload(file({}));
		await upload(file({}), { options: { public: true } });
		const [plain, shared] = arrived.map(({ body }) => body.toString('latin1'));
		expect(plain).not.toContain('name="public"');
		expect(shared).toContain('name="public"\r\n\r\n1\r\n');
	});

	it('names the field that holds no file, before anything is sent', async () => {
		const { error } = await upload({});
		expect(error?.message).toContain('data');
		expect(arrived).toEqual([]);
	});
});

describe('a file in n8n’s store', () => {
	const config = Container.get(BinaryDataConfig);
	const { mode } = config;

	async function setMode(wanted: typeof mode): Promise<void> {
		config.mode = wanted;
		await Container.get(BinaryDataService).init();
	}
	beforeEach(async () => {
		await loadedPackage();
		await setMode('filesystem');
	});
	afterEach(async () => await setMode(mode));

	/** As n8n keeps what a node before has prepared. */
	async function stored(content: Buffer, fileName: string): Promise<INodeExecutionData['binary']> {
		const data = await Container.get(BinaryDataService).store(
			{ type: 'execution', workflowId: 'test', executionId: '1' },
			content,
			{ data: '', mimeType: 'video/mp4', fileName },
		);
		expect(data.id).toMatch(/^filesystem/);
		return { data };
	}

	it('arrives byte for byte, of known length, and tells how far it is for each 16 MB', async () => {
		const content = Buffer.alloc(17 * 1024 * 1024, 'the quick brown fox ');
		const binary = await stored(content, 'film.mp4');
		const { error } = await upload(binary, { type: 'video' });
		expect(error).toBeUndefined();
		const [{ length, body }] = arrived;
		expect(length).toBe(String(body.length));
		const start = body.indexOf('video/mp4\r\n\r\n') + 'video/mp4\r\n\r\n'.length;
		const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
		expect(hash(body.subarray(start, start + content.length))).toBe(hash(content));
		expect(
			log.lines.filter((words) => JSON.stringify(words).includes('Uploading film.mp4: 16 of 17 MB')),
		).toHaveLength(1);
	});
});

describe('the form that streams', () => {
	it('is taken for the platform’s own by its shape', () => {
		const form = new StreamingForm();
		form.append('a', '1');
		form.append('b', '2');
		expect(Object.prototype.toString.call(form)).toBe('[object FormData]');
		expect([...form]).toEqual([
			['a', '1'],
			['b', '2'],
		]);
		expect([...{ [Symbol.iterator]: () => form.entries() }]).toEqual([...form]);
	});
});
