import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Snapshot, startSandbox } from '../../sandbox/server.mts';
import { openStore } from '../../sandbox/store/store.mts';
import { ask, type Data, type Fields, startTenant, until, upload, uploadForm, useTenant } from './tenant.mts';

const tenant = useTenant();

const customer = (display_id: string) => ({ channel: 'chatapp', display_id, name: 'Somebody' });
const create = (display_id: string) => tenant.must<Fields>('POST', '/customers', customer(display_id));
const names = async () =>
	(await tenant.control<Data<Snapshot[]>>('GET', '/snapshots')).data.map(({ name }) => name);
/** Everything in the database, table by table. */
const everything = () =>
	Object.fromEntries(
		tenant.store.database
			.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
			.map(({ name }) => [name, tenant.store.database.all(`SELECT * FROM ${name}`)]),
	);

beforeEach(() => {
	for (const { name } of tenant.tenant.snapshots.list()) tenant.tenant.snapshots.delete(name);
});

describe('a snapshot', () => {
	test('brings back every table, the next ids, the clock and webhooks', async () => {
		await create('4915112345678');
		await tenant.control('POST', '/webhooks', { url: 'http://127.0.0.1:1/' });
		await tenant.control('POST', '/clock', { advance: { days: 3 } });
		await tenant.control('POST', '/snapshots', { name: 'before' });
		const before = everything();

		await tenant.must('DELETE', '/customers/101');
		await create('4915112345679');
		await tenant.control('POST', '/seed', { profiles: 20, conversations: 5 });
		await tenant.control('DELETE', '/webhooks/1');
		await tenant.control('POST', '/clock', { advance: { days: 3 } });
		expect(everything()).not.toEqual(before);

		await tenant.control('POST', '/snapshots/before/load');
		expect(everything()).toEqual(before);
		const { ahead_ms } = await tenant.control<{ ahead_ms: number }>('GET', '/clock');
		expect(ahead_ms).toBe(3 * 86_400_000);
		expect((await create('4915112345679')).id).toBe(105);
		expect((await tenant.ask('DELETE', '/customers/101')).status).toBe(200);
	});

	test('holds uploads: those of later are gone, deleted and public ones are back with the same content', async () => {
		const form = (content: string) =>
			uploadForm({ type: 'document', public: '1' }, { content, mimeType: 'text/plain', name: 'a.txt' });
		const file = (await upload(tenant, form('kept'))).body as { url: string };
		tenant.saveSnapshot('with-file');
		await tenant.reset();
		expect((await ask(file.url)).status).toBe(404);
		const later = (await upload(tenant, form('later'))).body as { internal_uuid: string };
		tenant.loadSnapshot('with-file');
		expect(await ask(file.url)).toMatchObject({ status: 200, body: 'kept' });
		expect((await tenant.ask('GET', `/files/${later.internal_uuid}`)).status).toBe(404);
		expect(readdirSync(tenant.store.filesFolder)).not.toContain(later.internal_uuid);
	});

	test('holds what is planned for messages, and whether more is', async () => {
		await tenant.control('POST', '/delivery-statuses', { sent: 60_000, delivered: null, read: null });
		const sent = await tenant.must<Data<Fields>>('POST', '/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
		});
		tenant.saveSnapshot('planned');
		await tenant.control('POST', '/clock', { advance: { minutes: 2 } });
		await tenant.control('DELETE', '/delivery-statuses');
		expect(tenant.store.conversations.findMessage(sent.data.id)).toMatchObject({ status: 'sent' });
		tenant.loadSnapshot('planned');
		expect(tenant.store.conversations.findMessage(sent.data.id)).toMatchObject({ status: 'created' });
		expect(tenant.tenant.deliveryStatuses.rules).toMatchObject({ sent: 60_000 });
		await tenant.control('POST', '/clock', { advance: { minutes: 2 } });
		expect(tenant.store.conversations.findMessage(sent.data.id)).toMatchObject({ status: 'sent' });
	});

	test('leaves faults and recorded requests as they are', async () => {
		tenant.saveSnapshot('quiet');
		await tenant.control('POST', '/faults', { kind: 'server-error', operationId: 'getTag' });
		await tenant.must('GET', '/me');
		tenant.loadSnapshot('quiet');
		expect(tenant.faults.list()).toHaveLength(1);
		expect(tenant.requests()).toHaveLength(1);
	});

	test('outlives a reset, and can be loaded again and again', async () => {
		await create('4915112345678');
		tenant.saveSnapshot('again');
		for (const round of [1, 2]) {
			await tenant.reset();
			tenant.loadSnapshot('again');
			expect([round, tenant.store.counts().customers]).toEqual([round, 4]);
			await tenant.must('DELETE', '/customers/104');
		}
	});

	test('tells the inbox page that everything may have changed', () => {
		tenant.saveSnapshot('told');
		let told = 0;
		tenant.tenant.events.once('reset', () => told++);
		tenant.loadSnapshot('told');
		expect(told).toBe(1);
	});
});

