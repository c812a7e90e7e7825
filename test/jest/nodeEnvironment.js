const path = require('node:path');
const { setTimeout: wait } = require('node:timers/promises');

const { TestEnvironment } = require('jest-environment-node');

require('./engineSettings');

const DIST = path.resolve(__dirname, '../../dist') + path.sep;

/** What a test and the code that it runs have to agree on, although they run in two realms (see `sharedModules.js`). */
const SHARED_GLOBALS = ['Date', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'Promise'];

/** What code holds open until it gives it back; jest has pipes and files of its own. */
const GIVEN_BACK = /^(Timeout|TCP|Process|Worker)/;

/** Looks at what is still open, some milliseconds apart: connections take a few to close, and seconds on a busy machine. */
const LOOKS = 400;
const LOOK_MS = 50;

/** How many of each kind are open. */
function openHandles() {
	const counts = {};
	for (const kind of process.getActiveResourcesInfo())
		if (GIVEN_BACK.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
	return counts;
}

/**
 * Node.js for a test file: the compiled package is loaded anew for each, everything from node_modules once. A file fails that leaves
 * open what was not open before it: a timer, a connection, a server or a process that nobody ends.
 */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		for (const file of Object.keys(require.cache)) if (file.startsWith(DIST)) delete require.cache[file];
		for (const name of SHARED_GLOBALS) this.global[name] = globalThis[name];
		this.openBefore = openHandles();
		this.testTimeout = config.projectConfig.testTimeout;
	}

	leftOpen() {
		return Object.entries(openHandles()).flatMap(([kind, count]) => {
			const more = count - (this.openBefore[kind] ?? 0);
			return more > 0 ? [`${more} ${kind}`] : [];
		});
	}

	/** What failed may leave open what would have been given back, and shall be told instead of that. */
	handleTestEvent({ name, test }, state) {
		// Jest itself has one limit for all projects.
		if (name === 'setup') state.testTimeout = this.testTimeout;
		if (name === 'hook_failure' || (name === 'test_done' && test.errors.length > 0)) this.hasFailed = true;
	}

	async teardown() {
		if (this.hasFailed) return await super.teardown();
		let left = this.leftOpen();
		for (let look = 1; look < LOOKS && left.length > 0; look++) {
			await wait(LOOK_MS);
			left = this.leftOpen();
		}
		await super.teardown();
		if (left.length > 0)
			throw new Error(`These tests leave open what they or the nodes have begun: ${left.join(', ')}.`);
	}
};
