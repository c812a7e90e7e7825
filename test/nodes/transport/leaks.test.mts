import type { FastifyReply } from 'fastify';
import type {
	ICredentialDataDecryptedObject,
	INodeExecutionData,
	INodeParameters,
	OnError,
} from 'n8n-workflow';

import { ANY_IDS, operationCases } from '../../contract/operationCases.mts';
import { failureOfCredentialTest } from '../../engine/credentialTest.mts';
import { editorOf, type NodeRunOptions, runNode } from '../../engine/engine.mts';
import { leaksIn, leaksOfRun, LogWatch } from '../../engine/leaks.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { RawServer } from '../../engine/rawServer.mts';
import { REFUSED_ADDRESS } from '../../engine/refusedAddress.mts';
import { byId } from '../../engine/tenant.mts';
import { TlsTenant } from '../../engine/tlsTenant.mts';
import { expectOnlyOpenFailures } from '../../openFailures/openFailures.mts';

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

const requestLimits = { maximumTries: 1 };
const create = { resource: 'tag', operation: 'create', title: 'VIP', requestLimits };
const get = { resource: 'tag', operation: 'get', tagId: byId(1), requestLimits };

/** What a run stops at, and what it gives out where it goes on. */
const EACH_WAY: Array<OnError | undefined> = [undefined, 'continueRegularOutput', 'continueErrorOutput'];

/** Places that hold the token, by what was done; the list of open failures has to name the same. */
const found = new Map<string, string>();
let looked = 0;

function note(name: string, leaks: string[]): void {
	looked++;
	if (leaks.length > 0 && !found.has(name)) found.set(name, leaks.slice(0, 3).join('\n    '));
}

/** Runs the node until it fails, in each way that n8n has to deal with that, and notes what holds the token. */
async function look(
	name: string,
	parameters: INodeParameters,
	options: Partial<NodeRunOptions> = {},
	ways = EACH_WAY,
): Promise<void> {
	for (const onError of ways) {
		const run = await runNode({ credentials: withToken(), ...options, parameters, onError });
		const failed = [run.error, ...run.errorItems, ...run.items.filter(({ json }) => 'error' in json)];
		expect({ name, onError, failures: failed.filter(Boolean).length }).not.toMatchObject({ failures: 0 });
		note(name, leaksOfRun(run, TOKEN, log));
	}
}

const SPELLINGS: Array<[string, string]> = [
	['as it is', TOKEN],
	['behind Bearer', `Bearer ${TOKEN}`],
	['URL-encoded', encodeURIComponent(TOKEN)],
	['JSON-escaped', JSON.stringify(TOKEN)],
	['in Base64', Buffer.from(TOKEN).toString('base64')],
];

const STATUSES = [400, 401, 403, 404, 409, 413, 415, 418, 422, 429, 500, 503];

type Answer = (reply: FastifyReply, token: string) => FastifyReply;
const json =
	(body: (token: string) => unknown): Answer =>
	(reply, token) =>
		reply.type('application/json').send(JSON.stringify(body(token)));

/** Where a service may repeat the token. */
const PLACES: Array<[string, Answer]> = [
	['the message', json((token) => ({ message: `The token ${token} is no good` }))],
	['the error', json((token) => ({ error: { message: token } }))],
	['the detail', json((token) => ({ title: 'Bad', detail: `Sent: ${token}` }))],
	['a list', json((token) => [token, 'more'])],
	['a field error', json((token) => ({ message: 'Bad', errors: { token: [`${token} is unknown`] } }))],
	['the name of a field', json((token) => ({ message: 'Bad', errors: { [token]: ['is unknown'] } }))],
	['a listed field error', json((token) => ({ errors: [{ field: token, message: token }, token] }))],
	['plain text', (reply, token) => reply.type('text/plain').send(`No: ${token}`)],
	['a page', (reply, token) => reply.type('text/html').send(`<p>${token}`)],
	['a header', (reply, token) => reply.header('www-authenticate', `Bearer error="${token}"`).send({})],
	['a member that nobody reads', json((token) => ({ message: 'Bad', request: { headers: [token] } }))],
];

describe('a failing status whose answer repeats the token', () => {
	const cases = PLACES.flatMap(([place, answer]) =>
		SPELLINGS.map(([spelling, token]): [string, string, Answer, string] => [place, spelling, answer, token]),
	);

	it.each(cases)('in %s, %s', async (place, spelling, answer, token) => {
		// The text of an error depends on the status, how the token is written does not.
		const isPlain = spelling === SPELLINGS[0][0];
		for (const status of isPlain ? STATUSES : [401, 422, 500]) {
			odd.answer(async (_request, reply) => await answer(reply.code(status), token));
			const name = `status: ${place}, ${spelling}`;
			await look(name, create, {}, status === 401 || status === 500 ? EACH_WAY : [undefined]);
		}
	});
});

