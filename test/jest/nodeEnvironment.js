const path = require('node:path');

const { TestEnvironment } = require('jest-environment-node');

require('./engineSettings');

const DIST = path.resolve(__dirname, '../../dist') + path.sep;

/** What a test and the code that it runs have to agree on, although they run in two realms (see `sharedModules.js`). */
const SHARED_GLOBALS = ['Date', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'Promise'];

/** Node.js for a test file: the compiled package is loaded anew for each, everything from node_modules once. */
module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		for (const file of Object.keys(require.cache)) if (file.startsWith(DIST)) delete require.cache[file];
		for (const name of SHARED_GLOBALS) this.global[name] = globalThis[name];
	}
};
