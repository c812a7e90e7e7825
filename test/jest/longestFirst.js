const { relative, resolve } = require('node:path');

const Sequencer = require('@jest/test-sequencer').default;

/**
 * Files that take long, the longest first. Jest remembers how long a file took, but not in a clean checkout: there it goes by
 * the size of files, so that the last one may run alone for minutes.
 */
const LONGEST = [
	'n8n/browser/editor',
	'n8n/browser/firstSteps',
	'n8n/e2e/examples.sequences',
	'n8n/e2e/repeatedMessages',
	'n8n/e2e/sendAndWait',
	'n8n/e2e/trigger',
	'n8n/e2e/start',
	'n8n/e2e/polling',
	'n8n/e2e/doors',
	'generated/contract/variants',
	'tooling/sandboxRelease',
	'tooling/release',
	'volume/trigger',
	'contract/coverage',
	'core/declare',
	'polling/histories',
];

const rank = ({ path }) => {
	const at = LONGEST.indexOf(
		relative(resolve(__dirname, '..'), path).replaceAll('\\', '/').replace('.test.mts', ''),
	);
	return at === -1 ? LONGEST.length : at;
};

module.exports = class LongestFirst extends Sequencer {
	async sort(tests) {
		return (await super.sort(tests)).sort((one, other) => rank(one) - rank(other));
	}
};
