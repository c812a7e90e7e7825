import { PassThrough } from 'node:stream';

import { type IHttpRequestOptions, sleep } from 'n8n-workflow';

import { StreamingForm } from '../../nodes/CustomerMessaging/n8nInternals/streamingForm.ts';
import { broken, type Reply, type RunOptions, TenantInMemory } from '../context/tenantInMemory.mts';
import { told } from '../context/told.mts';
import { settled, VirtualTime } from '../context/virtualTime.mts';

const time = VirtualTime.inEachTest();
const tenant = TenantInMemory.inEachTest();
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(1));

/** An error as a person reads it, with what n8n keeps of it. */
interface Failure {
	message: string;
	description?: string;
	httpCode?: string;
	context: { outcome?: string };
}

const form = new StreamingForm();
form.append('type', 'image');

const GET: IHttpRequestOptions = { url: '/tags/1' };
const POST: IHttpRequestOptions = { method: 'POST', url: '/tags', body: { title: 'VIP' } };
const PATCH: IHttpRequestOptions = { method: 'PATCH', url: '/tags/1', body: { title: 'VIP' } };
const DELETE: IHttpRequestOptions = { method: 'DELETE', url: '/tags/1' };
const UPLOAD: IHttpRequestOptions = { method: 'POST', url: '/files/temporary-upload', body: form.asBody() };
const DETACH: IHttpRequestOptions = { method: 'DELETE', url: '/profiles/1/tags/2' };
const VERIFY: IHttpRequestOptions = { method: 'POST', url: '/user/7/verify-pin', body: { pin: 123456 } };

const refusal = (status: number, retryAfter?: string): Reply => ({
	status,
	headers: { 'retry-after': retryAfter },
	body: { message: 'No such thing' },
});
const DONE: Reply = { body: { data: { id: 1 } } };

/** Sends a request of a run of its own, and lets as much time pass as it takes. */
const send = async (options: IHttpRequestOptions, run: RunOptions = {}) =>
	await time.until(tenant.run(run)(3).api.send(options));

/** Why a request fails. */
async function failure(sending: Promise<unknown>): Promise<Failure> {
	const error: unknown = await time.until(sending.catch((caught: unknown) => ({ caught })));
	if (typeof error === 'object' && error !== null && 'caught' in error) return told(error.caught) as Failure;
	throw new Error('It did not fail');
}

