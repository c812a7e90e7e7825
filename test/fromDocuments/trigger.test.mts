import { createHmac } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { leaksIn, LogWatch } from '../engine/leaks.mts';
import { WebhookServer } from '../engine/webhook.mts';
import { arrive, type Arrival, newMessage } from '../nodes/trigger/arrival.mts';

const server = WebhookServer.inEachTest();
const log = LogWatch.inEachTest();
let n = 0;
const event = (message: IDataObject, kind = 'new-agent-message') => ({ event: kind, message });

describe('Unexpected failures', () => {
	it('unreadable credential: 500 and logged, without the secret', async () => {
		const got = await arrive({ credential: new Error('cannot decrypt s3cretvalue-xyz') });
		expect(got.status).toBe(500);
		expect(got.items).toBeUndefined();
		expect(log.lines.length).toBeGreaterThan(0);
	});
	it('then the same delivery is accepted', async () => {
		const message = newMessage();
		const same = {
			workflowId: 'w-retry',
			nodeId: 't',
			credentialId: 'c-retry',
			payload: event(message),
			headers: { 'x-webhook-secret': 'good-secret-123' },
		};
		expect((await arrive({ ...same, credential: new Error('down') })).status).toBe(500);
		expect(
			(
				await arrive({
					...same,
					credential: { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: 'good-secret-123' },
				})
			).items?.length,
		).toBe(1);
	});
	it('a body that cannot be read is the fault of its sender', async () => {
		expect((await arrive({ body: new Error('aborted') })).status).toBe(400);
	});
	it('no credential chosen', async () => {
		const got = await arrive({ credential: {}, isCredentialChosen: false });
		expect(got.status).toBe(403);
	});
	it.each([
		['unknown method', { method: 'none', secret: 'abcdefghij' }],
		['no method', {}],
		['array secret', { method: 'headerSecret', headerName: 'x', secret: ['a'] }],
		['proto header', { method: 'headerSecret', headerName: '__proto__', secret: '[object Object]' }],
		[
			'constructor header',
			{ method: 'headerSecret', headerName: 'constructor', secret: 'function Object() { [native code] }' },
		],
		[
			'bad algorithm',
			{
				method: 'hmac',
				signatureHeaderName: 'x-signature',
				secret: 'abcdefghij',
				algorithm: 'nope',
				encoding: 'hex',
			},
		],
		[
			'bad encoding',
			{
				method: 'hmac',
				signatureHeaderName: 'x-signature',
				secret: 'abcdefghij',
				algorithm: 'sha256',
				encoding: 'nope',
			},
		],
		['empty secret', { method: 'headerSecret', headerName: 'x-webhook-secret', secret: '' }],
		[
			'empty hmac',
			{
				method: 'hmac',
				signatureHeaderName: 'x-signature',
				secret: '',
				algorithm: 'sha256',
				encoding: 'hex',
			},
		],
		['empty basic', { method: 'basicAuth', user: '', password: '' }],
	])('%s lets nobody in', async (_name, credential) => {
		for (const headers of [
			{},
			{ 'x-webhook-secret': '' },
			{ 'x-webhook-secret': '5', 'x-signature': '' },
			{ authorization: 'Basic Og==' },
			{ authorization: 'Basic ' },
			{ 'x-webhook-secret': 'undefined', 'x-signature': createHmac('sha256', '').update('x').digest('hex') },
		]) {
			const got = await arrive({ credential: credential as IDataObject, headers } as Arrival);
			expect(got.items).toBeUndefined();
			expect([401, 403, 500]).toContain(got.status);
		}
	});
});

describe('Header secret', () => {
	const credential = { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret: 'good-secret-123' };
	it.each([
		['prefix', 'good-secret-12'],
		['longer', 'good-secret-1234'],
		['case', 'Good-secret-123'],
		['list', 'good-secret-123, good-secret-123'],
		['1 MB', 'g'.repeat(1_000_000)],
		['unicode', 'good‐secret‐123'],
		['nul', 'good-secret-123\u0000'],
	])('%s is refused', async (_name, value) => {
		expect((await arrive({ credential, headers: { 'x-webhook-secret': value } })).status).toBe(401);
	});
	it('an array of headers', async () => {
		const got = await arrive({ credential, headers: { 'x-webhook-secret': ['good-secret-123', 'x'] } });
		expect(got.items).toBeUndefined();
	});
});

