const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { TestEnvironment } = require('jest-environment-node');

const DIST = path.resolve(__dirname, '../../dist') + path.sep;

/** n8n-core reads these when it is loaded, once for each worker; nothing is written to the user's own n8n folder. */
const userFolder = mkdtempSync(path.join(tmpdir(), 'n8n-engine-'));
process.on('exit', () => rmSync(userFolder, { recursive: true, force: true }));
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
process.env.N8N_LOG_LEVEL ??= 'silent';

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