describe('a request that fails is sent again', () => {
	const ALL: Array<[string, IHttpRequestOptions]> = [
		['a read', GET],
		['an update', PATCH],
		['a delete', DELETE],
		['a POST', POST],
		['an upload', UPLOAD],
	];

	it.each([
		['3600', '\nThe service asks to wait 3600 s.'],
		['86401', '\nThe service asks to wait 86401 s.'],
		['0', undefined],
		[undefined, undefined],
	])('and says for how long the service wants none, with Retry-After: %s', async (retryAfter, line) => {
		tenant.answerInTurn(refusal(429, retryAfter));
		const { description } = await failure(tenant.run()().api.send(GET));
		if (line) expect(description).toContain(line);
		else expect(description).not.toContain('asks to wait');
	});

	it.each<[string, number, posts: number, Reply | Error]>([
		['429 and a wait of a second', 10, 10, refusal(429, '1')],
		['503 and a wait of a second', 10, 1, refusal(503, '1')],
		['429 and no wait, with waits that double up to Try For', 9, 9, refusal(429, '0')],
		['429 and a wait beyond a day', 1, 1, refusal(429, '86401')],
		['503', 4, 1, refusal(503)],
		['a refused connection', 4, 4, broken('ECONNREFUSED', 'connect')],
		['a reset connection', 4, 1, broken('ECONNRESET')],
		['422', 1, 1, refusal(422)],
	])(
		'after %s: %i times in all where it can be repeated, else %i times',
		async (_what, repeated, posts, reply) => {
			for (const [name, options] of ALL) {
				tenant.answerInTurn(reply);
				tenant.asked.splice(0);
				await failure(tenant.run({ user: name })().api.send(options));
				const expected = options.method === 'POST' ? posts : repeated;
				const line = `${options.method ?? 'GET'} ${options.url}`;
				expect([name, tenant.requests]).toEqual([name, Array<string>(expected).fill(line)]);
				expect(tenant.asked.map(({ body }) => body)).toEqual(Array(expected).fill(options.body));
			}
		},
	);

	it.each([1, 2, 50])('at most as often as Maximum Tries says: %i', async (maximumTries) => {
		tenant.answerInTurn(refusal(429, '0'));
		const { httpCode } = await failure(send(UPLOAD, { advanced: { maximumTries, tryForSeconds: 3600 } }));
		expect(httpCode).toBe('429');
		expect(tenant.requests).toHaveLength(maximumTries);
	});

	it('until it succeeds', async () => {
		tenant.answerInTurn(refusal(429, '0'), broken('ECONNREFUSED', 'connect'), DONE);
		expect(await send(POST)).toMatchObject({ statusCode: 200, headers: {}, body: DONE.body });
		expect(tenant.requests).toHaveLength(3);
	});

	it.each<[string, Reply, number[]]>([
		['what the tenant asks for', refusal(429, '7'), [7000, 7000]],
		['twice as long each time where it says nothing', refusal(502), [500, 1000]],
		['twice as long each time where that is none', refusal(429, '0'), [500, 1000]],
	])('after a wait of %s', async (_what, reply, gaps) => {
		tenant.answerInTurn(reply);
		await failure(send(GET, { advanced: { maximumTries: 3 } }));
		expect(tenant.gaps).toEqual(gaps);
	});

	it.each([
		['within Try For', '1', 2, 2],
		['not up to Try For itself', '2', 2, 1],
		['not beyond it', '3600', 120, 1],
	])('%s, and waits for nothing else', async (_what, retryAfter, tryForSeconds, times) => {
		const begin = time.now;
		tenant.answerInTurn(refusal(429, retryAfter), DONE);
		await send(GET, { advanced: { tryForSeconds } }).catch(() => undefined);
		expect(tenant.requests).toHaveLength(times);
		expect(time.now - begin).toBe(times === 1 ? 0 : 1000 * Number(retryAfter));
	});
});

describe('a pause that the tenant asks for', () => {
	/** When another run's request goes out that is asked for a second after some were refused. */
	async function inTheMeantime(first: IHttpRequestOptions, refusals: number): Promise<number> {
		const advanced = { tryForSeconds: 3600 };
		const run = tenant.run({ advanced });
		const begin = time.now;
		const before = Array.from({ length: refusals }, async (_, item) => await run(item).api.send(first));
		const ended = Promise.allSettled(before);
		await time.pass(1000);
		await time.until(tenant.run({ advanced })().api.send({ url: '/tags/2' }));
		await time.until(ended);
		const { at = 0 } = tenant.asked.find(({ request: line }) => line === 'GET /tags/2') ?? {};
		return at - begin;
	}

	it.each([
		['429', refusal(429, '5'), 5000],
		['503 with a time', refusal(503, '5'), 5000],
		['503 without one, which is its own matter', refusal(503), 1000],
		['429 without one, where only the refused ones wait', refusal(429), 1000],
		['a pause of a minute', refusal(429, '60'), 60_000],
		['a longer one, of which the others find out whether it lasts', refusal(429, '61'), 60_000],
	])('in a row holds for all its requests: %s', async (_what, reply, expected) => {
		tenant.answerInTurn(...Array.from({ length: 6 }, () => reply), DONE);
		expect(await inTheMeantime(GET, 6)).toBe(expected);
	});

	it('once is of the refused request only', async () => {
		tenant.answerInTurn(refusal(429, '5'), DONE);
		expect(await inTheMeantime(GET, 1)).toBe(1000);
		expect(tenant.asked.map(({ at }) => at - tenant.asked[0].at)).toEqual([0, 1000, 5000]);
	});

	it('is not that of the check of a PIN, which has a limit of its own', async () => {
		tenant.answerInTurn(...Array.from({ length: 6 }, () => refusal(429, '3600')), DONE);
		expect(await inTheMeantime(VERIFY, 6)).toBe(1000);
	});

	it('of the check of a PIN is told as a lock, and ends it', async () => {
		tenant.answerInTurn({ status: 429, headers: {} }, DONE);
		expect(await failure(send(VERIFY))).toMatchObject({
			message: 'The service checks no PIN for now, after too many wrong PINs (HTTP 429)',
			description: expect.stringMatching(/^Wait before you try again/),
		});
		expect(tenant.requests).toHaveLength(1);
	});
});