describe('HMAC', () => {
	const secret = 'hmac-secret-123456';
	const base = {
		method: 'hmac',
		signatureHeaderName: 'X-Signature',
		secret,
		algorithm: 'sha256',
		encoding: 'hex',
		prefix: 'sha256=',
		toleranceSeconds: 300,
	};
	const withTime = { ...base, timestampHeaderName: 'X-Timestamp' };
	const signed = (body: Buffer, time?: string) =>
		`sha256=${createHmac('sha256', secret)
			.update(time === undefined ? '' : `${time}.`)
			.update(body)
			.digest('hex')}`;
	it('accepts what is right', async () => {
		const body = Buffer.from(JSON.stringify(event(newMessage())));
		expect(
			(await arrive({ credential: base, body, headers: { 'x-signature': signed(body) } })).items?.length,
		).toBe(1);
		for (const t of [String(Math.floor(Date.now() / 1000)), String(Date.now()), new Date().toISOString()])
			expect(
				(
					await arrive({
						credential: withTime,
						body,
						headers: { 'x-signature': signed(body, t), 'x-timestamp': t },
					})
				).items?.length,
			).toBe(1);
	});
	it.each([
		'',
		' ',
		'NaN',
		'Infinity',
		'-Infinity',
		'1e309',
		'0',
		'-1',
		String(Date.now() * 1000),
		String(Math.floor(Date.now() / 1000) - 301),
		String(Math.floor(Date.now() / 1000) + 310),
		'2999-01-01T00:00:00Z',
		'0x65',
		'x'.repeat(100_000),
		'now',
		'9'.repeat(400),
	])('timestamp %.30j is refused though signed', async (t) => {
		const body = Buffer.from(JSON.stringify(event(newMessage())));
		const got = await arrive({
			credential: withTime,
			body,
			headers: { 'x-signature': signed(body, t), 'x-timestamp': t },
		});
		expect({ s: got.status, i: got.items }).toEqual({ s: 401, i: undefined });
	});
	it.each([
		['no prefix', (s: string) => s.slice(7)],
		['no hex', () => 'sha256=zz'],
		['short', (s: string) => s.slice(0, 30)],
		['empty after prefix', () => 'sha256='],
		['only prefix twice', (s: string) => `sha256=${s}`],
		['tail', (s: string) => `${s}zz`],
		['tail g', (s: string) => `${s}g`],
		['list', (s: string) => `sha256=00, ${s}`],
		['10 MB', () => `sha256=${'a'.repeat(10_000_000)}`],
	])('signature with %s', async (_name, change) => {
		const body = Buffer.from(JSON.stringify(event(newMessage())));
		const got = await arrive({ credential: base, body, headers: { 'x-signature': change(signed(body)) } });
		expect(got.status).toBe(401);
	});
	it('array signature and timestamp', async () => {
		const body = Buffer.from(JSON.stringify(event(newMessage())));
		const t = String(Math.floor(Date.now() / 1000));
		expect(
			(
				await arrive({
					credential: withTime,
					body,
					headers: { 'x-signature': [signed(body, t)] as never, 'x-timestamp': [t, '0'] as never },
				})
			).items,
		).toBeUndefined();
	});
	it('replay of a changed status needs a new signature', async () => {
		const m = newMessage();
		const body = Buffer.from(JSON.stringify(event(m)));
		const got = await arrive({
			credential: base,
			body: Buffer.from(JSON.stringify(event({ ...m, status: 'x' }))),
			headers: { 'x-signature': signed(body) },
		});
		expect(got.status).toBe(401);
	});
});

