const { readFileSync } = require('node:fs');
const { Module } = require('node:module');
const path = require('node:path');

const { expect } = require('expect');
const { bind } = require('jest-each');
const { ModuleMocker } = require('jest-mock');
const { SnapshotState, toMatchSnapshot } = require('jest-snapshot');
const { interfaces, Suite, Test } = require('mocha');

const { isOfThePackage, process: transformed } = require('../jest/transform.js');

const loadOther = Module._extensions['.ts'];
Module._extensions['.ts'] = (module, file) => {
	if (!isOfThePackage(file)) return loadOther(module, file);
	module._compile(transformed(readFileSync(file, 'utf8'), file).code, file);
};

expect.extend({ toMatchSnapshot });

/** The snapshots of a test file, as jest has written them; none is written here. */
const snapshotsOf = (file) =>
	new SnapshotState(path.join(path.dirname(file), '__snapshots__', `${path.basename(file)}.snap`), {
		rootDir: process.cwd(),
		updateSnapshot: 'none',
		snapshotFormat: { escapeString: false, printBasicPrototype: false },
	});

/** A mutant that makes a test wait for ever ends soon (see `reloadingMocha.mjs`); without one, a busy machine shall not fail it. */
const timeout = () => (globalThis.__stryker__?.activeMutant === undefined ? 60_000 : 4_000);

/**
 * Has mocha run test files that are written for jest.
 *
 * StrykerJS' runner for mocha keeps the test files and what they load between mutants; with jest each mutant would load
 * n8n's engine anew. As with jest, hooks at the top of a file belong to that file. It stands in for mocha's own interface, since
 * StrykerJS takes no other.
 */
interfaces.bdd = (root) => {
	root.on('pre-require', (context, file) => {
		const ofFile = Suite.create(root, path.relative(process.cwd(), file));
		const open = [ofFile];
		const snapshotState = snapshotsOf(file);

		const describe = (title, define) => {
			const suite = Suite.create(open[0], title);
			open.unshift(suite);
			define.call(suite);
			open.shift();
		};
		const it = (title, run) => {
			const currentTestName = [title, ...open.slice(0, -1).map((suite) => suite.title)].reverse().join(' ');
			// Mocha takes a function with a parameter for one that calls back.
			const test = new Test(title, async () => {
				expect.setState({ currentTestName, snapshotState, testPath: file });
				await run();
			});
			test.file = file;
			test.timeout(timeout());
			open[0].addTest(test);
		};
		const hook = (name) => (run) => open[0][name](async () => await run());
		ofFile.timeout(timeout());

		describe.each = bind(describe, false);
		it.each = bind(it, false);
		Object.assign(context, {
			describe,
			it,
			test: it,
			expect,
			// How long a test may take is settled above.
			jest: Object.assign(new ModuleMocker(globalThis), { getSeed: () => 1, setTimeout: () => undefined }),
			beforeAll: hook('beforeAll'),
			beforeEach: hook('beforeEach'),
			afterAll: hook('afterAll'),
			afterEach: hook('afterEach'),
		});
	});
};