describe('a delete that finds nothing', () => {
	it.each<[string, Array<Reply | Error>]>([
		['500', [refusal(500)]],
		['a broken connection', [broken('ECONNRESET')]],
		['no answer, and then a refusal for the pace', [broken('ECONNRESET'), refusal(429, '0')]],
		['502, and then a connection that was refused', [refusal(502), broken('ECONNREFUSED', 'connect')]],
	])('is done when a try before ended in %s', async (_what, before) => {
		tenant.answerInTurn(...before, refusal(404));
		expect(await send(DELETE)).toMatchObject({ statusCode: 200, headers: {}, body: '' });
		expect(tenant.requests).toEqual(Array(before.length + 1).fill('DELETE /tags/1'));
	});

	it.each<[string, IHttpRequestOptions, Reply[]]>([
		['nothing was tried before', DELETE, []],
		['the try before was refused, which deleted nothing', DELETE, [refusal(429, '0')]],
		['something attached should have been removed', DETACH, [refusal(500)]],
		['it was an update', PATCH, [refusal(500)]],
	])('is an error where %s', async (_what, options, before) => {
		tenant.answerInTurn(...before, refusal(404));
		expect(await failure(send(options))).toMatchObject({ httpCode: '404', message: 'No such thing' });
	});
});

describe('whether a request was carried out', () => {
	it.each<[string, IHttpRequestOptions, Reply | Error, 'unknown' | undefined]>([
		['an update that fails', PATCH, refusal(502), 'unknown'],
		['a delete that fails', DELETE, refusal(502), 'unknown'],
		['a POST that fails', POST, refusal(500), 'unknown'],
		['a POST that meets no answer', POST, broken('ECONNRESET'), 'unknown'],
		['a POST that never left', POST, broken('ECONNREFUSED', 'connect'), undefined],
		['a POST that is refused', POST, refusal(422), undefined],
		['a POST whose answer tells of a failure', POST, { body: { success: false, message: 'No' } }, undefined],
		['a read that fails', GET, refusal(502), undefined],
		['a read that meets no answer', GET, broken('ECONNRESET'), undefined],
	])('is told of %s', async (_what, options, reply, outcome) => {
		tenant.answerInTurn(reply);
		const { context, description } = await failure(send(options, { advanced: { maximumTries: 1 } }));
		expect(context.outcome).toBe(outcome);
		expect(description?.includes('may have been carried out: check in your account')).toBe(
			outcome === 'unknown',
		);
	});
});

describe('that an earlier try may have been carried out', () => {
	it.each<[string, IHttpRequestOptions, Array<Reply | Error>, number]>([
		['an update that comes too often then', PATCH, [broken('ECONNRESET'), refusal(429)], 2],
		['a delete that is not reached then', DELETE, [refusal(502), broken('ECONNREFUSED', 'connect')], 3],
		['an update whose turn comes too late then', PATCH, [broken('ETIMEDOUT'), refusal(429, '500')], 10],
	])('is told of %s', async (_what, options, replies, maximumTries) => {
		tenant.answerInTurn(...replies);
		const { context, description } = await failure(send(options, { advanced: { maximumTries } }));
		expect(context).toMatchObject({ outcome: 'unknown' });
		expect(description).toContain('may have been carried out: check in your account');
	});

	it.each<[string, IHttpRequestOptions, Array<Reply | Error>, string]>([
		['an update that is refused for what it says', PATCH, [broken('ECONNRESET'), refusal(422)], '422'],
		['a read', GET, [broken('ECONNRESET'), refusal(429)], '429'],
	])('is not told of %s', async (_what, options, replies, httpCode) => {
		tenant.answerInTurn(...replies);
		const { context, ...error } = await failure(send(options, { advanced: { maximumTries: 2 } }));
		expect(error).toMatchObject({ httpCode });
		expect(context.outcome).toBeUndefined();
	});
});

