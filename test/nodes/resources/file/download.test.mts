import { createHash, randomBytes } from 'node:crypto';

import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';

import { loadedPackage, runNode } from '../../../engine/engine.mts';
import { OddTenant } from '../../../engine/oddTenant.mts';

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
