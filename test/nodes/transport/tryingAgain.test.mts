import { editorOf, runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';
import { TlsTenant } from '../../engine/tlsTenant.mts';

const odd = OddTenant.inEachTest();
const tls = TlsTenant.inEachTest();

type Handler = Parameters<OddTenant['answer']>[0];

const get = { resource: 'tag', operation: 'get', tagId: byId(1) };
const remove = { resource: 'tag', operation: 'delete', tagId: byId(1) };
const update = { resource: 'tag', operation: 'update', tagId: byId(1), title: 'VIP' };
const detach = { resource: 'profile', operation: 'removeTag', profileId: byId(1), tagId: byId(2) };

const status = (code: number, headers = {}): Handler => {
	return async (_request, reply) =>
		await reply.code(code).headers(headers).send({ message: 'No such thing' });
};
const drop: Handler = (request, reply) => {
	reply.hijack();
	request.raw.socket.destroy();
};
const AT_ONCE = { 'retry-after': '0' };

/** Answers in turn, and the same as the last from then on. */
function inTurn(...handlers: Handler[]) {
	let asked = 0;
	odd.answer(
		async (request, reply) => await handlers[Math.min(asked++, handlers.length - 1)](request, reply),
	);
}

const run = async (parameters: object, requestLimits = {}) =>
	await runNode({ parameters: { ...parameters, requestLimits }, credentials: odd.credentials });

describe('a delete that finds nothing', () => {
	it.each<[string, Handler]>([
		['500', status(500, AT_ONCE)],
		['502', status(502, AT_ONCE)],
		['a broken connection', drop],
	])('is done when the try before ended in %s, which may have deleted the record', async (_, before) => {
		inTurn(before, status(404));
		const { items, error } = await run(remove);
		expect(error).toBeUndefined();
		expect(items).toMatchObject([{ json: { id: 1, deleted: true } }]);
		expect(odd.asked).toEqual(['DELETE /third-party/v1/tags/1', 'DELETE /third-party/v1/tags/1']);
	});

	it('is an error when the try before was refused, which deleted nothing', async () => {
		inTurn(status(429, AT_ONCE), status(404));
		const { error } = await run(remove);
		expect(error).toMatchObject({ httpCode: '404', message: 'No such thing' });
	});

	it('is an error when something attached should have been removed', async () => {
		inTurn(status(500, AT_ONCE), status(404));
		expect((await run(detach)).error).toMatchObject({ httpCode: '404' });
	});

	it('is an error when it was an update', async () => {
		inTurn(status(500, AT_ONCE), status(404));
		expect((await run(update)).error).toMatchObject({ httpCode: '404' });
	});
});

describe('a write of which nobody knows whether it was carried out', () => {
	it.each([
		['PATCH', update],
		['DELETE', remove],
	])('says so after the last try: %s', async (_, parameters) => {
		inTurn(status(502, AT_ONCE));
		const { error } = await run(parameters, { maximumTries: 2 });
		expect(odd.asked).toHaveLength(2);
		expect(error?.context.outcome).toBe('unknown');
		expect(error?.description).toContain('may have been carried out: check in the tenant');
	});

	it.each([
		['PATCH', update],
		['DELETE', remove],
	])('says so when the connection broke: %s', async (_, parameters) => {
		inTurn(drop);
		const { error } = await run(parameters, { maximumTries: 1 });
		expect(error?.context.outcome).toBe('unknown');
		expect(error?.description).toBe(
			'The request may have been carried out: check in the tenant before you send it again. (ECONNRESET)',
		);
	});

	it('is none when the service refused it', async () => {
		inTurn(status(422));
		expect((await run(update)).error?.context.outcome).toBeUndefined();
	});

	it('is none when it was a read', async () => {
		inTurn(status(502));
		const { error } = await run(get, { maximumTries: 1 });
		expect(error?.context.outcome).toBeUndefined();
		expect(error?.description).not.toContain('carried out');
	});
});

describe('how long it goes on', () => {
	it.each([
		['within Try For', '1', 3, 2],
		['not beyond Try For', '2', 1, 1],
		['not up to Try For itself', '1', 1, 1],
	])('%s', async (_, retryAfter, tryForSeconds, asked) => {
		inTurn(status(429, { 'retry-after': retryAfter }), async () => ({ data: { id: 1 } }));
		const { error } = await run(get, { tryForSeconds });
		expect(odd.asked).toHaveLength(asked);
		expect(error === undefined).toBe(asked === 2);
	});

	it('is four tries where the service does not say when to come back', async () => {
		inTurn(status(502));
		await run(get, { tryForSeconds: 20 });
		expect(odd.asked).toHaveLength(4);
	});

	it('is ten tries where it does', async () => {
		inTurn(status(502, AT_ONCE));
		await run(get);
		expect(odd.asked).toHaveLength(10);
	});

	it('is two tries while a person waits in the editor', async () => {
		inTurn(status(502, AT_ONCE));
		const { methods, context } = await editorOf({ parameters: get, credentials: odd.credentials });
		await expect(methods.listSearch?.searchTags.call(context)).rejects.toThrow('No such thing');
		expect(odd.asked).toHaveLength(2);
	});

	it('is one try where the certificate is not trusted, since it will not be the next time', async () => {
		const { error } = await runNode({
			parameters: get,
			credentials: { tenantDomain: tls.url, accessToken: 'secret-token' },
		});
		expect(error?.message).toBe("The tenant's certificate is not trusted");
		expect(tls.connections).toBe(1);
		expect(tls.asked).toEqual([]);
	});
});

describe('Page Delay', () => {
	const getAll = { resource: 'profile', operation: 'getAll', returnAll: true };

	async function timesOfPages(pageDelay?: number): Promise<number[]> {
		const at: number[] = [];
		odd.answer(() => {
			at.push(Date.now());
			return { data: [{ id: at.length }], current_page: at.length, last_page: 3 };
		});
		const { items } = await run(getAll, pageDelay === undefined ? {} : { pageDelay });
		expect(items).toHaveLength(3);
		return [...at, Date.now()];
	}

	it('is waited between pages, not behind the last', async () => {
		const [first, second, third, end] = await timesOfPages(600);
		expect(second - first).toBeGreaterThanOrEqual(599);
		expect(third - second).toBeGreaterThanOrEqual(599);
		expect(end - third).toBeLessThan(550);
	});

	it('is none unless it is set', async () => {
		const [first, , , end] = await timesOfPages();
		expect(end - first).toBeLessThan(590);
	});
});
