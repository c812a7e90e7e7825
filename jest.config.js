const { availableParallelism } = require('node:os');

const shared = {
	testEnvironment: '<rootDir>/test/jest/nodeEnvironment.js',
	// What jest only marks as deleted when a file ends calls itself without end as soon as something sets it.
	testEnvironmentOptions: { globalsCleanup: 'off' },
	runtime: '<rootDir>/test/jest/sharedModules.js',
	transform: { '^.+\\.(js|m?ts)$': '<rootDir>/test/jest/transform.js' },
	modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/test/n8n-2/node_modules'],
};

/**
 * What `npm test` leaves to `npm run test:all`: thousands of made-up tenants, values and deliveries, the side products, and
 * what runs whole commands of the project.
 */
const THOROUGH = ['generated', 'sandbox', 'tenantCheck', 'tooling', 'volume'];

/** Suites that need more than Node.js: a browser, a real n8n. Each has a folder in `test/n8n`. */
const REAL = ['browser', 'e2e', 'queue'];

/** What their tests begin with. */
const PREPARATIONS = {
	browser: { globalSetup: '<rootDir>/test/jest/preparedN8n.js' },
	e2e: { globalSetup: '<rootDir>/test/jest/rehearsedRelease.js' },
};

/**
 * Milliseconds that a test or a hook has. Nothing is measured by them: they end what hangs, on a busy machine too. A test that
 * everybody runs takes a few seconds at most. Thorough ones try thousands of values. In the others, n8n
 * is installed, started, stopped and waited for (`test/n8n/waitFor.mts`).
 */
const TIME_LIMITS = {
	quick: 30_000,
	thorough: 300_000,
	real: 300_000,
};

const inFolders = (folders) => folders.map((folder) => `<rootDir>/test/${folder}/`);

/** @type {import('jest').Config} */
module.exports = {
	// Many tests wait for a server, and leave their core to others meanwhile.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	// Time zone, order of answers and first attempts that fail come by chance, and again with the same --seed.
	showSeed: true,
	globalSetup: '<rootDir>/test/jest/currentBuild.js',
	testSequencer: '<rootDir>/test/jest/longestFirst.js',
	reporters: ['default', '<rootDir>/test/jest/hanging.reporter.js', '<rootDir>/test/jest/totals.reporter.js'],
	projects: [
		{
			...shared,
			displayName: 'quick',
			testTimeout: TIME_LIMITS.quick,
			testMatch: ['<rootDir>/test/**/*.test.mts'],
			testPathIgnorePatterns: ['/node_modules/', ...inFolders([...THOROUGH, 'n8n'])],
		},
		{
			...shared,
			displayName: 'thorough',
			testTimeout: TIME_LIMITS.thorough,
			testMatch: THOROUGH.map((folder) => `<rootDir>/test/${folder}/**/*.test.mts`),
		},
		...REAL.map((suite) => ({
			...shared,
			displayName: suite,
			testTimeout: TIME_LIMITS.real,
			testMatch: [`<rootDir>/test/n8n/${suite}/**/*.test.mts`],
			...PREPARATIONS[suite],
		})),
	],
};