describe('an answer that cannot be used', () => {
	it.each<[string, Answer]>([
		['a page', (reply) => reply.type('text/html').send(`<p>Log in: ${TOKEN}`)],
		['cut JSON', (reply) => reply.type('application/json').send(`{"data": {"title": "${TOKEN}`)],
		['a text', (reply) => reply.type('application/json').send(JSON.stringify(TOKEN))],
		['another type', (reply) => reply.type('image/png').send(Buffer.from(TOKEN))],
	])('%s', async (name, answer) => {
		odd.answer(async (_request, reply) => await answer(reply, TOKEN));
		await look(`unreadable: ${name}`, get);
		// A write is done whatever the words are with which the service says so.
		const isDone = name === 'a text' || name === 'another type';
		await look(`unreadable write: ${name}`, create, {}, isDone ? [] : EACH_WAY);
		if (!isDone) return;
		const run = await runNode({ credentials: withToken(), parameters: create });
		expect(run.items).toHaveLength(1);
		note(`unreadable write: ${name}`, leaksOfRun(run, TOKEN, log));
	});

	it.each([301, 302, 303, 307, 308])('a redirect by %i', async (status) => {
		for (const to of [`${odd.url}/?token=${encodeURIComponent(TOKEN)}`, 'http://localhost/', '//', '']) {
			odd.answer(async (_request, reply) => await reply.code(status).header('location', to).send(TOKEN));
			await look(`redirect: ${status}`, get, {}, [undefined]);
			await look(`redirect of a write: ${status}`, create);
		}
	});
});

describe('no answer', () => {
	it.each<[string, Parameters<RawServer['answer']>[0]]>([
		['a connection that is closed', (socket) => socket.end()],
		['a connection that is reset', (socket) => socket.resetAndDestroy()],
		['no HTTP', (socket, request) => socket.end(request)],
		['a broken header', (socket, request) => socket.end(`HTTP/1.1 200 OK\r\n${request}`)],
		[
			'an answer that breaks off',
			(socket) =>
				socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n{"message":${JSON.stringify(TOKEN)}`),
		],
		[
			'broken chunks',
			(socket) => socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${TOKEN}`),
		],
	])('%s', async (name, act) => {
		raw.answer(act);
		const credentials = withToken(raw.url);
		await look(`network: ${name}`, get, { credentials });
		await look(`network, write: ${name}`, create, { credentials });
	});

	it('within the time', async () => {
		raw.answer(() => {});
		const credentials = withToken(raw.url);
		await look('network: time-out', { ...create, requestOptions: { timeout: 50 } }, { credentials });
	});

	it('at a refused address, and at an unknown one', async () => {
		await look('network: refused', create, { credentials: withToken(REFUSED_ADDRESS) });
		await look('network: unknown host', create, { credentials: withToken('tenant.invalid') });
	});

	it('through a proxy that is not there', async () => {
		const requestOptions = { proxy: REFUSED_ADDRESS };
		await look('network: proxy', { ...create, requestOptions });
		await look('network: proxy of TLS', { ...create, requestOptions }, { credentials: withToken(tls.url) });
	});

	it('to whom nobody vouches for', async () => {
		await look('network: TLS', create, { credentials: withToken(tls.url) });
		expect(tls.asked).toEqual([]);
	});
});

describe('what fails before anything is sent', () => {
	const items: INodeExecutionData[] = [{ json: {} }];

	it.each<[string, INodeParameters]>([
		['a value', { resource: 'customer', operation: 'create', displayId: 'none', name: 'New' }],
		['an ID', { ...get, tagId: byId('={{ "none" }}') }],
		['an expression', { ...create, title: '={{ $json.missing.trim() }}' }],
		['a file', { resource: 'file', operation: 'upload', type: 'image', binaryPropertyName: 'data' }],
		['a proxy', { ...create, requestOptions: { proxy: 'nowhere' } }],
	])('%s', async (name, parameters) => {
		await look(`before: ${name}`, parameters, { items });
	});

	it.each([
		['a tenant with a path', withToken(`acme.example.com/${TOKEN}`)],
		['a tenant with a login', withToken(`https://${TOKEN}@acme.example.com`)],
		['a token in place of the tenant', withToken(TOKEN)],
	])('%s', async (name, credentials) => {
		await look(`before: ${name}`, create, { credentials });
	});
});

describe('a token that loses characters on its way, and that the service repeats', () => {
	it.each([
		['a line break', `${TOKEN}\n`, 'x'],
		['letters that no header can hold', TOKEN, '日本'],
	])('%s', async (name, beginning, end) => {
		odd.answer(async ({ headers }, reply) => {
			return await reply.code(401).send({ message: `Unknown: ${headers.authorization}` });
		});
		await look(`cleaned: ${name}`, create, { credentials: withToken(odd.url, `${beginning}x${end}`) });
	});
});