describe('the requests of executions at the same time', () => {
	it.each([1, 7])('share the limit of the tenant: never more than %i in flight', async (maximumInFlight) => {
		tenant.answer(async () => {
			await settled();
			return DONE;
		});
		const advanced = { maximumInFlight };
		const all = Array.from({ length: 30 }, async () => await tenant.run({ advanced })().api.send(GET));
		await time.until(Promise.all(all));
		expect(tenant.most).toBe(maximumInFlight);
		expect(tenant.requests).toHaveLength(30);
	});

	it('come again before those that have not had a turn', async () => {
		let isRefused = false;
		tenant.answer(async ({ request: line }) => {
			await sleep(400);
			if (isRefused || !line.endsWith('/0')) return DONE;
			isRefused = true;
			return refusal(429, '1');
		});
		const { api } = tenant.run({ advanced: { maximumInFlight: 1 } })();
		const urls = Array.from({ length: 20 }, (_, index) => `/tags/${index}`);
		await time.until(Promise.all(urls.map(async (url) => await api.send({ url }))));
		expect(tenant.requests.lastIndexOf('GET /tags/0')).toBeLessThan(8);
	});

	it('go to the tenant of their own credential, and a pause of one is none of the other', async () => {
		tenant.answer(({ request: line }) => (line.includes('globex') ? refusal(429, '3') : DONE));
		const globex = { tenantDomain: 'globex.example', advanced: { maximumTries: 1 } };
		for (const run of [{}, globex, {}]) await send(GET, run).catch(() => undefined);
		expect(tenant.requests).toEqual([
			'GET /tags/1',
			'GET https://globex.example/third-party/v1/tags/1',
			'GET /tags/1',
		]);
		expect(tenant.gaps).toEqual([0, 0]);
	});
});

