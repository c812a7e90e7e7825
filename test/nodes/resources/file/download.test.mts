import { createHash, randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';

import { loadedPackage, runNode } from '../../../engine/engine.mts';
import { OddTenant } from '../../../engine/oddTenant.mts';
import { generation } from '../../../n8n/generation.mts';

const odd = OddTenant.inEachTest();
const config = Container.get(BinaryDataConfig);
const { mode } = config;

async function setMode(wanted: typeof mode): Promise<void> {
	await loadedPackage();
	config.mode = wanted;
	await Container.get(BinaryDataService).init();
}
afterEach(async () => await setMode(mode));

const CONTENT = randomBytes(20 * 1024 * 1024);
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const download = async () =>
	await runNode({
		parameters: {
			resource: 'file',
			operation: 'download',
			fileUuid: 'u-1',
			requestLimits: { maximumTries: 1 },
		},
		credentials: odd.credentials,
	});

describe.each(['default', 'filesystem'] as const)('file: download into the %s store', (wanted) => {
	beforeEach(async () => await setMode(wanted));

	it('gives out a large file byte for byte', async () => {
		odd.answer(async (_request, reply) => await reply.type('application/pdf').send(CONTENT));
		const { items, error } = await download();
		expect(error).toBeUndefined();
		const binary = items[0].binary?.data;
		if (binary === undefined) throw new Error('There is no file');
		expect(binary.mimeType).toBe('application/pdf');
		expect(sha256(await Container.get(BinaryDataService).getAsBuffer(binary))).toBe(sha256(CONTENT));
	});

	it('gives out no part of a file whose connection breaks', async () => {
		odd.answer(async (_request, reply) => {
			reply.hijack();
			reply.raw.writeHead(200, { 'content-type': 'application/pdf', 'content-length': CONTENT.length });
			reply.raw.write(CONTENT.subarray(0, CONTENT.length / 2), () => reply.raw.destroy());
		});
		const { items, error } = await download();
		expect(error).toBeDefined();
		expect(items).toEqual([]);
	});
});

describe('the name of a downloaded file', () => {
	/** Only n8n 2 adds the ending of the MIME type. */
	const UNNAMED = generation === 1 ? 'u-1' : 'u-1.pdf';

	const named = async (contentDisposition: string, options: object = {}) => {
		odd.answer(async (_request, reply) => {
			return await reply
				.type('application/pdf')
				.header('content-disposition', contentDisposition)
				.send(Buffer.from('%PDF-1.4'));
		});
		const { items, error } = await runNode({
			parameters: { resource: 'file', operation: 'download', fileUuid: 'u-1', options: { ...options } },
			credentials: odd.credentials,
		});
		expect(error).toBeUndefined();
		return items[0].binary?.data.fileName;
	};

	it.each([
		['attachment; filename="parcel.pdf"', 'parcel.pdf'],
		['attachment; filename="../../etc/passwd"', 'passwd'],
		['attachment; filename="C:\\Windows\\system32\\evil.dll"', 'evil.dll'],
		["attachment; filename*=UTF-8''..%2F..%2Fa%2Fb.pdf", 'b.pdf'],
		["attachment; filename*=UTF-8''invoice%E2%80%AEfdp.exe", 'invoicefdp.exe'],
		["attachment; filename*=UTF-8''a%00b%0Ac.pdf", 'abc.pdf'],
		['attachment; filename="..."', UNNAMED],
		['attachment; filename=". .pdf "', 'pdf'],
		['attachment; filename="/"', UNNAMED],
		['attachment; filename*=UTF-8\'\'%ff%fe; filename="plain.pdf"', 'plain.pdf'],
	])('%s is %s', async (contentDisposition, expected) => {
		expect(await named(contentDisposition)).toBe(expected);
	});

	it('fits a file system, and keeps its ending', async () => {
		const name = await named(`attachment; filename*=UTF-8''${encodeURIComponent('ä'.repeat(300))}.pdf`);
		expect(name).toMatch(/^ä+\.pdf$/);
		expect(Buffer.byteLength(String(name))).toBeLessThanOrEqual(255);
	});

	it('that a person or an item gives has no path either', async () => {
		expect(await named('attachment', { fileName: '../../evil.pdf' })).toBe('evil.pdf');
	});
});
