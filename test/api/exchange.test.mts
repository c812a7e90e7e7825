import { getEventListeners } from 'node:events';
import { PassThrough, Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { StreamingForm } from '../../nodes/CustomerMessaging/n8nInternals/streamingForm.ts';
import { Api } from '../../nodes/CustomerMessaging/api/client.ts';
import { broken, type RunOptions, TenantInMemory } from '../context/tenantInMemory.mts';
import { told } from '../context/told.mts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();

const HALTED = 'The response of the service came to a halt';
const SECOND = 1000;
const HOUR = 3_600 * SECOND;

/** Some time within an exchange. */
const MEANWHILE = 250;

const GET: IHttpRequestOptions = { url: '/tags/1' };
const POST: IHttpRequestOptions = { method: 'POST', url: '/tags', body: { title: 'VIP' } };
const DOWNLOAD: IHttpRequestOptions = { url: '/files/u-1', encoding: 'stream' };
const UPLOAD: IHttpRequestOptions = {
	method: 'POST',
	url: '/files/temporary-upload',
	body: new StreamingForm().asBody(),
};

/** A request of a run of its own, with one try. */
const send = async (options: IHttpRequestOptions, advanced: IDataObject = {}, run: RunOptions = {}) =>
	await tenant
		.run({ advanced: { maximumTries: 1, tryForSeconds: 3600, ...advanced }, ...run })()
		.api.send(options);

/** n8n's client waits for an answer, until it is told not to. */
const hang = async (_asked: unknown, { abortSignal }: IHttpRequestOptions) =>
	await new Promise<never>((_resolve, reject) => {
		abortSignal?.addEventListener?.('abort', () => reject(broken('ERR_CANCELED')));
	});

/** The answer whose content the test writes. */
function streaming(status = 200): PassThrough {
	const body = new PassThrough({ highWaterMark: 1 });
	body.on('error', () => {});
	tenant.answer(() => ({ status, body }));
	return body;
}

/** How a request ends: with an error after some time. */
async function ending(sending: Promise<unknown>) {
	const startedAt = time.now;
	const error: unknown = await time.until(
		sending.then(
			() => undefined,
			(caught: unknown) => caught,
		),
	);
	return { error: told(error ?? 'none'), after: time.now - startedAt };
}

/** Nothing of an exchange is left. */
async function expectAllGivenBack(body?: PassThrough): Promise<void> {
	if (body) expect(body.destroyed).toBe(true);
	await time.pass(SECOND);
	expect(time.pending).toBe(0);
}

describe('what n8n is asked for', () => {
	it('is the whole answer as a stream, whatever its status, without redirects', async () => {
		let given: Partial<IHttpRequestOptions> = {};
		tenant.answer((_asked, options) => {
			given = options;
			return {};
		});
		await time.until(send({ ...POST, headers: { Accept: 'text/yaml' } }));
		expect(given).toEqual({
			method: 'POST',
			url: 'https://acme.example/third-party/v1/tags',
			qs: undefined,
			body: { title: 'VIP' },
			headers: { Accept: 'text/yaml' },
			json: true,
			timeout: 300_000,
			abortSignal: expect.anything(),
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
	});
});

describe('an answer', () => {
	/** What is read of an answer whose content comes in these pieces. */
	async function read(pieces: Iterable<string | Buffer>, status = 200): Promise<unknown> {
		const body = streaming(status);
		const reading = send(GET);
		await settled();
		for (const piece of pieces) body.write(piece);
		body.end();
		return (await time.until(reading)).body;
	}

	it('is read whole, also where a letter comes in two pieces', async () => {
		const text = Buffer.from('\ufeff{"data":{"id":42,"title":"Größe 😀"}}');
		expect(await read(Array.from(text, (byte) => Buffer.from([byte])))).toEqual({
			data: { id: 42, title: 'Größe 😀' },
		});
		await expectAllGivenBack();
	});

	it.each<[string, unknown]>([
		['', ''],
		['\ufeffnull', null],
		['openapi: 3.1.0', 'openapi: 3.1.0'],
		['{"data": {"id": 1, "tit', '{"data": {"id": 1, "tit'],
	])('that is %j is read as %j', async (text, content) => {
		expect(await read([text])).toEqual(content);
	});

	it.each([200, 201, 202, 299])('with status %i is a success', async (status) => {
		expect(await read(['{"id":1}'], status)).toEqual({ id: 1 });
	});

	it.each([300, 304, 400])('with status %i is none', async (status) => {
		const { error } = await ending(read(['{}'], status));
		expect(error).toMatchObject({ httpCode: String(status) });
	});

	const MEGABYTE = 1024 * 1024;
	function* pieces(length: number) {
		for (let rest = length; rest > 0; rest -= MEGABYTE) yield 'x'.repeat(Math.min(rest, MEGABYTE));
	}

	it('may have 32 MB', async () => {
		expect(String(await read(pieces(32 * MEGABYTE)))).toHaveLength(32 * MEGABYTE);
	});

	/** Lets a request meet an answer. */
	async function meet(options: IHttpRequestOptions, given: Iterable<string | Buffer>) {
		const body = streaming();
		const sending = send(options);
		sending.catch(() => {});
		await settled();
		for (const piece of given) if (!body.destroyed) body.write(piece);
		body.end();
		return { sending, body };
	}

	it.each([
		['a read', GET, undefined],
		['a write', POST, 'unknown'],
	])(
		'that is larger than 32 MB is read no further, and says what to do: %s',
		async (_what, options, outcome) => {
			const { sending, body } = await meet(options, pieces(32 * MEGABYTE + 1));
			const { error } = await ending(sending);
			expect(error.message).toBe('The response of the service is larger than 32 MB');
			expect(error.description).toMatch(
				outcome ? /may have been carried out/ : /^Ask for less at once: set a Limit or a filter \(E2BIG\)\.$/,
			);
			expect(error.context?.outcome).toBe(outcome);
			await expectAllGivenBack(body);
		},
	);

	it('in another character set loses its letters, as in n8n’s own nodes', async () => {
		expect(await read([Buffer.from('{"title":"Größe"}', 'latin1')])).toEqual({ title: 'Gr\ufffd\ufffde' });
	});

	it.each<[string, string, BufferEncoding]>([
		['in another character set', '<html>Zugang für alle', 'latin1'],
		['behind blanks', '\r\n <!doctype html>', 'utf8'],
	])('that is a page %s is named as one', async (_what, page, encoding) => {
		for (const [options, outcome] of [
			[GET, undefined],
			[POST, 'unknown'],
		] as const) {
			const { error } = await ending((await meet(options, [Buffer.from(page, encoding)])).sending);
			expect(error.message).toBe('The service answered with a page in place of JSON (HTTP 200)');
			expect(error.context?.outcome).toBe(outcome);
		}
	});

	it('that reports a failure with a status of success is a refusal, in its words', async () => {
		const { sending } = await meet(POST, [JSON.stringify({ success: false, message: 'No such tag' })]);
		const { error } = await ending(sending);
		expect(error.message).toBe('No such tag');
		expect(error.context?.outcome).toBeUndefined();
	});

	it.each<[string, unknown, unknown]>([
		['a wrapped record', { data: { id: 1 } }, { id: 1 }],
		['a wrapped list', { data: [{ id: 1 }] }, [{ id: 1 }]],
		['a wrapped nothing', { data: null }, null],
		['a wrapped record beside an ID', { id: 'answer-7', data: { id: 1 } }, { id: 1 }],
		['a bare record', { id: 1, title: 'VIP' }, { id: 1, title: 'VIP' }],
		['a record under another member', { tag: { id: 1 } }, { tag: { id: 1 } }],
		['a bare list', [{ id: 1 }], [{ id: 1 }]],
		['null', null, null],
	])('has its content in %s', async (_, body, content) => {
		tenant.answer(() => ({ body: Readable.from([Buffer.from(JSON.stringify(body))]) }));
		expect(await time.until(send(GET))).toMatchObject({ body, content });
	});

	it.each(['openapi: 3.1.0', ''])('of text is its content: "%s"', async (body) => {
		tenant.answer(() => ({ body: Readable.from([Buffer.from(body)]) }));
		expect(await time.until(send(GET))).toMatchObject({ body, content: body });
	});

	it.each([
		['a read', GET, undefined],
		['a write', POST, 'unknown'],
	])('that breaks off is none: %s', async (_what, options, outcome) => {
		const body = streaming();
		const reading = ending(send(options));
		await settled();
		body.write('{"data":{"id":1');
		body.destroy();
		const { error } = await reading;
		expect(error.message).toBe('The service did not answer');
		expect(error.context?.outcome).toBe(outcome);
		await expectAllGivenBack(body);
	});
});

describe('an exchange ends within its time', () => {
	const shortly = { timeout: 700 };

	it.each([
		['a read', GET, undefined],
		['a write', POST, 'unknown'],
	])('where the answer never begins: %s', async (_what, options, outcome) => {
		tenant.answer(hang);
		const { error, after } = await ending(send(options, shortly));
		expect(error.message).toBe('The service did not answer');
		expect(error.context?.outcome).toBe(outcome);
		expect(after).toBe(700);
		await expectAllGivenBack();
	});

	it.each([
		['a read', GET, undefined],
		['a write', POST, 'unknown'],
	])('where the answer stalls after its headers, and within: %s', async (_what, options, outcome) => {
		for (const beginning of ['', '{"data":']) {
			const body = streaming();
			body.write(beginning);
			const { error, after } = await ending(send(options, shortly));
			expect(error.message).toBe(HALTED);
			expect(error.context?.outcome).toBe(outcome);
			expect(after).toBe(700);
			await expectAllGivenBack(body);
		}
	});

	it('where the answer drips', async () => {
		const body = streaming();
		const reading = ending(send(GET, shortly));
		for (let at = 0; at < 700; at += 100) {
			await time.pass(100);
			body.write(' ');
		}
		expect((await reading).error.message).toBe(HALTED);
		await expectAllGivenBack(body);
	});

	it('which is five minutes unless the credential says otherwise, and at most half a minute in the editor', async () => {
		tenant.answer(hang);
		expect((await ending(send(GET))).after).toBe(300 * SECOND);
		for (const [timeout, seconds] of [
			['', 30],
			[60 * SECOND, 30],
			[5 * SECOND, 5],
		] as const) {
			const { getCredentials, getNode, helpers } = tenant.run({
				user: 'in the editor',
				advanced: { timeout },
			})();
			const { after } = await ending(new Api({ getCredentials, getNode, helpers } as never).send(GET));
			// Two tries, and the wait between.
			expect([after >= seconds * SECOND, after < (2 * seconds + 2) * SECOND]).toEqual([true, true]);
		}
	});

	it('is a minute of silence for an answer that has begun', async () => {
		const body = streaming();
		body.write('{');
		expect((await ending(send(GET))).after).toBe(60 * SECOND);
		await expectAllGivenBack(body);
	});
});

describe('a download', () => {
	/** Begins a download, and lets it flow. */
	async function begin(advanced: IDataObject = {}) {
		const body = streaming();
		const answer = await time.until(send(DOWNLOAD, advanced));
		expect(answer.body).toBe(body);
		const errors: Error[] = [];
		body.on('error', (error) => errors.push(error));
		body.resume();
		return { body, errors };
	}

	it('may take longer than the time for an answer, as long as it goes on', async () => {
		const { body, errors } = await begin({ timeout: 700 });
		for (let piece = 0; piece < 20; piece++) {
			body.write('x');
			await time.pass(500);
		}
		body.end();
		await settled();
		expect([body.destroyed, errors]).toEqual([true, []]);
		await expectAllGivenBack(body);
	});

	it('waits for whoever reads it: only the silence of the service counts', async () => {
		const body = streaming();
		await time.until(send(DOWNLOAD));
		body.write('content');
		await time.pass(10 * 60 * SECOND);
		expect(body.destroyed).toBe(false);
		body.resume().end();
		await settled();
		await expectAllGivenBack(body);
	});

	it('that stalls ends after a minute', async () => {
		const { body, errors } = await begin();
		body.write('part');
		await time.pass(59 * SECOND);
		expect(errors).toEqual([]);
		await time.pass(1.5 * SECOND);
		expect(errors).toMatchObject([{ code: 'EHALTED' }]);
		await expectAllGivenBack(body);
	});

	it('ends after an hour at the latest', async () => {
		const { body, errors } = await begin();
		for (let at = 0; at < HOUR; at += 50 * SECOND) {
			expect(errors).toEqual([]);
			body.write('x');
			await time.pass(50 * SECOND);
		}
		await time.pass(SECOND);
		expect(errors).toMatchObject([{ code: 'EHALTED' }]);
		await expectAllGivenBack(body);
	});

	it('may have 2 GB, and no more', async () => {
		// Only the lengths of its pieces count.
		jest.spyOn(PassThrough.prototype, 'push').mockReturnValue(true);
		const { body, errors } = await begin();
		const push = (length: number) => body.push({ length } as never);
		push(2 * 1024 ** 3);
		await settled();
		expect(errors).toEqual([]);
		push(1);
		await settled();
		expect(errors).toMatchObject([{ code: 'EFBIG' }]);
		await expectAllGivenBack(body);
	});

	it('is closed by whoever does not read it to its end', async () => {
		const body = streaming();
		const { close } = await time.until(send(DOWNLOAD));
		body.on('error', () => {});
		close?.();
		await expectAllGivenBack(body);
	});

	it('that is refused gives the service’s words, not a file', async () => {
		for (const status of [300, 404]) {
			const body = streaming(status);
			const reading = ending(send(DOWNLOAD));
			await settled();
			body.end('{"message":"No such file"}');
			expect((await reading).error).toMatchObject({ message: 'No such file', httpCode: String(status) });
			await expectAllGivenBack(body);
		}
	});
});

it.each([
	[{}, 3600],
	[{ timeout: 700 }, 3600],
	[{ timeout: 2 * HOUR }, 7200],
])('an upload with %j may take %i seconds', async (advanced, seconds) => {
	tenant.answer(hang);
	const { error, after } = await ending(send(UPLOAD, advanced));
	expect(error).toMatchObject({ message: 'The service did not answer', context: { outcome: 'unknown' } });
	expect(after).toBe(seconds * SECOND);
	await expectAllGivenBack();
});

describe('a stopped execution ends its exchanges', () => {
	it.each<[string, IHttpRequestOptions, begun: boolean]>([
		['that waits for an answer', GET, false],
		['within an answer', GET, true],
		['within an upload', UPLOAD, false],
		['within a write', POST, true],
	])('%s', async (_what, options, begun) => {
		const stop = new AbortController();
		const body = begun ? streaming() : undefined;
		if (!begun) tenant.answer(hang);
		const sending = send(options, {}, { stop: stop.signal });
		sending.catch(() => {});
		await time.pass(MEANWHILE);
		body?.write('{"data":');
		stop.abort();
		const { error, after } = await ending(sending);
		expect(error.message).toBe('The execution was stopped during the request');
		expect(after).toBe(0);
		await expectAllGivenBack(body);
	});

	it('within a download', async () => {
		const stop = new AbortController();
		const body = streaming();
		await time.until(send(DOWNLOAD, {}, { stop: stop.signal }));
		body.resume().write('part');
		stop.abort();
		await expectAllGivenBack(body);
	});

	it('and does not hear of those that are over', async () => {
		const stop = new AbortController();
		const ends = [async () => ({}), async () => await Promise.reject(broken('ECONNRESET'))];
		for (const end of ends) {
			tenant.answer(end);
			await ending(send(GET, {}, { stop: stop.signal }));
			expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
		}
	});
});
