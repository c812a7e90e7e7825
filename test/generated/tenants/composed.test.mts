import { editorOf } from '../../engine/engine.mts';
import { EDITOR_CASES, EDITOR_METHODS, meetEditor } from './composedEditor.mts';
import { meetToldFailure, TOLD_FAILURE_CASES, WRITES } from './composedFailures.mts';
import { COMPOSED, COMPOSED_CASES, meetComposed } from './composedOperations.mts';
import { Results } from './composedRuns.mts';
import { TenantServer } from './tenantServer.mts';

const server = TenantServer.inEachFile();
const results = new Results();
const operations = [...new Set(COMPOSED.map(({ name }) => name))];

it.each(operations)('each request of %s is answered in unusual ways', async (name) => {
	const cases = COMPOSED_CASES.filter(({ operation }) => operation.name === name);
	await results.add(cases, async (one) => await meetComposed(server, one));
});

it('a failure that is told with a status that says success is one', async () => {
	await results.add(TOLD_FAILURE_CASES, async (one) => await meetToldFailure(server, one));
});

it('what the editor asks for is answered in unusual ways', async () => {
	await results.add(EDITOR_CASES, async (one) => await meetEditor(server, one));
});

it('the requests that were to be answered so came', () => {
	expect(operations).toHaveLength(16);
	expect(WRITES.length).toBeGreaterThanOrEqual(40);
	expect(results.names.length).toBeGreaterThan(2500);
	expect(results.vacuous).toEqual([]);
});

it('each list and form of the editor that reads records is among them', async () => {
	const credentials = { tenantDomain: server.origin, accessToken: 'any' };
	const { methods } = await editorOf({ parameters: {}, credentials });
	const asked = [...new Set(EDITOR_METHODS.map(({ method }) => method))].sort();
	const others = Object.values(methods)
		.flatMap(Object.keys)
		.filter((name) => !asked.includes(name));
	expect(others.sort()).toEqual([
		// The test of the credential, and lists that ask for nothing, or for names alone.
		...['checkTenantAccess', 'getMessageFrom', 'getMessageSource', 'getMessageStatus', 'getSortFields'],
		// It reads what getTemplateVariables reads.
		'getTemplateText',
		'getTimeZones',
		// It reads what searchMedia reads.
		'searchHeaderFiles',
	]);
	expect(asked.filter((name) => !Object.values(methods).some((some) => name in some))).toEqual([]);
});

it('every case is met as it has to be', () => {
	results.expectNoFailures();
});