describe('the list of snapshots', () => {
	test('has name, time and size; one of the same name is replaced', async () => {
		const first = await tenant.control<Snapshot>('POST', '/snapshots', { name: 'b' });
		await tenant.control('POST', '/snapshots', { name: 'a' });
		expect(first).toEqual({ name: 'b', created_at: expect.any(String), size: expect.any(Number) });
		expect(Date.parse(first.created_at)).toBeGreaterThan(Date.now() - 60_000);
		expect(first.size).toBeGreaterThan(10_000);
		await create('4915112345678');
		await tenant.control('POST', '/snapshots', { name: 'b' });
		expect(await names()).toEqual(['a', 'b']);
		await tenant.reset();
		await tenant.control('POST', '/snapshots/b/load');
		expect(tenant.store.counts().customers).toBe(4);
	});

	test('loses what is deleted, and knows nothing else', async () => {
		tenant.saveSnapshot('gone');
		await tenant.control('DELETE', '/snapshots/gone');
		expect(await names()).toEqual([]);
		for (const [method, path] of [
			['POST', '/snapshots/gone/load'],
			['DELETE', '/snapshots/gone'],
			['DELETE', '/snapshots/..%2Ffiles'],
			['POST', '/snapshots/..%2F..%2Ftmp/load'],
		]) {
			const { status } = await ask(`${tenant.url}/sandbox${path}`, { method });
			expect([path, status]).toEqual([path, 404]);
		}
		expect(tenant.store.filesFolder).toBeTruthy();
		expect(readdirSync(tenant.store.filesFolder)).not.toEqual([]);
	});

	test.each(['', '..', 'a/b', 'a\\b', '.hidden', 'x.part', 'con', 'LPT1', 'ä', 'a b', 'n'.repeat(65)])(
		'%p is no name',
		async (name) => {
			const answer = await ask(`${tenant.url}/sandbox/snapshots`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ name }),
			});
			expect(answer).toMatchObject({ status: 422, body: { errors: { name: [expect.any(String)] } } });
			expect(await names()).toEqual([]);
		},
	);

	test('one of another version of the sandbox is refused, and changes nothing', async () => {
		tenant.saveSnapshot('old');
		tenant.store.setFact('schema_version', '0');
		tenant.saveSnapshot('other');
		tenant.loadSnapshot('old');
		await create('4915112345678');
		const before = everything();
		const answer = await ask(`${tenant.url}/sandbox/snapshots/other/load`, { method: 'POST' });
		expect(answer).toMatchObject({
			status: 422,
			body: { message: 'This was saved by another version of the sandbox.' },
		});
		expect(everything()).toEqual(before);
	});
});

