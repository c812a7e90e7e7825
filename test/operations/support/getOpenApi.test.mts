import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const DOCUMENT = { openapi: '3.1.0', info: { title: 'Tenant' }, paths: { '/tags': { get: {} } } };
const YAML = 'openapi: 3.1.0\ninfo:\n  title: Tenant\n';

const run = async () => await tenant.run({ resource: 'support', operation: 'getOpenApi' });

it('a description in YAML comes out as its text', async () => {
	tenant.answer({
		'GET /support/openapi': async (_arrived, reply) => await reply.type('text/yaml').send(YAML),
	});
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items).toEqual([{ json: { openapi: YAML }, pairedItem: { item: 0 } }]);
});

it.each<[string, unknown]>([
	['alone', DOCUMENT],
	['within data', { data: DOCUMENT }],
])('a description in JSON comes out as text and as an object: %s', async (_what, answer) => {
	tenant.answer({ 'GET /support/openapi': () => answer });
	const { items, error } = await run();
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{ json: { openapi: JSON.stringify(DOCUMENT, null, 2), document: DOCUMENT }, pairedItem: { item: 0 } },
	]);
});

it('a text in JSON comes out as that text', async () => {
	tenant.answer({ 'GET /support/openapi': () => ({ data: YAML }) });
	expect((await run()).items).toEqual([{ json: { openapi: YAML }, pairedItem: { item: 0 } }]);
});

it.each<[string, unknown]>([
	['a list', [DOCUMENT]],
	['null', { data: null }],
])('what is neither fails: %s', async (_what, answer) => {
	tenant.answer({ 'GET /support/openapi': () => answer });
	const { items, error } = await run();
	expect(error?.message).toMatch(/^The service answered with something other than a record/);
	expect(items).toEqual([]);
});

it('a page in place of the description is an error', async () => {
	tenant.answer({
		'GET /support/openapi': async (_arrived, reply) =>
			await reply.type('text/html').send('<!doctype html><title>Log in</title>'),
	});
	const { items, error } = await run();
	expect(error?.message).toBe('The service answered with a page in place of JSON (HTTP 200)');
	expect(items).toEqual([]);
});
