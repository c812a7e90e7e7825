const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');

const esbuild = require('esbuild');

/** Everything but the source that decides what comes out. */
const THIS = `${esbuild.version} ${readFileSync(__filename, 'utf8')}`;

/** @type {import('esbuild').TransformOptions} */
const OPTIONS = {
	format: 'cjs',
	platform: 'node',
	target: 'node20',
	define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
	sourcemap: 'external',
	// Jest shows the source from the file itself.
	sourcesContent: false,
};

/** What the package loads later is loaded by `require` there, which does not wait for Node.js to read a file. */
const SOURCES = ['nodes', 'credentials'].map((folder) => path.resolve(folder) + path.sep);
const OF_THE_PACKAGE = { supported: { 'dynamic-import': false } };
const isOfThePackage = (file) => SOURCES.some((folder) => file.startsWith(folder));

/** Has jest run TypeScript, as CommonJS. */
module.exports = {
	isOfThePackage,

	getCacheKey: (source, file) => createHash('sha256').update(`${THIS}\0${file}\0${source}`).digest('hex'),

	process(source, file) {
		// After an `.mts` esbuild would take every package's default export for the whole of it, and p-limit's is not.
		const { code, map } = esbuild.transformSync(source, {
			...OPTIONS,
			...(isOfThePackage(file) && OF_THE_PACKAGE),
			loader: file.endsWith('js') ? 'js' : 'ts',
			sourcefile: file.replace(/\.mts$/, '.ts'),
		});
		return { code, map: { ...JSON.parse(map), sources: [path.basename(file)] } };
	},
};
