const { appendFileSync } = require('node:fs');

/** Writes how many tests passed and failed to the file named by TEST_TOTALS, so that several runs can be added up. */
module.exports = class TotalsReporter {
	onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
		const file = process.env.TEST_TOTALS;
		if (file) appendFileSync(file, `${numPassedTests} ${numFailedTests + numRuntimeErrorTestSuites}\n`);
	}
};
