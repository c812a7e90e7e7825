import path from 'node:path';

import { tsImport } from 'tsx/esm/api';

const at = (file) => path.resolve('test/mutation', file);
const { folders } = await tsImport('./folders.mts', import.meta.url);
const name = process.env.MUTATED_FOLDER;
const { mutate, tests } = folders[name];

/** Kept out of the tree: what StrykerJS knows of the last run, and its report. */
export const results = path.resolve('node_modules/.cache/mutation');

export default {
	plugins: [at('reloadingMocha.mjs'), at('textsForPeople.mjs'), at('sample.mjs')],
	ignorers: ['textsForPeople'],
	checkers: ['sample'],
	mutate,
	// Not `npm run build`, which misses node_modules: StrykerJS links them afterwards.
	buildCommand: 'gulp build',
	testRunner: 'reloadingMocha',
	mochaOptions: {
		require: [path.resolve('test/jest/engineSettings.js'), 'tsx/cjs', at('jestInterface.cjs')],
		spec: ['test/mutation/loadPackage.mts', ...tests],
		// `declare` compiles the sources, in which the mutants have other types.
		ignore: ['**/{declare,leaks,tokenLeaks}.test.mts'],
	},
	coverageAnalysis: 'perTest',
	ignorePatterns: ['/dist', '/examples', '/.n8n-demo*'],
	// What a sample leaves out would be taken for tried the next time.
	incremental: !process.env.MUTATED_SAMPLE,
	incrementalFile: path.join(results, `${name}.incremental.json`),
	reporters: ['progress', 'json'],
	jsonReporter: { fileName: path.join(results, `${name}.json`) },
	// ESLint looks at everything else, with rules of n8n that a mutant breaks.
	tempDirName: 'node_modules/.stryker-tmp',
	concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 2),
	// Only ends what waits for ever: nobody has noticed that.
	timeoutMS: 10_000,
	// All suites once, with the coverage of each test: minutes on a slow or busy machine.
	dryRunTimeoutMinutes: 30,
	disableTypeChecks: false,
};
