import { doors, type House, openHouse } from './doors.mts';
jest.setTimeout(120_000);
let house: House;
beforeAll(async () => { house = await openHouse(); }, 180_000);
beforeEach(async () => await house.sandbox.reset());
afterAll(async () => await house?.stop(), 60_000);
const byId = (value: string) => ({ __rl: true, mode: 'id', value });
const kinds = [
 { name: 'write', values: { title: 'Through a door' }, parameters: (g: any) => ({ resource: 'tag', operation: 'create', title: g('title') }) },
 { name: 'list', values: {}, parameters: (g: any) => ({ resource: 'tag', operation: 'getAll', returnAll: false, limit: 2 }) },
 { name: 'bulk', values: { phone: '491710000001', name: 'Nora' }, parameters: (g: any) => ({ resource: 'customer', operation: 'bulkImport', columns: { mappingMode: 'defineBelow', value: { displayId: g('phone'), name: g('name') } } }) },
 { name: 'send', values: { text: 'Hello' }, parameters: (g: any) => ({ resource: 'message', operation: 'send', conversationId: '1', messageType: 'text', text: g('text') }) },
 { name: 'failing', values: { tag: 'first' }, parameters: (g: any) => ({ resource: 'tag', operation: 'get', tagId: byId(g('tag')) }) },
 { name: 'failing bulk', values: { ids: '1,x' }, parameters: (g: any) => ({ resource: 'customer', operation: 'bulkDelete', customerIds: g('ids') }) },
 { name: 'expr', values: { operation: 'getAll' }, parameters: (g: any) => ({ resource: 'tag', operation: g('operation') }) },
 { name: 'expr resource', values: { resource: 'tag' }, parameters: (g: any) => ({ resource: g('resource'), operation: 'getAll' }) },
];
const only = process.env.ONLY_KIND;
const cells = doors.flatMap((door) => kinds.filter((k) => !only || only.split(',').includes(k.name)).map((kind) => ({ door, kind })));
it.each(cells)('$door.name: $kind.name', async ({ door, kind }) => {
	const started = Date.now();
	let o: unknown;
	try { o = await door.run(house, kind); } catch (e) { o = String(e); }
	const sent = house.sandbox.requests().map(({ method, path, query, body }) => [method, path, query, Buffer.from(body, 'base64').toString()]);
	require('node:fs').appendFileSync('/tmp/doors.out', JSON.stringify({ door: door.name, kind: kind.name, ms: Date.now() - started, o, sent }) + '\n');
});
