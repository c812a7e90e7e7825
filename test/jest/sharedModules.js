const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');

const { default: JestRuntime } = require('jest-runtime');

const projectFolder = path.resolve(__dirname, '../..');
const DIST = path.join(projectFolder, 'dist') + path.sep;

const isPackage = (name) => !name.startsWith('.') && !path.isAbsolute(name) && !isBuiltin(name);

/**
 * Jest's module loader, except that packages and the compiled nodes are loaded by Node.js itself.
 *
 * Jest would load n8n-core anew for each test file, which takes longer than most of their tests. This way a worker loads it
 * once, and the nodes run outside of jest's realm as they do in n8n.
 */
module.exports = class extends JestRuntime {
	requireModuleOrMock(from, moduleName) {
		const isShared =
			moduleName !== '@jest/globals' &&
			(isPackage(moduleName) || path.resolve(path.dirname(from), moduleName).startsWith(DIST));
		return isShared ? createRequire(from)(moduleName) : super.requireModuleOrMock(from, moduleName);
	}
};
