const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');

const swc = require('@swc/core');
const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const n8nWorkflow = require('n8n-workflow');

const { n8n } = require('./package.json');

const OUT = 'dist';

/** Loaded when it is needed, and so not part of the node. */
const APART = 'nodes/CustomerMessaging/tenantDescription/readDescription';

const clean = () => rm(OUT, { recursive: true, force: true });

const leaveApart = {
	name: 'leave-apart',
	setup({ onResolve }) {
		onResolve({ filter: /\/readDescription$/ }, ({ kind }) =>
			kind === 'dynamic-import'
				? { path: `./${path.posix.relative('nodes/CustomerMessaging', APART)}.js`, external: true }
				: undefined,
		);
	},
};

/** Has each file require n8n-workflow once, rather than in every one of the modules it is made of. */
const requireOnce = {
	name: 'require-once',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^n8n-workflow$/ }, ({ path: name, namespace }) =>
			namespace === 'once' ? { path: name, external: true } : { path: name, namespace: 'once' },
		);
		const names = Object.keys(n8nWorkflow).filter((name) => name !== 'default');
		onLoad({ filter: /./, namespace: 'once' }, ({ path: name }) => ({
			contents: [
				`const all = /* @__PURE__ */ require('${name}');`,
				// As calls without effects, so that those that nobody imports are left out.
				...names.map((member) => `export const ${member} = /* @__PURE__ */ (() => all.${member})();`),
			].join('\n'),
		}));
	},
};

const yamlFolder = path.dirname(require.resolve('js-yaml/package.json'));

/** Takes of js-yaml what reads YAML: it would also write, and tell what is wrong in words that nobody is shown. */
const readingYamlOnly = {
	name: 'reading-yaml-only',
	setup({ onResolve, onLoad }) {
		const wordless = (code) => code.replace(/throw(Error|Warning)\(state, '.*\)$/gm, 'throw$1(state)');
		const instead = {
			'index.js': () => `
				exports.load = require('./lib/loader').load;
				exports.FAILSAFE_SCHEMA = require('./lib/schema/failsafe');
				exports.Type = require('./lib/type');`,
			'lib/exception.js': () => 'module.exports = Error;',
			'lib/loader.js': wordless,
			'lib/schema/default.js': () => "module.exports = require('./failsafe');",
			'lib/snippet.js': () => 'module.exports = () => null;',
		};
		onResolve({ filter: /^js-yaml$/ }, () => ({ path: path.join(yamlFolder, 'index.js') }));
		onLoad({ filter: /js-yaml.(lib|index)/ }, async ({ path: file }) => {
			const change = instead[path.relative(yamlFolder, file).replaceAll(path.sep, '/')];
			return change && { contents: change(await readFile(file, 'utf8')), resolveDir: path.dirname(file) };
		});
	},
};

/** Makes a bundle a third smaller: names and spaces are most of what people would download. */
async function minified(code) {
	const options = { compress: { passes: 3 }, mangle: { topLevel: true }, ecma: 2022, module: true };
	return (await swc.minify(code, options)).code;
}

/** One file for each node and credential that package.json names, so that n8n reads few files at start. */
const compile = async () => {
	const built = [...n8n.nodes, ...n8n.credentials].map((file) =>
		path.relative(OUT, file).replace(/\.js$/, '.ts'),
	);
	const { outputFiles } = await esbuild.build({
		entryPoints: [...built, `${APART}.ts`],
		outdir: OUT,
		outbase: '.',
		bundle: true,
		plugins: [leaveApart, requireOnce, readingYamlOnly],
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		// What is apart is required, as everything else is.
		supported: { 'dynamic-import': false },
		minifySyntax: true,
		charset: 'utf8',
		logLevel: 'warning',
		write: false,
	});
	for (const { path: file, text } of outputFiles) {
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, await minified(text));
	}
};

const icons = () => src('icons/*.svg').pipe(dest(`${OUT}/icons`));

const metadata = () =>
	src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(dest(`${OUT}/nodes`));

exports.build = series(clean, parallel(compile, icons, metadata));
