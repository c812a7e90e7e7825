import { runNode } from '../../engine/engine.mts';
import { leaksOfRun, LogWatch } from '../../engine/leaks.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
const log = LogWatch.inEachTest();
/** One try: the errors are the point here. */
const requestLimits = { maximumTries: 1 };
const create = { resource: 'tag', operation: 'create', title: 'VIP', requestLimits };
const get = { resource: 'tag', operation: 'get', tagId: byId(1), requestLimits };

/** What the headline or the remedy must hold, by status. */
const STATUSES: Array<[number, RegExp]> = [
	[400, /Check the values of this item/],
	[401, /Open the credential and enter a complete, valid access token/],
	[403, /token of an admin, or attach the user to the customer/],
	[404, /Check the ID and the tenant domain/],
	[409, /Change the value that is in conflict/],
	[413, /Reduce the file/],
	[415, /Get Allowed MIME Types/],
	[418, /refused the request/],
	[422, /Correct the values named here/],
	[429, /Wait a moment/],
	[500, /Try again later/],
	[503, /Try again later/],
];

/** Body shapes, and the words of the service that must reach the user. */
const BODIES: Array<[string, unknown, string[]]> = [
	['message', { message: 'No such thing' }, ['No such thing']],
	['error', { error: 'No such thing' }, ['No such thing']],
	['error.message', { error: { message: 'No such thing', code: 7 } }, ['No such thing']],
	['problem details', { type: 'about:blank', title: 'Bad', detail: 'No such thing' }, ['No such thing']],
	[
		'field errors by name',
		{ message: 'Invalid', errors: { title: ['The title is taken.', 'Too short.'], colour: 'Unknown' } },
		['Invalid', 'Title: The title is taken.', 'Title: Too short.', 'colour: Unknown'],
	],
	[
		'field errors as a list',
		{ errors: [{ field: 'title', message: 'Taken' }, { path: 'colour', msg: 'Unknown' }, 'And more'] },
		['Title: Taken', 'colour: Unknown', 'And more'],
	],
	['nested field errors', { errors: { title: { message: 'Taken' } } }, ['Title: Taken']],
	['an empty object', {}, []],
	['a list', ['No such thing'], ['No such thing']],
	['plain text', 'No such thing', ['No such thing']],
	['an HTML page', '<!doctype html><title>Bad gateway</title><p>nginx', []],
	['null', null, []],
	['the token in it', { message: 'The token $TOKEN is no good' }, ['The token *** is no good']],
];

describe.each(STATUSES)('status %i', (status, remedy) => {
	it.each(BODIES)('with %s', async (_, body, words) => {
		const token = String(odd.credentials.accessToken);
		odd.answer(async (_request, reply) => {
			const html = typeof body === 'string' && body.startsWith('<');
			return await reply
				.code(status)
				.type(html ? 'text/html' : typeof body === 'string' ? 'text/plain' : 'application/json')
				.send(typeof body === 'string' ? body : JSON.stringify(body).replace('$TOKEN', token));
		});
		const run = await runNode({ parameters: create, credentials: odd.credentials });
		const { error } = run;

		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: String(status),
			context: { itemIndex: 0 },
		});
		const shown = `${error?.message}\n${error?.description}`;
		expect(shown).toMatch(remedy);
		for (const word of words) expect(shown).toContain(word);
		expect(shown).not.toMatch(/<|undefined|\[object|null|batching/);
		expect(leaksOfRun(run, token, log)).toEqual([]);
	});
});

describe('answers that are none', () => {
	it.each([
		['HTML', 'text/html', '<html>log in</html>'],
		['cut JSON', 'application/json', '{"data": {"id": 1, "tit'],
		['nothing', 'application/json', ''],
	])('%s with status 200', async (_, type, body) => {
		odd.answer(async (_request, reply) => await reply.type(type).send(body));
		const { error } = await runNode({ parameters: get, credentials: odd.credentials });
		expect(error?.message).toBe('The service answered with something other than JSON (HTTP 200)');
		expect(error?.description).toContain('Check the tenant domain');
	});

	it('a redirect is not followed, so that the token stays here', async () => {
		odd.answer(async (_request, reply) => await reply.redirect(`${odd.url}/elsewhere`, 302));
		const { error } = await runNode({ parameters: get, credentials: odd.credentials });
		expect(error?.message).toContain('answered with a redirect, which is not followed');
		expect(odd.asked).toEqual(['GET /third-party/v1/tags/1']);
	});

	it.each([
		['a write', create, 'may have been carried out'],
		['a read', get, 'Check the network and try again'],
	])('a dropped connection after %s', async (_, parameters, description) => {
		odd.answer((request, reply) => {
			reply.hijack();
			request.raw.socket.destroy();
		});
		const { error } = await runNode({ parameters, credentials: odd.credentials });
		expect(error?.description).toContain(description);
		expect(error?.message).toBe('The service did not answer');
	});

	it('a time-out after sending a write says that its outcome is unknown', async () => {
		odd.answer((_request, reply) => {
			reply.hijack();
		});
		const { error } = await runNode({
			parameters: { ...create, requestOptions: { timeout: 50 } },
			credentials: odd.credentials,
		});
		expect(error?.description).toContain('may have been carried out');
	});
});