describe('webhook deliveries', () => {
	let receiver: Server;
	let waiting: ServerResponse[];
	let answered: number;

	beforeEach(async () => {
		waiting = [];
		answered = 0;
		receiver = createServer((_request, response) => void waiting.push(response)).listen(0, '127.0.0.1');
		await once(receiver, 'listening');
		tenant.registerWebhook({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` });
	});
	afterEach(async () => {
		receiver.closeAllConnections();
		receiver.close();
		await tenant.deliveriesSettled();
	});

	const announce = () =>
		tenant.must('POST', '/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
			from_automation: true,
		});
	const answerAll = async () => {
		for (const response of waiting.splice(0)) response.writeHead(200).end(`answer ${++answered}`);
		await tenant.deliveriesSettled();
	};

	test('one under way when a snapshot is loaded is not noted on another delivery of the same number', async () => {
		tenant.saveSnapshot('empty');
		await announce();
		await until(() => waiting[0], 'the first delivery is under way');
		tenant.loadSnapshot('empty');
		const url = tenant.store.webhooks.list()[0].url;
		const id = tenant.store.webhooks.addDelivery({
			webhook_id: 1,
			url,
			event: 'e',
			conversation_id: 2001,
			message_id: 1,
			body: '',
			attempt: 1,
			created_at: '',
		});
		await answerAll();
		expect(tenant.store.webhooks.findDelivery(id)).toMatchObject({ status: null, answer: null });
	});

	test('one under way before a reset is not noted on another delivery either', async () => {
		await announce();
		await until(() => waiting[0], 'the first delivery is under way');
		const [{ url }] = tenant.store.webhooks.list();
		await tenant.reset();
		tenant.registerWebhook({ url });
		await announce();
		await until(() => waiting[1], 'the second delivery is under way');
		waiting.shift()?.writeHead(500).end('of before the reset');
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(tenant.deliveries()).toMatchObject([{ status: null, answer: null }]);
		await answerAll();
		expect(tenant.deliveries()).toMatchObject([{ status: 200, answer: 'answer 1' }]);
	});

	test('one under way when the snapshot was saved does not stay under way', async () => {
		await announce();
		await until(() => waiting[0], 'the delivery is under way');
		tenant.saveSnapshot('busy');
		await answerAll();
		tenant.loadSnapshot('busy');
		expect(tenant.deliveries()).toMatchObject([
			{ status: null, error: 'It was under way when this was saved.', finished_at: expect.any(String) },
		]);
	});
});

describe('where snapshots are kept', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'))));
	afterEach(() => rmSync(folder, { recursive: true, force: true }));

	test('in the data folder they survive a restart', async () => {
		const first = await startTenant({ dataDir: folder });
		await first.must('POST', '/customers', customer('4915112345678'));
		first.saveSnapshot('kept');
		await first.reset();
		await first.close();
		const second = await startTenant({ dataDir: folder });
		expect(second.tenant.snapshots.list()).toMatchObject([{ name: 'kept' }]);
		second.loadSnapshot('kept');
		expect(second.store.counts().customers).toBe(4);
		await second.close();
		const store = openStore(folder);
		expect(store.counts().customers).toBe(4);
		store.close();
	});

	test('one whose file is damaged is refused, and the tenant stays as it is', async () => {
		const first = await startSandbox({ dataDir: folder });
		first.saveSnapshot('damaged');
		writeFileSync(join(folder, 'snapshots', 'damaged', 'sandbox.sqlite'), 'no database'.repeat(100));
		expect(() => first.loadSnapshot('damaged')).toThrow('This snapshot cannot be read: ');
		expect(first.store.counts().customers).toBe(3);
		await first.close();
	});

	test('in memory they are gone when it stops', async () => {
		const first = await startSandbox();
		first.saveSnapshot('a');
		const { folder: own } = first.store;
		await first.close();
		expect(() => readdirSync(own)).toThrow('ENOENT');
	});

	test('each tenant has its own', async () => {
		const other = await startSandbox();
		other.saveSnapshot('mine');
		expect(await names()).toEqual([]);
		await other.close();
	});
});
