const { readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const { default: JestRuntime } = require('jest-runtime');

const { process: transform } = require('./transform');

const projectFolder = path.resolve(__dirname, '../..');

/** What is loaded once for all test files of a worker: the compiled nodes, the sandbox, and what keeps sandboxes running. */
const SHARED = ['dist', 'sandbox', 'test/tenant'].map(
	(folder) => path.join(projectFolder, folder) + path.sep,
);

// Node.js itself then loads the sandbox's sources, as jest does.
Module._extensions['.mts'] = (module, file) =>
	module._compile(transform(readFileSync(file, 'utf8'), file).code, file);

const isPackage = (name) => !name.startsWith('.') && !path.isAbsolute(name) && !Module.isBuiltin(name);

/**
 * Jest's module loader, except that packages, the compiled nodes and the sandbox are loaded by Node.js itself.
 *
 * Jest would load n8n-core and the sandbox's contract anew for each test file, which takes longer than most of their tests. This way
 * a worker loads them once, and the nodes run outside of jest's realm as they do in n8n.
 */
module.exports = class extends JestRuntime {
	requireModuleOrMock(from, moduleName) {
		const file = path.resolve(path.dirname(from), moduleName);
		const isShared =
			moduleName !== '@jest/globals' &&
			(isPackage(moduleName) || SHARED.some((folder) => file.startsWith(folder)));
		return isShared ? Module.createRequire(from)(moduleName) : super.requireModuleOrMock(from, moduleName);
	}
};
