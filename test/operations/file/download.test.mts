import { createHash } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';

import { numbersTold } from '../../description/labels.mts';
import { loadedPackage, runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { PIXEL } from '../../engine/pixel.mts';
import { RawServer } from '../../engine/rawServer.mts';
import { TestTenant } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
const raw = RawServer.inEachTest();
const sandbox = TestTenant.inEachTest();

const config = Container.get(BinaryDataConfig);
const { mode } = config;

async function setMode(wanted: typeof mode): Promise<void> {
	await loadedPackage();
	config.mode = wanted;
	await Container.get(BinaryDataService).init();
}
afterEach(async () => await setMode(mode));

const download: INodeParameters = {
	...{ resource: 'file', operation: 'download', fileUuid: 'u-1' },
	advanced: { maximumTries: 1 },
};

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe.each(['default', 'filesystem'] as const)('into the %s store', (wanted) => {
	beforeEach(async () => await setMode(wanted));

	const content = Buffer.from(Uint8Array.from({ length: 3 * 1024 * 1024 }, (_, index) => index % 251));
	const run = async () => await runNode({ parameters: download, credentials: odd.credentials });

	it('a large file comes out byte for byte', async () => {
		odd.answer(async (_request, reply) => await reply.type('application/pdf').send(content));
		const { items, error } = await run();
		expect(error).toBeUndefined();
		const binary = items[0].binary?.data;
		if (binary === undefined) throw new Error('There is no file');
		expect(binary.mimeType).toBe('application/pdf');
		expect(sha256(await Container.get(BinaryDataService).getAsBuffer(binary))).toBe(sha256(content));
	});

	it('tells up to which size it recognises a file', async () => {
		expect(await numbersTold('options.fileName')).toEqual([1]);
	});

	it.each([
		['of 1 MB is recognised', 1024 * 1024, 'image/png'],
		['of more is not', 1024 * 1024 + 1, 'application/octet-stream'],
	])('a file without a name and a type %s by its content', async (_what, size, mimeType) => {
		const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.alloc(size)]);
		odd.answer(
			async (_request, reply) => await reply.type('application/octet-stream').send(png.subarray(0, size)),
		);
		const { items, error } = await run();
		expect(error).toBeUndefined();
		const binary = items[0].binary?.data;
		if (binary === undefined) throw new Error('There is no file');
		expect(binary.mimeType).toBe(mimeType);
		const stored = await Container.get(BinaryDataService).getAsBuffer(binary);
		expect(sha256(stored)).toBe(sha256(png.subarray(0, size)));
	});

	it.each([
		['report', 'application/octet-stream'],
		['report.pdf', 'application/pdf'],
	])('a large file without a type is recognised by an ending alone: %s', async (name, mimeType) => {
		odd.answer(
			async (_request, reply) =>
				await reply
					.headers({ 'content-disposition': `attachment; filename="${name}"` })
					.type('application/octet-stream')
					.send(content),
		);
		const { items } = await run();
		expect(items[0].binary?.data).toMatchObject({ fileName: name, mimeType, bytes: content.length });
	});

	it('no part of a file comes out whose connection breaks', async () => {
		odd.answer((_request, reply) => {
			reply.hijack();
			reply.raw.writeHead(200, { 'content-type': 'application/pdf', 'content-length': content.length });
			reply.raw.write(content.subarray(0, content.length / 2), () => reply.raw.destroy());
		});
		const { items, error } = await run();
		expect(error).toMatchObject({
			message: 'The service did not answer',
			description: expect.stringMatching(/^Check the network and try again \(\w+\)\./),
		});
		expect(items).toEqual([]);
	});

	it('a file is not asked for packed, since n8n takes a part of a packed one for the whole', async () => {
		let asked: unknown;
		odd.answer(async ({ headers }, reply) => {
			asked = headers['accept-encoding'];
			return await reply.type('application/pdf').send(content);
		});
		await run();
		expect(asked).toBe('identity');
	});
});

it('a file of a tenant comes out with its UUID, its bytes, a name and a type', async () => {
	const content = Buffer.from(`%PDF-1.4\n${'hello '.repeat(20)}`);
	const uuid = await sandbox.upload('document', 'application/pdf', 'terms.pdf', content);
	const { items } = await sandbox.run({ ...download, fileUuid: uuid, binaryPropertyName: 'file' });
	expect(items[0]).toMatchObject({
		json: { internal_uuid: uuid },
		binary: { file: { mimeType: 'application/pdf', fileName: `${uuid}.pdf` } },
		pairedItem: { item: 0 },
	});
	expect(await sandbox.bytesOf(items[0], 'file')).toEqual(content);
	const named = await sandbox.run({ ...download, fileUuid: uuid, options: { fileName: 'rows.csv' } });
	expect(named.items[0].binary?.data).toMatchObject({ fileName: 'rows.csv', mimeType: 'text/csv' });
});

