import type { INodeExecutionData } from 'n8n-workflow';

import { type Answers, refusal, ScriptedTenant } from '../engine/scriptedTenant.mts';
import { rowOfSent } from '../engine/summaryOfSent.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const UPLOAD = 'POST /files/temporary-upload';
const TYPES = 'GET /support/allowed-mime-types';
const SIZES = 'GET /support/media-size-limits';

const KINDS = ['audio', 'document', 'image', 'video'] as const;
const each = <Value,>(value: Value) => Object.fromEntries(KINDS.map((kind) => [kind, value]));

/** A tenant that takes this type for all kinds, files of up to 1 MB after and 2 MB before compression. */
const answers = (type = 'audio/ogg'): Answers => ({
	[TYPES]: () => ({ data: each([type]) }),
	[SIZES]: () => ({ data: { regular_mb: each(1), temporary_upload_mb: each(2) } }),
	[UPLOAD]: () => ({ internal_uuid: 'file-1' }),
	[SEND]: () => ({ data: { id: 1 } }),
});

const MEGABYTE = 1024 * 1024;

const fileOf = (mimeType: string, bytes = 10): INodeExecutionData => ({
	json: {},
	binary: { data: { data: Buffer.alloc(bytes).toString('base64'), mimeType, fileName: 'file' } },
});

const send = async (messageType: string, item: INodeExecutionData) =>
	await tenant.run(
		{ resource: 'message', operation: 'send', conversationId: '7', messageType },
		{ items: [item] },
	);

const isSent = () => tenant.requests.includes(SEND);

describe('the type of a file', () => {
	it.each([
		['audio/ogg; codecs=opus', 'audio/ogg'],
		['audio/ogg; codecs=opus', 'audio/ogg; codecs=opus'],
		['audio/ogg', 'audio/ogg; codecs=opus'],
		['Audio/OGG;codecs=opus', 'audio/ogg ; codecs=vorbis'],
	])('is one that the tenant allows as %s: %s', async (allowed, type) => {
		tenant.answer(answers(allowed));
		const { error, items } = await send('audio', fileOf(type));
		expect(error).toBeUndefined();
		expect(tenant.bodies(SEND)).toEqual([{ type: 'audio', file: { internal_uuid: 'file-1' } }]);
		expect(items).toEqual([{ json: rowOfSent({ id: 1, conversation_id: 7 }, {}), pairedItem: { item: 0 } }]);
	});

	it.each([
		['audio/ogg; codecs=opus', 'audio/mpeg'],
		['audio/ogg', 'audio/oggs'],
	])('is none that the tenant allows as %s: %s', async (allowed, type) => {
		tenant.answer(answers(allowed));
		const { error } = await send('audio', fileOf(type));
		expect(error?.message).toBe(`file is of type ${type}, which the service does not allow as audio`);
		expect(error?.description).toContain(`Allowed as audio: ${allowed}.`);
		expect([...tenant.requests].sort()).toEqual([TYPES, SIZES]);
	});
});