describe('a request gives its place back', () => {
	const ONE = { advanced: { maximumInFlight: 1, maximumTries: 1, tryForSeconds: 10 } };

	/** Another request goes out at once, and no timer stays behind. */
	async function expectFree(): Promise<void> {
		const sent = tenant.requests.length;
		tenant.answer(() => DONE);
		await time.pass(0);
		await tenant.run(ONE)().api.send({ url: '/me' });
		expect(tenant.requests.slice(sent)).toEqual(['GET /me']);
		await time.pass(1000);
		expect(time.pending).toBe(0);
	}

	it.each<[string, Reply | Error]>([
		['a success', DONE],
		['a refusal', refusal(422)],
		['a server error', refusal(500)],
		['no answer', broken('ECONNRESET')],
		['a failure with the status of success', { body: { success: false } }],
		['something that is no error of the network', new TypeError('odd')],
	])('after %s', async (_what, reply) => {
		tenant.answerInTurn(reply);
		await send(POST, ONE).catch(() => undefined);
		await expectFree();
	});

	it.each(['ends', 'breaks off'])('when the download %s, and not before', async (how) => {
		const file = new PassThrough();
		tenant.answer(() => ({ body: file }));
		const { body, ended } = await tenant.run(ONE)().api.send({ url: '/files/u-1', encoding: 'stream' });
		expect(body).toBe(file);
		const next = tenant.run(ONE)().api.send({ url: '/me' });
		await time.pass(500);
		expect(tenant.requests).toEqual(['GET /files/u-1']);
		file.on('error', () => {});
		if (how === 'ends') file.resume().end('content');
		else file.destroy(new Error('The connection broke'));
		tenant.answer(() => DONE);
		await time.until(Promise.all([ended, next]));
		await expectFree();
	});

	it('when it is stopped at its turn, and sends nothing', async () => {
		const stop = new AbortController();
		let answer: (reply: Reply) => void = () => {};
		tenant.answer(async () => await new Promise<Reply>((resolve) => (answer = resolve)));
		const first = tenant.run(ONE)().api.send(GET);
		await settled();
		const second = failure(
			tenant
				.run({ ...ONE, stop: stop.signal })()
				.api.send(POST),
		);
		await time.pass(100);
		stop.abort();
		expect((await second).message).toBe('The execution was stopped; nothing was sent');
		answer(DONE);
		await time.until(first);
		expect(tenant.requests).toEqual(['GET /tags/1']);
		await expectFree();
	});

	it('when it is late at its turn, and says so', async () => {
		let answer: (reply: Reply) => void = () => {};
		tenant.answer(async () => await new Promise<Reply>((resolve) => (answer = resolve)));
		const first = tenant.run(ONE)().api.send(GET);
		await settled();
		expect(await failure(tenant.run(ONE)(2).api.send(POST))).toMatchObject({
			message: 'Other requests to the service took longer than 10 s',
			description:
				'Nothing was sent. Run fewer items at once, or let it wait longer: Try For (Seconds) in the credential is 10.',
		});
		answer(DONE);
		await time.until(first);
		expect(tenant.requests).toEqual(['GET /tags/1']);
		await expectFree();
	});

	it('when the tenant takes none in time, and says for how long', async () => {
		tenant.answerInTurn(refusal(429, '40'));
		for (let refusals = 0; refusals < 6; refusals++) await failure(send(GET, ONE));
		await time.pass(1000);
		expect(await failure(send(GET, ONE))).toMatchObject({
			message: 'The service takes no requests for another 39 s',
			description:
				'Nothing was sent. Run it again later, or let it wait longer: Try For (Seconds) in the credential is 10.',
		});
		expect(tenant.requests).toHaveLength(6);
		await time.pass(39_000);
		await expectFree();
	});
});

describe('what is told of the waits', () => {
	it('is how often the request was tried', async () => {
		tenant.answerInTurn(refusal(429, '1'));
		const { description } = await failure(send(GET, { advanced: { maximumTries: 3 } }));
		expect(description).toMatch(/\nThe service asks to wait 1 s\.\nIt was tried 3 times\.$/);
	});

	it('is summed up for the run', async () => {
		tenant.answerInTurn(...Array.from({ length: 6 }, () => refusal(429, '2')), DONE);
		const run = tenant.run({ advanced: { maximumInFlight: 6 } });
		await time.until(Promise.all([0, 1, 2, 3, 4, 5, 6].map(async (item) => await run(item).api.send(GET))));
		expect(run().api.waited).toEqual({ requests: 7, milliseconds: 14_000 });
	});
});

describe('after its run has failed, or was stopped', () => {
	it.each([
		['Too Many Requests', refusal(429, '1')],
		['a server error', refusal(503)],
		['a server error with a time', refusal(503, '1')],
	])('a request is not sent again: %s', async (_what, reply) => {
		for (const way of ['failed', 'stopped']) {
			const stop = new AbortController();
			const context = tenant.run({ stop: stop.signal, user: way })();
			tenant.asked.splice(0);
			tenant.answerInTurn(reply);
			const failing = failure(context.api.send(PATCH));
			await time.pass(0);
			if (way === 'failed') context.api.end();
			else stop.abort();
			expect(await failing).toMatchObject({ message: 'No such thing' });
			await time.pass(60_000);
			expect(tenant.requests).toEqual(['PATCH /tags/1']);
			expect(time.pending).toBe(0);
		}
	});

	it('nothing is sent', async () => {
		const { api } = tenant.run()();
		api.end();
		expect((await failure(api.send(GET))).message).toBe('The execution was stopped; nothing was sent');
		expect(tenant.requests).toEqual([]);
	});
});
