import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { failureOfCredentialTest } from '../engine/credentialTest.mts';
import { editorOf, runNode } from '../engine/engine.mts';
import { leaksIn, leaksOfRun, LogWatch } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { pixelBinary } from '../engine/pixel.mts';
import { RawServer } from '../engine/rawServer.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { byId } from '../engine/tenant.mts';
import { TlsTenant } from '../engine/tlsTenant.mts';

const odd = OddTenant.inEachTest();
const raw = RawServer.inEachTest();
const tls = TlsTenant.inEachTest();
const log = LogWatch.inEachTest();

/** Looks different in each spelling, and is a header's value all the same. */
const TOKEN = '12|Zx+"k\\9/tenant=token';

const withToken = (tenantDomain = odd.url, accessToken = TOKEN): ICredentialDataDecryptedObject => ({
	tenantDomain,
	accessToken,
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

type Handler = Parameters<OddTenant['answer']>[0];
const answering =
	(status: number, body: unknown, type = 'application/json', headers = {}): Handler =>
	(_request, reply) =>
		reply
			.code(status)
			.type(type)
			.headers({ 'retry-after': '0', ...headers })
			.send(type === 'application/json' ? JSON.stringify(body) : body);

const drop: Handler = (request, reply) => {
	reply.hijack();
	request.raw.socket.destroy();
};

const REFUSAL = { message: `The token ${TOKEN} is no good`, errors: { [TOKEN]: [`Bearer ${TOKEN}`] } };
const create: INodeParameters = { resource: 'tag', operation: 'create', title: 'VIP' };

/** The ways in which a request fails, each with where the tenant is, and what Advanced holds. */
const FAILURES: Array<[string, (() => Handler | string) | undefined, INodeParameters?]> = [
	['a refusal that repeats it', () => answering(401, REFUSAL)],
	['a failure that repeats it', () => answering(500, REFUSAL)],
	[
		'a refusal that repeats it as URLs, JSON and Base64 write it',
		() =>
			answering(422, {
				message: `Not ${encodeURIComponent(TOKEN)}, ${JSON.stringify(TOKEN)}, ${base64(TOKEN)}`,
				errors: {
					[JSON.stringify(TOKEN)]: [`Bearer ${new URLSearchParams({ TOKEN })}`, base64(`a${TOKEN}`)],
				},
			}),
	],
	['a text', () => answering(422, `No: ${TOKEN}`, 'text/plain')],
	['a page', () => answering(503, `<p>${TOKEN}`, 'text/html')],
	[
		'a header',
		() => answering(401, {}, 'application/json', { 'www-authenticate': `Bearer error="${TOKEN}"` }),
	],
	['a member that nobody reads', () => answering(422, { request: { headers: [TOKEN] } })],
	['a page with the status of success', () => answering(200, `<p>Log in: ${TOKEN}`, 'text/html')],
	['JSON that is cut off', () => answering(422, `{"data": {"title": "${TOKEN}`, 'text/plain')],
	[
		'a redirect',
		() => answering(302, TOKEN, 'text/plain', { location: `${odd.url}/?token=${encodeURIComponent(TOKEN)}` }),
	],
	['a connection that is closed', () => drop],
	['a time-out', () => async () => await new Promise(() => {}), { timeout: 50 }],
	[
		'no HTTP',
		() => {
			raw.answer((socket, request) => socket.end(request));
			return raw.url;
		},
	],
	[
		'a broken header',
		() => {
			raw.answer((socket, request) => socket.end(`HTTP/1.1 200 OK\r\n${request}`));
			return raw.url;
		},
	],
	['an address where nothing listens', () => REFUSED_ADDRESS],
	['an unknown host', () => 'tenant.invalid'],
	['a certificate that nobody vouches for', () => tls.url],
	['a proxy that is not there', undefined, { proxy: REFUSED_ADDRESS }],
	['a proxy that is none', undefined, { proxy: 'nowhere' }],
	['a tenant with a path', () => `acme.example.com/${TOKEN}`],
	['a tenant with a login', () => `https://${TOKEN}@acme.example.com`],
	['a token in place of the tenant', () => TOKEN],
];

/** Arranges how a request fails. @returns where the tenant is */
function arranged(way: (() => Handler | string) | undefined): string {
	const answer = way?.() ?? answering(500, {});
	if (typeof answer === 'string') return answer;
	odd.answer(answer);
	return odd.url;
}

it.each<(typeof FAILURES)[number] | [...(typeof FAILURES)[number], INodeParameters]>([
	...FAILURES,
	['an expression that fails', undefined, {}, { title: '={{ $json.missing.trim() }}' }],
])('a run keeps the token to itself after %s', async (_what, way, advanced = {}, more = {}) => {
	const credentials = withToken(arranged(way));
	const parameters = { ...create, advanced: { maximumTries: 1, ...advanced }, ...more };
	for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
		const run = await runNode({ credentials, parameters, onError });
		const failed = [run.error, ...run.errorItems, ...run.items.filter(({ json }) => 'error' in json)];
		expect(failed.filter(Boolean)).toHaveLength(1);
		expect(leaksOfRun(run, TOKEN, log)).toEqual([]);
	}
});

it.each([
	['with a line break', `${TOKEN}\nx`],
	['with letters that no header can hold', `${TOKEN}x日本`],
	['behind the word Bearer, which comes back without it', `Bearer ${TOKEN}`],
])('a token that was pasted %s is kept too', async (_what, accessToken) => {
	odd.answer(
		async ({ headers }, reply) =>
			await reply.code(401).send({ message: `Unknown: ${headers.authorization}, or ${TOKEN}` }),
	);
	const run = await runNode({ credentials: withToken(odd.url, accessToken), parameters: create });
	expect(run.error).toBeDefined();
	expect(leaksOfRun(run, TOKEN, log)).toEqual([]);
});

it.each<[string, Handler]>([
	['a refusal', answering(401, REFUSAL)],
	['a page', answering(200, `<p>${TOKEN}`, 'text/html')],
	['a closed connection', drop],
])('the editor keeps the token to itself after %s', async (how, answer) => {
	odd.answer(answer);
	const parameters = {
		...{ resource: 'profile', operation: 'update', profileId: byId(1) },
		...{ templateName: byId('opening_hours'), templateLanguage: 'en_US' },
	};
	const { methods } = await editorOf({ parameters, credentials: withToken() });
	const { listSearch = {}, loadOptions = {}, resourceMapping = {} } = methods;
	const asked = Object.values({ ...listSearch, ...loadOptions, ...resourceMapping });
	const results = await Promise.all(
		asked.map(async (method) => {
			const { context } = await editorOf({ parameters, credentials: withToken() });
			return await (method as typeof loadOptions.x).call(context).catch((error: Error) => error);
		}),
	);
	if (how !== 'a page') expect(results.some((result) => result instanceof Error)).toBe(true);
	expect(leaksIn([results, log.lines], TOKEN)).toEqual([]);
});

it.each(FAILURES.filter(([, way, more]) => way && !more))(
	'the test of the credential keeps the token to itself after %s',
	async (_what, way) => {
		const failure = await failureOfCredentialTest(withToken(arranged(way)));
		expect(failure).toEqual(expect.any(String));
		expect(leaksIn([failure, log.lines], TOKEN)).toEqual([]);
	},
);

/** Words with the token at both ends, which a run must not repeat as they are. */
const flood = (characters: number) => `${TOKEN} ${'x '.repeat(characters / 2)} ${TOKEN}`;

const person = (id: unknown) => ({ id, phone_number: '491711234567' });
const byPhone = { __rl: true, mode: 'phone', value: '+49 171 1234567' };

/** Answers that an operation repeats in an error of its own, without a refusal by the tenant. */
const REPEATED: Array<[string, INodeParameters, (url: string) => unknown, RegExp]> = [
	[
		'the list of allowed MIME types',
		{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'image' },
		(url) =>
			url.endsWith('mime-types') ? { image: Array.from({ length: 2000 }, () => flood(2000)) } : { id: 1 },
		/ is of type image\/png, which the service does not allow as image$/,
	],
	[
		'several people with a phone number',
		{ resource: 'profile', operation: 'get', profileId: byPhone },
		() => [person(`${flood(1_000_000)}1`), person(`${flood(1_000_000)}2`)],
		/^Profile is ambiguous: several people have the phone number 491711234567$/,
	],
	[
		'a message that was not delivered',
		{
			...{
				resource: 'message',
				operation: 'send',
				conversationId: '7',
				messageType: 'text',
				text: 'Hi',
			},
			options: { ifUndelivered: 'error' },
		},
		() => ({
			...{ id: flood(10), conversation_id: 7, status: 'failed' },
			latest_error: {
				user_friendly_message: flood(1_000_000),
				original_message: flood(1_000_000),
				[TOKEN]: { [TOKEN]: [flood(1_000_000)] },
			},
		}),
		/^\*\*\* x x x/,
	],
];

it('what may have been sent and hints keep the token to themselves', async () => {
	odd.answer(drop);
	const send = { ...{ resource: 'message', operation: 'send', conversationId: '7' }, messageType: 'text' };
	const text = `${TOKEN} ${encodeURIComponent(TOKEN)} ${base64(TOKEN)}`;
	const parameters = { advanced: { maximumTries: 1 }, ...send, text };
	const unclear = await runNode({ credentials: withToken(), parameters, onError: 'continueRegularOutput' });
	expect(unclear.items[0].json.details).toMatchObject({
		outcome: 'unknown',
		sent: { text: { content: expect.stringMatching(/^\*\*\* \*\*\* .*\*\*\*/) } },
	});
	expect(leaksIn(unclear.items, TOKEN)).toEqual([]);
	expect(odd.asked).toHaveLength(1);

	odd.answer(
		async (_, reply) => await reply.send({ data: { created_count: 1, updated_count: 0, skipped_count: 0 } }),
	);
	const columns = { mappingMode: 'autoMapInputData', value: null };
	const { run, error } = await runNode({
		credentials: withToken(),
		parameters: { resource: 'customer', operation: 'bulkImport', columns },
		items: [{ json: { displayId: '491711234567', name: 'Mira', [TOKEN]: 'x' } }],
	});
	expect(error).toBeUndefined();
	const hints = run.data.resultData.runData.Node[0].hints?.map(({ message }) => message);
	expect(hints?.join()).toContain('have fields that no column takes: "***"');
});

it.each(REPEATED)(
	'a run neither tells the token nor a flood of words after %s',
	async (_what, more, answer, message) => {
		odd.answer(async ({ url }, reply) => await reply.send({ data: answer(url.split('?')[0]) }));
		const parameters = { advanced: { maximumTries: 1 }, ...more };
		const items = [{ json: {}, binary: { data: pixelBinary } }];
		for (const onError of [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const) {
			const run = await runNode({ credentials: withToken(), parameters, onError, items });
			const { error, errorItems, items: given } = run;
			const failed = [error, ...errorItems, ...given.filter(({ json }) => 'error' in json)].filter(Boolean);
			expect(failed).toHaveLength(1);
			if (!onError) expect(error?.message).toMatch(message);
			expect(leaksOfRun(run, TOKEN, log)).toEqual([]);
			expect(JSON.stringify(failed).length).toBeLessThan(100_000);
			expect(
				[error?.message.length ?? 0, error?.description?.length ?? 0].map((length) => length <= 10_000),
			).toEqual([true, true]);
		}
	},
);

/** Looks different in each spelling. */
const PASSWORD = 'p@ß "w/rd" of:the proxy';
const LOGIN = `jo:${encodeURIComponent(PASSWORD)}`;

/** What answers with all that it got, and with the password. */
function echo(head: string): string {
	raw.answer((socket, request) => {
		const known = [PASSWORD, encodeURIComponent(PASSWORD), request];
		socket.end(
			`${head}\r\nContent-Type: application/json\r\nRetry-After: 0\r\nConnection: close\r\n\r\n${JSON.stringify({ message: known.join(' '), errors: { [PASSWORD]: known } })}`,
		);
	});
	return raw.url.replace('://', `://${LOGIN}@`);
}

it.each<[string, () => string, INodeParameters?]>([
	['a proxy that repeats it with a refusal', () => echo('HTTP/1.1 407 No')],
	['a proxy that repeats it with a failure', () => echo('HTTP/1.1 502 Bad Gateway')],
	['a proxy that is not there', () => REFUSED_ADDRESS.replace('://', `://${LOGIN}@`)],
	['a proxy that is unknown', () => `http://${LOGIN}@proxy.invalid:3128`],
	['a proxy of another kind', () => `socks5://${LOGIN}@127.0.0.1:1080`],
	['an address that is none', () => `${LOGIN}@127.0.0.1`],
	['an address with a broken login', () => `http://${LOGIN}%zz@127.0.0.1:3128`],
	[
		'a proxy that hangs up within a download',
		() => {
			raw.answer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\npart'));
			return raw.url.replace('://', `://${LOGIN}@`);
		},
		{ resource: 'file', operation: 'download', fileUuid: 'u-1' },
	],
])('nobody learns the password of a proxy from %s', async (_what, proxyAt, asked = create) => {
	const advanced = { maximumTries: 1, proxy: proxyAt() };
	const credentials = withToken();
	const run = await runNode({ credentials, parameters: { ...asked, advanced } });
	expect(run.error).toBeDefined();
	expect(leaksOfRun(run, PASSWORD, log)).toEqual([]);
	const { methods, context } = await editorOf({
		...{ parameters: {}, credentials: { ...credentials, advanced: { settings: advanced } } },
	});
	const inEditor = await methods.loadOptions?.getTags.call(context).catch((error: Error) => error);
	const failure = await failureOfCredentialTest({ ...credentials, advanced: { settings: advanced } });
	expect([inEditor, failure]).toEqual([expect.any(Error), expect.any(String)]);
	expect(leaksIn([inEditor, failure, log.lines], PASSWORD)).toEqual([]);
	expect(odd.asked).toEqual([]);
});