describe('every operation', () => {
	const cases = operationCases(ANY_IDS);
	const names = cases.map(({ resource, operation }) => `${resource}: ${operation}`);

	it.each<[string, OnError | undefined, Parameters<OddTenant['answer']>[0]]>([
		['refused', undefined, async (_, reply) => await reply.code(401).send({ message: `Not ${TOKEN}` })],
		[
			'failing',
			'continueRegularOutput',
			async (_, reply) => await reply.code(500).send({ message: `Not ${TOKEN}` }),
		],
		[
			'dropped',
			'continueErrorOutput',
			(request, reply) => {
				reply.hijack();
				request.raw.socket.destroy();
			},
		],
	])('%s', async (how, way, answer) => {
		odd.answer(answer);
		for (const [index, { resource, operation, parameters, items }] of cases.entries()) {
			const all = { resource, operation, requestLimits, ...parameters };
			await look(`operation ${how}: ${names[index]}`, all, { items }, [way]);
		}
	});
});

describe('the editor', () => {
	const parameters = {
		resource: 'profile',
		operation: 'update',
		profileId: byId(1),
		templateName: byId('opening_hours'),
		templateLanguage: 'en_US',
	};

	const answers: Array<[string, Parameters<OddTenant['answer']>[0]]> = [
		['refused', async (_, reply) => await reply.code(401).send({ message: `Not ${TOKEN}` })],
		['unreadable', async (_, reply) => await reply.type('text/html').send(`<p>${TOKEN}`)],
		['redirected', async (_, reply) => await reply.redirect(`${odd.url}/?${encodeURIComponent(TOKEN)}`, 302)],
		[
			'dropped',
			(request, reply) => {
				reply.hijack();
				request.raw.socket.destroy();
			},
		],
	];

	it.each(answers)(
		'%s',
		async (how, answer) => {
			odd.answer(answer);
			const { methods } = await editorOf({ parameters, credentials: withToken() });
			const { listSearch = {}, loadOptions = {}, resourceMapping = {} } = methods;
			const asked = Object.entries({ ...listSearch, ...loadOptions, ...resourceMapping });
			expect(asked.length).toBeGreaterThan(20);
			const results = await Promise.all(
				asked.map(async ([name, method]) => {
					const { context } = await editorOf({ parameters, credentials: withToken() });
					const result = await (method as typeof loadOptions.x).call(context).catch((error: Error) => error);
					return { name, result };
				}),
			);
			expect(results.filter(({ result }) => result instanceof Error).length).toBeGreaterThan(
				how === 'unreadable' ? -1 : 10,
			);
			for (const { name, result } of results)
				note(`editor ${how}: ${name}`, [
					...leaksIn(result, TOKEN, 'result'),
					...leaksIn(log.lines, TOKEN, 'log'),
				]);
		},
		120_000,
	);
});

describe('the test of the credential', () => {
	it.each([400, 401, 403, 404, 500])('is answered with %i and the token', async (status) => {
		for (const [place, answer] of PLACES) {
			odd.answer(async (_request, reply) => await answer(reply.code(status), TOKEN));
			const failure = await failureOfCredentialTest(withToken());
			expect(failure).toBeDefined();
			note(`credential test: ${place}`, [
				...leaksIn(failure, TOKEN, 'failure'),
				...leaksIn(log.lines, TOKEN, 'log'),
			]);
		}
	});

	it.each<[string, () => ICredentialDataDecryptedObject]>([
		['refused', () => withToken(REFUSED_ADDRESS)],
		['without a certificate', () => withToken(tls.url)],
		['with a path', () => withToken(`acme.example.com/${TOKEN}`)],
		['with a token that no header can hold', () => withToken(odd.url, `${TOKEN}\nx`)],
	])('is %s', async (name, credentials) => {
		odd.answer(async (_request, reply) => await reply.code(500).send({}));
		const failure = await failureOfCredentialTest(credentials());
		expect(failure).toBeDefined();
		note(`credential test: ${name}`, [
			...leaksIn(failure, TOKEN, 'failure'),
			...leaksIn(log.lines, TOKEN, 'log'),
		]);
	});

	it('passes with a tenant that answers', async () => {
		odd.answer(() => ({ data: { id: 1, name: 'Nathan' } }));
		expect(await failureOfCredentialTest(withToken())).toBeUndefined();
		expect(odd.asked).toEqual(['GET /third-party/v1/me']);
	});
});

it('only what is known to leak leaks', () => {
	expect(looked).toBeGreaterThan(1000);
	expectOnlyOpenFailures('leaks', found);
});
