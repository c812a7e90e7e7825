const { relative } = require('node:path');

/** Names a test that never yields, which no time limit of jest ends: it has said nothing for twice the time that a test has. */
module.exports = class HangingReporter {
	watches = new Map();

	watch({ path, context }, what) {
		clearTimeout(this.watches.get(path));
		const limit = 2 * context.config.testTimeout;
		const tell = () =>
			process.stderr.write(
				`\nNothing is heard of ${relative(process.cwd(), path)} for ${limit / 1_000} s. It hangs ${what}\n`,
			);
		this.watches.set(path, setTimeout(tell, limit).unref());
	}

	onTestFileStart(test) {
		this.watch(test, 'before its first test');
	}

	onTestCaseStart(test, { ancestorTitles, title }) {
		this.watch(test, `in "${[...ancestorTitles, title].join(' ')}"`);
	}

	onTestCaseResult(test, { fullName }) {
		this.watch(test, `after "${fullName}"`);
	}

	onTestFileResult({ path }) {
		clearTimeout(this.watches.get(path));
	}
};