describe('Redeliveries', () => {
	const set = () => ({ workflowId: `wf-${++n}`, nodeId: 't', staticData: {} as IDataObject });
	it('kind is part of the key', async () => {
		const s = { ...set(), parameters: { additionalOptions: { passUnknown: true } } };
		const m = newMessage();
		expect((await arrive({ ...s, payload: event(m, 'message-deleted') })).items?.length).toBe(1);
		expect((await arrive({ ...s, payload: event(m) })).items?.length).toBe(1);
		expect((await arrive({ ...s, payload: event(m) })).items).toBeUndefined();
	});
	it.each([
		'New-Agent-Message',
		'new_agent_message',
		'newAgentMessage',
		' new-agent-message ',
		'new-agent-message\u0000',
		'NEW-AGENT-MESSAGE',
		'new-agent-message\u200b',
		'new agent message',
		'new.agent.message',
	])('kind spelled %j', async (kind) => {
		const s = set();
		const m = newMessage();
		await arrive({ ...s, payload: event(m) });
		const second = await arrive({ ...s, payload: event(m, kind) });
		expect(second.items).toBeUndefined();
	});
	it.each([
		['id text vs number', (m: IDataObject) => ({ ...m, id: 5 }), (m: IDataObject) => ({ ...m, id: '5' })],
		['id float', (m: IDataObject) => ({ ...m, id: 5 }), (m: IDataObject) => ({ ...m, id: 5.0 })],
	])('%s is the same message', async (_name, a, b) => {
		const s = set();
		const m = newMessage();
		expect((await arrive({ ...s, payload: event(a(m)) })).items?.length).toBe(1);
		expect((await arrive({ ...s, payload: event(b(m)) })).items).toBeUndefined();
	});
	it('keys do not collide through separators', async () => {
		const s = { ...set(), parameters: { additionalOptions: { passUnknown: true } } };
		const variants = [
			{ event: 'a', message: { id: '1', status: 'x' } },
			{ event: 'a', message: { id: '1:x', status: '' } },
			{ event: 'a:1', message: { id: 'x', status: '' } },
			{ event: 'a', message: { id: '1|x', status: '' } },
			{ event: 'a', message: { id: '1', status: 'x ' } },
			{ event: 'a', message: { id: '["1","x"]', status: null } },
			{ event: 'a', message: { id: '1\u0000x', status: '' } },
			{ event: 'a', message: { id: '1/x', status: '' } },
			{ event: 'a', message: { id: '1,x', status: '' } },
			{ event: 'a', message: { id: '1 x', status: '' } },
		];
		const counts = [];
		for (const payload of variants) counts.push((await arrive({ ...s, payload })).items?.length ?? 0);
		expect(counts).toEqual(variants.map(() => 1));
	});
	it('ids like __proto__ and constructor are remembered', async () => {
		const s = set();
		for (const id of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
			expect((await arrive({ ...s, payload: event({ ...newMessage(), id }) })).items?.length).toBe(1);
			expect((await arrive({ ...s, payload: event({ ...newMessage(), id }) })).items).toBeUndefined();
		}
	});
	it('a flood of one conversation does not flush the others', async () => {
		const s = set();
		const old = [...Array(20).keys()].map((i) => ({ ...newMessage(), conversation_id: 100 + i }));
		for (const m of old) expect((await arrive({ ...s, payload: event(m) })).items?.length).toBe(1);
		{
			for (let i = 0; i < 12; i++) {
				const got = await arrive({
					...s,
					payload: Array.from({ length: 1000 }, () => event({ ...newMessage(), conversation_id: 3 })),
				});
				expect(got.items?.length).toBe(1000);
				got.answer(200);
			}
		}
		const again = [];
		for (const m of old) again.push((await arrive({ ...s, payload: event(m) })).items?.length ?? 0);
		expect(again).toEqual(old.map(() => 0));
	});
	it('a flood that spells its conversation in many ways', async () => {
		const s = set();
		const old = [...Array(20).keys()].map((i) => ({ ...newMessage(), conversation_id: 100 + i }));
		for (const m of old) await arrive({ ...s, payload: event(m) });
		const ways: Array<(m: IDataObject, i: number) => IDataObject> = [
			(m, i) => ({ ...m, conversation_id: ['a', i] }),
			(m, i) => ({ ...m, conversation_id: { i } }),
			(m) => Object.fromEntries(Object.entries(m).filter(([name]) => name !== 'conversation_id')),
			(m) => ({ ...m, conversation_id: null }),
			(m, i) => ({ ...m, conversation_id: i % 2 === 0 }),
		];
		for (const [w, way] of ways.entries()) {
			for (let i = 0; i < 3; i++)
				await arrive({
					...s,
					payload: Array.from({ length: 1000 }, (_, k) => event(way(newMessage(), w * 10000 + i * 1000 + k))),
				});
		}
		const again = [];
		for (const m of old) again.push((await arrive({ ...s, payload: event(m) })).items?.length ?? 0);
		expect(again).toEqual(old.map(() => 0));
	});
	it('long ids are bounded in memory and static data', async () => {
		const s = set();
		for (let i = 0; i < 30; i++) {
			const got = await arrive({
				...s,
				payload: event({ ...newMessage(), id: `${i}${'x'.repeat(900_000)}`, status: 'y'.repeat(1000) }),
			});
			got.answer(200);
		}
		await new Promise((r) => setTimeout(r, 50));
		expect(JSON.stringify(s.staticData).length).toBeLessThan(500_000);
	});
	it('same id many times in one delivery', async () => {
		const s = set();
		const m = newMessage();
		expect(
			(await arrive({ ...s, payload: Array.from({ length: 1000 }, () => event(m)) })).items?.length,
		).toBe(1);
	});
	it('malformed static data', async () => {
		for (const staticData of [
			{ deliveries: 5 },
			{ deliveries: 'x' },
			{ seen: [null] },
			{ deliveries: [[1, 2, 3]] },
			{ deliveries: { __proto__: 1 } },
		] as IDataObject[])
			expect((await arrive({ ...set(), staticData })).items?.length).toBe(1);
	});
});

