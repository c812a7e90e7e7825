const { appendFileSync } = require('node:fs');
const path = require('node:path');

/** At most so many names are printed. */
const MAX_PRINTED = 20;

/** Whether a run has to hold as it is: nobody watches it, and nobody chose some of its tests. */
const isFinal = process.env.CI === 'true' || process.env.TEST_TOTALS !== undefined;

const isLeftOut = ({ status }) => status === 'pending' || status === 'todo' || status === 'disabled';

/** What lets a run look better than it is, as one line each. */
function complaints({ numTotalTests, testResults: files }) {
	const leftOut = files.flatMap(({ testFilePath, testResults: tests }) =>
		tests
			.filter(isLeftOut)
			.map(({ fullName }) => `skipped: ${path.relative(process.cwd(), testFilePath)}: ${fullName}`),
	);
	const idle = files
		.filter(({ testExecError, testResults: tests }) => !testExecError && tests.every(isLeftOut))
		.map(({ testFilePath }) => `no test was run: ${path.relative(process.cwd(), testFilePath)}`);
	return [...leftOut, ...idle, ...(numTotalTests === 0 ? ['no test was run at all'] : [])];
}

/**
 * Writes how many tests passed, failed and were skipped to the file named by TEST_TOTALS, so that several runs can be
 * added up. In CI it lets a run fail that left something out: a skipped test, or a file without a test. Jest itself lets
 * it fail for snapshots that no test looks at.
 */
module.exports = class TotalsReporter {
	onRunComplete(_contexts, results) {
		const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } =
			results;
		const found = isFinal ? complaints(results) : [];
		if (found.length > 0) {
			const more = found.length > MAX_PRINTED ? [`and ${found.length - MAX_PRINTED} more`] : [];
			const text = ['This run left something out:', ...found.slice(0, MAX_PRINTED), ...more].join('\n  ');
			process.stderr.write(`\n${text}\n`);
			this.error = new Error(text);
		}
		const failed = numFailedTests + numRuntimeErrorTestSuites;
		const file = process.env.TEST_TOTALS;
		if (file) appendFileSync(file, `${numPassedTests} ${failed} ${numPendingTests + numTodoTests}\n`);
	}

	/** Jest ends with a failure when there is one. */
	getLastError() {
		return this.error;
	}
};