describe('the size of a file', () => {
	it.each([
		['audio', MEGABYTE, undefined],
		['audio', MEGABYTE + 1, 1],
		['document', MEGABYTE + 1, 1],
		['image', MEGABYTE + 1, undefined],
		['image', 2 * MEGABYTE + 1, 2],
		['video', 2 * MEGABYTE, undefined],
		['video', 2 * MEGABYTE + 1, 2],
	])(
		'of %s with %d bytes is held against the limit of what is compressed, or is not',
		async (kind, bytes, limit) => {
			tenant.answer(answers('a/b'));
			const { error } = await send(kind, fileOf('a/b', bytes));
			expect(error?.message).toBe(
				limit === undefined
					? undefined
					: `file has ${limit}.0 MB, the service takes at most ${limit} MB as ${kind}`,
			);
			expect(isSent()).toBe(limit === undefined);
		},
	);

	it.each<[string, unknown]>([
		['no regular limits', { temporary_upload_mb: each(2) }],
		['a larger regular limit', { temporary_upload_mb: each(2), regular_mb: each(5) }],
		['limits that are none', { temporary_upload_mb: each('2'), regular_mb: each(0) }],
	])('is held against the limit of the upload where there are %s', async (_what, data) => {
		tenant.answer({ ...answers('a/b'), [SIZES]: () => ({ data }) });
		expect((await send('audio', fileOf('a/b', 2 * MEGABYTE))).error).toBeUndefined();
		const { error } = await send('audio', fileOf('a/b', 2 * MEGABYTE + 1));
		expect(error?.message).toBe('file has 2.0 MB, the service takes at most 2 MB as audio');
	});

	it('is any where the tenant names no limit', async () => {
		tenant.answer({ ...answers('a/b'), [SIZES]: () => ({ data: {} }) });
		expect((await send('audio', fileOf('a/b', 3 * MEGABYTE))).error).toBeUndefined();
		expect(isSent()).toBe(true);
	});
});

describe('limits that the user behind the token cannot read', () => {
	it.each([403, 404])('do not stop a message, with status %d', async (status) => {
		tenant.answer({ ...answers(), [TYPES]: refusal(status), [SIZES]: refusal(status) });
		const { error, items } = await send('audio', fileOf('a/b', 3 * MEGABYTE));
		expect(error).toBeUndefined();
		expect(items).toEqual([{ json: rowOfSent({ id: 1, conversation_id: 7 }, {}), pairedItem: { item: 0 } }]);
	});

	it('leave the other part in force: the size', async () => {
		tenant.answer({ ...answers(), [TYPES]: refusal(403) });
		const { error } = await send('audio', fileOf('a/b', 3 * MEGABYTE));
		expect(error?.message).toBe('file has 3.0 MB, the service takes at most 1 MB as audio');
		expect(isSent()).toBe(false);
	});

	it('leave the other part in force: the type', async () => {
		tenant.answer({ ...answers(), [SIZES]: refusal(404) });
		const { error } = await send('audio', fileOf('a/b'));
		expect(error?.message).toBe('file is of type a/b, which the service does not allow as audio');
		expect(isSent()).toBe(false);
	});

	it('do not stop a message if the tenant answers nothing of them', async () => {
		for (const answer of [() => ({ data: {} }), () => ({})]) {
			tenant.answer({ ...answers(), [TYPES]: answer, [SIZES]: answer });
			const { error, items } = await send('document', fileOf('a/b', 3 * MEGABYTE));
			expect(error).toBeUndefined();
			expect(items).toEqual([
				{ json: rowOfSent({ id: 1, conversation_id: 7 }, {}), pairedItem: { item: 0 } },
			]);
		}
	});

	it.each([[[]], [null], [[7]], ['none'], [5]])('stop a message if the tenant answers %j', async (data) => {
		tenant.answer({ ...answers(), [TYPES]: () => ({ data }) });
		const { error } = await send('document', fileOf('a/b'));
		expect(error?.message).toContain('something other than');
		expect(isSent()).toBe(false);
	});

	it('are asked for once, however many files there are', async () => {
		tenant.answer({ ...answers(), [TYPES]: refusal(403), [SIZES]: refusal(403) });
		await tenant.run(
			{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'audio' },
			{ items: [fileOf('a/b'), fileOf('a/b')] },
		);
		expect(tenant.requests.filter((request) => request.includes('/support/'))).toHaveLength(2);
	});

	it.each([401, 422, 500])('stop a message with any other failure, such as %d', async (status) => {
		tenant.answer({ ...answers(), [SIZES]: refusal(status, 'Not now') });
		const { error } = await send('audio', fileOf('audio/ogg'));
		expect(error).toMatchObject({ message: 'Not now', context: { itemIndex: 0 } });
		expect(tenant.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
	});
});
