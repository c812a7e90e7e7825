import { type Sandbox, startSandbox } from '../../sandbox/server.mts';
import { send } from '../http.mts';
import { ask } from './tenant.mts';

let sandbox: Sandbox;

beforeAll(async () => void (sandbox = await startSandbox({ controlToken: 'a-control-token-of-a-test' })));
afterAll(() => sandbox.close());

const health = (init?: Parameters<typeof ask>[1]) => ask(`${sandbox.url}/sandbox/health`, init);

test('it is answered without a token, and says nothing about the tenant', async () => {
	expect((await ask(`${sandbox.url}/sandbox`)).status).toBe(401);
	expect(await health()).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
	expect((await health()).body).toEqual({ status: 'ok' });
});

test('HEAD is answered too, which is what `wget --spider` sends', async () => {
	expect(await send(`${sandbox.url}/sandbox/health`, { method: 'HEAD' })).toMatchObject({
		status: 200,
		body: '',
	});
});

test('a foreign name is refused where there is no token, an address is not', async () => {
	const open = await startSandbox();
	const named = (host: string) => ask(`${open.url}/sandbox/health`, { headers: { host } });
	expect((await named('evil.example')).status).toBe(403);
	expect((await named('172.17.0.2:4010')).status).toBe(200);
	await open.close();
});

test('faults leave it alone', async () => {
	sandbox.faults.add({ kind: 'server-error' });
	expect((await health()).status).toBe(200);
});