it('a file that is not there says so in the words of the service, although a stream was expected', async () => {
	const { error } = await sandbox.run({ ...download, fileUuid: '6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90' });
	expect(error).toMatchObject({
		httpCode: '404',
		description: expect.stringContaining('The record does not exist (HTTP 404)'),
	});
});

/** The file that comes out of an answer with these lines in its head. */
async function fileOf(head: string, more: INodeParameters = {}, content: Buffer | string = 'ok') {
	const body = typeof content === 'string' ? Buffer.from(content) : content;
	const headers = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${head}\r\n`;
	raw.answer((socket) => socket.end(Buffer.concat([Buffer.from(headers, 'latin1'), body])));
	const { items, error } = await runNode({
		parameters: { ...download, ...more },
		credentials: { tenantDomain: raw.url, accessToken: 'raw-token' },
	});
	return { error, file: items[0]?.binary?.data };
}

const PDF = 'Content-Type: application/pdf\r\n';
const disposition = (value: string) => `${PDF}Content-Disposition: ${value}\r\n`;

describe('the name of a file', () => {
	it.each([
		['attachment; filename="parcel.pdf"', 'parcel.pdf'],
		['attachment; FILENAME="UP.TXT"', 'UP.TXT'],
		['attachment; filename="a\\"b\\\\c.txt"', 'c.txt'],
		['attachment; filename="../../etc/passwd"', 'passwd'],
		['attachment; filename="C:\\Windows\\system32\\evil.dll"', 'evil.dll'],
		["attachment; filename*=UTF-8''..%2F..%2Fa%2Fb.pdf", 'b.pdf'],
		['attachment; filename="/"', 'u-1.pdf'],
		['attachment; filename*=UTF-8\'\'%ff%fe; filename="plain.pdf"', 'plain.pdf'],
		["attachment; filename*=ISO-8859-1''J%FCrgen%20Gr%F6%DFe.pdf", 'u-1.pdf'],
		['attachment; filename*=iso-8859-1\'de\'J%fcrgen.pdf; filename="x.pdf"', 'x.pdf'],
		['attachment; filename*=none\'\'J%FCrgen.pdf; filename="plain.pdf"', 'plain.pdf'],
		['attachment', 'u-1.pdf'],
	])('that the service gives by %s is %s', async (value, expected) => {
		expect((await fileOf(disposition(value))).file?.fileName).toBe(expected);
	});

	it('is the one that a person types, whatever the service gives', async () => {
		const given = disposition('attachment; filename="parcel.pdf"');
		const { file } = await fileOf(given, { options: { fileName: 'rows.csv' } });
		expect(file?.fileName).toBe('rows.csv');
	});

	const NAMES = [
		...['../../etc/passwd', '..\\..\\windows\\win.ini', '/abs', '~/.ssh/id', 'file.txt::$DATA', '__proto__'],
		...[
			'....//x',
			'a/.',
			'a/..',
			'a/',
			'\\',
			'/',
			'%2e%2e%2fpasswd',
			'..%5c..%5cx',
			'é'.repeat(300) + '.txt',
		],
		`${'x'.repeat(2000)}.pdf`,
	];

	it.each(NAMES)('%.40j has no path', async (name) => {
		const bytes = Buffer.from(name.replace(/(["\\])/g, '\\$1')).toString('latin1');
		const quoted = await fileOf(disposition(`attachment; filename="${bytes}"`));
		const encoded = await fileOf(disposition(`attachment; filename*=UTF-8''${encodeURIComponent(name)}`));
		for (const { error, file } of [quoted, encoded]) {
			expect(error).toBeUndefined();
			expect(file).toMatchObject({ fileName: expect.stringMatching(/^[^/\\]+$/) as string });
			expect(file?.directory).toBeUndefined();
		}
	});
});

it.each(['__proto__', 'constructor', 'a.b'])('the output field %j changes no other object', async (field) => {
	await fileOf(PDF, { binaryPropertyName: field });
	expect(({} as { data?: unknown }).data).toBeUndefined();
});

describe('a download is the file or an error', () => {
	const NAMED = 'Content-Disposition: attachment; filename="a"\r\n';
	const page = '<!DOCTYPE html><html><title>Log in</title></html>';
	const failure = '{"success":false,"message":"Ask again tomorrow"}';
	const IN_PLACE = 'The service answered with something other than the file (HTTP 200)';
	const type = (value: string) => `Content-Type: ${value}\r\n`;

	it.each([
		['a login page', type('text/html; charset=utf-8'), page, IN_PLACE],
		['a login page of any size', type('TEXT/HTML'), page.padEnd(3_000_000), IN_PLACE],
		['a login page in XHTML', type('application/xhtml+xml'), page, IN_PLACE],
		['a login page that is shown', `${type('text/html')}Content-Disposition: inline\r\n`, page, IN_PLACE],
		[
			'a login page without a name',
			`${type('text/html')}Content-Disposition: attachment\r\n`,
			page,
			IN_PLACE,
		],
		['JSON about a failure', type('application/json'), failure, 'Ask again tomorrow'],
		['JSON about a failure in another type', type('application/problem+json'), failure, 'Ask again tomorrow'],
	])('%s is an error', async (_what, head, content, message) => {
		const { error, file } = await fileOf(head, {}, content);
		expect(error?.message).toBe(message);
		expect(file).toBeUndefined();
		// The name that a person gives makes no file of it.
		expect((await fileOf(head, { options: { fileName: 'a.txt' } }, content)).error?.message).toBe(message);
	});

	it.each([
		[
			'with a name and a type',
			`${PDF}Content-Disposition: attachment; filename="a.pdf"\r\n`,
			'a.pdf',
			'application/pdf',
		],
		['with a name', 'Content-Disposition: attachment; filename="a.pdf"\r\n', 'a.pdf', 'application/pdf'],
		['with a type', type('image/png'), /^u-1/, 'image/png'],
		['alone', '', /^u-1/, expect.any(String)],
	])('0 bytes are a file of 0 bytes: %s', async (_what, head, fileName, mimeType) => {
		for (const store of ['default', 'filesystem'] as const) {
			await setMode(store);
			const { error, file } = await fileOf(head, {}, '');
			expect(error).toBeUndefined();
			expect(file).toMatchObject({ fileName: expect.stringMatching(fileName), mimeType });
			if (!file) throw new Error('There is no file');
			expect(await Container.get(BinaryDataService).getAsBuffer(file)).toHaveLength(0);
		}
	});

	it.each(['application/octet-stream', 'binary/octet-stream', 'Binary/Octet-Stream; charset=binary'])(
		'the name decides where the type is %s',
		async (nothing) => {
			const head = `${type(nothing)}Content-Disposition: attachment; filename="Rechnung.pdf"\r\n`;
			expect((await fileOf(head)).file?.mimeType).toBe('application/pdf');
			expect((await fileOf(type(nothing), {}, PIXEL)).file?.mimeType).toBe('image/png');
		},
	);

	it.each([
		['a page', `${type('text/html')}${NAMED}`, page, 'text/html'],
		['JSON', `${type('application/json')}${NAMED}`, failure, 'application/json'],
		['JSON that tells of no failure', type('application/json'), '{"data":{"id":1}}', 'application/json'],
		['JSON that is large', type('application/json'), failure.padEnd(1_100_000), 'application/json'],
		['a page among files', type('application/octet-stream'), page, 'text/plain'],
		['text', type('application/octet-stream'), 'Größe\n', 'text/plain'],
		['text without a type', '', 'Größe\n', 'text/plain'],
		['text that its name calls text', NAMED.replace('"a"', '"a.txt"'), 'Größe\n', 'text/plain'],
		['text whose name has no ending', NAMED, 'Größe\n', 'text/plain'],
		['a picture whose name has no ending', NAMED, PIXEL, 'image/png'],
		['a picture with a date as its ending', NAMED.replace('"a"', '"a 2026.05"'), PIXEL, 'image/png'],
		['a picture with a time as its name', NAMED.replace('"a"', '"12:00:00.000Z"'), PIXEL, 'image/png'],
		['a film whose ending begins with a digit', NAMED.replace('"a"', '"a.3gp"'), 'x', 'video/3gpp'],
		['text whose ending nobody knows', NAMED.replace('"a"', '"a.xyzw"'), 'Größe\n', 'text/plain'],
	])('%s is a file', async (_what, head, content, mimeType) => {
		const { error, file } = await fileOf(head, {}, content);
		expect(error).toBeUndefined();
		expect(file?.mimeType).toBe(mimeType);
		expect(file?.fileSize).toMatch(/B$/);
	});
});
