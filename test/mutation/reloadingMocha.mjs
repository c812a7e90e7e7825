import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner';
import { strykerPlugins as mochaPlugins } from '@stryker-mutator/mocha-runner';

const { cache } = createRequire(import.meta.url);

/** Where the first run leaves how long each test takes; the processes that run mutants read it. */
const durationsFile = () => path.resolve('.durations-of-tests.json');

/**
 * So much of the time of all tests is spent on a mutant, on any machine. One that only a test would notice which does not fit in
 * counts as unnoticed.
 */
const BUDGET = Number(process.env.MUTATED_SHARE);

/** So many tests may wait for ever with a mutant, before it counts as one that nothing notices. */
const MAX_WAITING = 2;

const WAITED = {
	status: MutantRunStatus.Timeout,
	reason: 'A test waited for ever, and no other one noticed it',
};

const { setTimeout } = globalThis;

/** Ends the process behind the result: a test that waits goes on, and has the clock of the next ones stand still. */
function waited() {
	setTimeout(() => process.exit(3), 100);
	return WAITED;
}

/** Whether a test noticed nothing but that it waited too long, in mocha's words. */
const isWaiting = ({ status, failureMessage }) =>
	status === MutantRunStatus.Killed && /\bTimeout of \d+ms exceeded\b/.test(failureMessage);

/** What is mutated, and the tests; packages and the sandbox stay. */
const FORGOTTEN = ['credentials', 'dist', 'nodes', 'scripts', 'test'];

function forgetProject() {
	const folders = FORGOTTEN.map((folder) => path.resolve(folder) + path.sep);
	for (const file of Object.keys(cache)) {
		if (folders.some((folder) => file.startsWith(folder))) delete cache[file];
	}
}

/** The file that a test stands in: `jestInterface.cjs` has its name begin with it. */
const fileOf = (test) => path.resolve(test.slice(0, test.indexOf('.mts ') + 4));

/**
 * Whether a test belongs to a source: it stands in the folder of the source's room or resource, it is named after the resource
 * ("tag: create"), or it is about everything that is stored.
 */
function belongsTo(source) {
	const [tree, , room = tree, folder] = path.dirname(path.relative(process.cwd(), source)).split(path.sep);
	const resource = folder ?? path.basename(source, '.ts');
	const home = room === 'operations' ? `test/operations/${resource}/` : `test/${room}/`;
	return (test) =>
		test.startsWith(home) ||
		test.startsWith('test/compatibility/') ||
		(room === 'operations' && test.includes(`${resource}: `));
}

/** The tests that fit into the budget, one at least: those that belong to the source first, then the quickest. */
function affordable(tests, durations, source) {
	const isNear = source ? belongsTo(source) : () => false;
	const budget = BUDGET * Object.values(durations).reduce((sum, one) => sum + one, 0);
	let spent = 0;
	return [...tests]
		.sort((a, b) => Number(isNear(b)) - Number(isNear(a)) || durations[a] - durations[b])
		.filter((test, index) => index === 0 || (spent += durations[test]) < budget);
}

/** What mocha's `grep` takes: matches the names of these tests. An expression of thousands of names would be too large. */
const matcherOf = (tests) => {
	const names = new Set(tests);
	return Object.assign(/./, { test: (name) => names.has(name) });
};

/**
 * StrykerJS' mocha runner, except that each mutant meets the project as it is after loading.
 *
 * Tests and compiled nodes keep state in their modules, so a second run of the same modules would fail for another reason than
 * the mutant. Loading them again takes milliseconds, since n8n's engine and other packages stay.
 */
function reloadingMocha(injector) {
	const runner = mochaPlugins[0].factory(injector);
	const dryRun = runner.dryRun.bind(runner);
	const mutantRun = runner.mutantRun.bind(runner);
	let durations;

	/** Loads the project anew, with the files of these tests alone, of which no others are run. */
	async function loadFor(tests) {
		const costs = new Map();
		for (const test of tests) costs.set(fileOf(test), (costs.get(fileOf(test)) ?? 0) + durations[test]);
		forgetProject();
		await runner.init();
		// The cheapest first, since the first test that fails ends the run.
		runner.mocha.files = runner.mocha.files
			.filter((file) => costs.has(file))
			.sort((one, other) => costs.get(one) - costs.get(other));
		runner.loadedEnv = false;
		runner.originalGrep = matcherOf(tests);
		runner.mocha.grep(runner.originalGrep);
	}

	/** Leaves out tests that only pass behind others: without a mutant they would fail among a few. Returns how the few ran. */
	async function leaveOutDependentTests() {
		const few = new Set(affordable(Object.keys(durations), durations));
		await loadFor(few);
		const result = await runner.run(true);
		for (const { id, status } of result.tests ?? []) if (status !== TestStatus.Success) delete durations[id];
		return result;
	}

	return Object.assign(runner, {
		capabilities: async () => ({ reloadEnvironment: true }),
		async dryRun(options) {
			const result = await dryRun(options);
			if (result.status !== DryRunStatus.Complete) return result;
			const mutantCoverage = structuredClone(result.mutantCoverage);
			durations = Object.fromEntries(result.tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
			const few = await leaveOutDependentTests();
			if (few.status !== DryRunStatus.Complete) return few;
			writeFileSync(durationsFile(), JSON.stringify(durations));
			return { ...result, mutantCoverage };
		},
		async mutantRun(options) {
			durations ??= JSON.parse(readFileSync(durationsFile(), 'utf8'));
			const reaching = (options.testFilter ?? Object.keys(durations)).filter((test) => test in durations);
			let testFilter = affordable(reaching, durations, options.sandboxFileName);
			for (let waiting = 0; waiting < MAX_WAITING && testFilter.length > 0; waiting++) {
				await loadFor(testFilter);
				const result = await mutantRun({ ...options, testFilter: undefined, mutantActivation: 'static' });
				if (!isWaiting(result)) {
					return waiting > 0 && result.status === MutantRunStatus.Survived ? waited() : result;
				}
				// Another one may notice it by what it asserts.
				const killers = [result.killedBy].flat();
				testFilter = testFilter.filter((test) => !killers.includes(test));
			}
			return waited();
		},
	});
}
reloadingMocha.inject = tokens(commonTokens.injector);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'reloadingMocha', reloadingMocha)];