describe('Bodies', () => {
	it.each([
		['empty', Buffer.alloc(0), 400],
		['null', Buffer.from('null'), 400],
		['number', Buffer.from('5'), 400],
		['text', Buffer.from('"x"'), 400],
		['list of null', Buffer.from('[null]'), 400],
		['utf16', Buffer.from('{"event":"new-agent-message"}', 'utf16le'), 400],
		['bom', Buffer.from(`\ufeff${JSON.stringify(event({ id: 'bom1', status: 'x' }))}`), undefined],
		['invalid utf8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), undefined],
		['deep', Buffer.from('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)), 400],
		['deep list', Buffer.from('['.repeat(500_000)), 400],
		[
			'101 levels',
			Buffer.from(`{"event":"new-agent-message","message":${'{"a":'.repeat(101)}1${'}'.repeat(101)}}`),
			400,
		],
		[
			'1001 events',
			Buffer.from(JSON.stringify(Array.from({ length: 1001 }, () => event(newMessage())))),
			400,
		],
		[
			'15,001 values',
			Buffer.from(
				JSON.stringify(event({ ...newMessage(), contents: Array.from({ length: 15_001 }, () => 1) })),
			),
			400,
		],
		['two objects', Buffer.from('{}{}'), 400],
		['urlencoded', Buffer.from('a=b'), 400],
		['nan', Buffer.from('{"event":NaN}'), 400],
		['too large', Buffer.alloc(1024 * 1024 + 1, 0x20), 413],
	])('%s', async (_name, body, status) => {
		const got = await arrive({ body });
		if (status !== undefined) expect(got.status).toBe(status);
		expect(got.status).not.toBe(500);
	});
	it.each([
		'text/plain',
		'application/x-www-form-urlencoded',
		'multipart/form-data; boundary=x',
		'',
		'application/jsonx',
		'text/json, application/json',
		'application/json; charset=utf-16',
		'application/json; charset=utf-7',
		'application/json;'.padEnd(50_000, ';'),
		'application/vnd.x+json',
		'a/b+json' + ' '.repeat(50_000),
	])('type %.40j', async (type) => {
		const start = process.cpuUsage();
		const got = await arrive({ headers: { 'content-type': type } });
		const { user } = process.cpuUsage(start);
		expect(user).toBeLessThan(200_000);
		expect(got.status).not.toBe(500);
	});
	it('content-encoding lies and odd encodings', async () => {
		for (const enc of ['gzip', 'br', 'deflate', 'x-evil', 'identity']) {
			const got = await arrive({ headers: { 'content-encoding': enc } });
			expect(got.status).not.toBe(500);
		}
	});
});

describe('Include headers', () => {
	it('keeps the secret out of the log; odd header names do not forge', async () => {
		const got = await arrive({
			parameters: { additionalOptions: { includeHeaders: true } },
			headers: { ['__proto__']: 'x', json: 'x', 'x-long': 'y'.repeat(100_000) },
		});
		expect(got.items?.length).toBe(1);
	});
	it('a refusal logs nothing secret', async () => {
		const secret = 'a-good-secret-123456';
		await arrive({
			credential: { method: 'headerSecret', headerName: 'X-Webhook-Secret', secret },
			headers: { 'x-webhook-secret': 'bad' },
		});
		expect(leaksIn(log.lines, secret)).toEqual([]);
	});
});

describe('IP allow list', () => {
	const allow = (ipAllowList: string, ip: string) =>
		arrive({ ip, parameters: { additionalOptions: { ipAllowList } } });
	it.each([
		['10.0.0.0/8', '10.1.2.3', true],
		['10.0.0.0/8', '11.0.0.1', false],
		['10.0.0.0/8', '::ffff:10.1.2.3', true],
		['10.0.0.0/33', '10.1.2.3', false],
		['10.0.0.0/', '11.1.2.3', false],
		['10.0.0.0/-1', '11.1.2.3', false],
		['0.0.0.0/0', '::1', false],
		['::/0', '10.0.0.1', false],
		['10.0.0.1', '010.0.0.1', false],
		['10.0.0.1', '', false],
		['x', '10.0.0.1', false],
		[',', '10.0.0.1', false],
		[' ', '10.0.0.1', true],
		['10.0.0.0/1e1', '10.0.0.1', false],
		['2001:db8::/32', '2001:DB8:1::1', true],
		['::ffff:10.0.0.1', '10.0.0.1', true],
		['10.0.0.1/32,, 10.0.0.2', '10.0.0.2', true],
		['167772161', '10.0.0.1', false],
		['10.1', '10.0.0.1', false],
		['*', '10.0.0.1', false],
	])('%j and %j: %j', async (list, ip, isAllowed) => {
		const got = await allow(list, ip);
		expect(got.items !== undefined).toBe(isAllowed);
	});
});

it('over the network: floods, slow bodies, no length', async () => {
	const big = `{"event":"new-agent-message","message":{"id":"${'x'.repeat(3_000_000)}"}}`;
	const got = await server.deliver({}, { body: big, headers: { 'content-type': 'application/json' } });
	expect(got.status).toBe(413);
});
