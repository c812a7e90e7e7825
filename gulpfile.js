const { execFile } = require('node:child_process');
const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const tsx = require('tsx/cjs/api');

const { homepage, n8n, name, repository, version } = require('./package.json');
const { buildDigest, noteBuild } = tsx.require('./scripts/sources.mts', __filename);

const OUT = 'dist';

/** Finds a module of n8n: among the project's tools, or where `npm start` has installed n8n without them. */
const ofN8n = (module) =>
	require.resolve(module, {
		paths: ['.', 'test/n8n-2', 'test/n8n-1'].map((folder) => path.join(__dirname, folder)),
	});

/** Where n8n's links to the documents lead in the sources. The owner's address is in one place, package.json. */
const DOCUMENTS = 'https://customer-messaging.example/n8n-nodes-customer-messaging';

const BANNER = `// ${name} ${version}, bundled from ${repository.url.replace(/^git\+/, '')}\n`;

const sourceOf = (file) => path.relative(OUT, file).replace('.js', '');

const readWithLinks = async (file) =>
	(await readFile(file, 'utf8')).replaceAll(DOCUMENTS, homepage.split('#')[0]);

let builtFrom;

/** What changes while it is being built shall not be taken for built. */
const begin = async () => {
	if (homepage.startsWith(DOCUMENTS))
		console.warn(
			`n8n's help links lead nowhere yet: homepage in package.json is the placeholder ${DOCUMENTS}`,
		);
	builtFrom = await buildDigest();
	await noteBuild(undefined);
	await rm(OUT, { recursive: true, force: true });
};

const end = () => noteBuild(builtFrom);

/** The sources with the published links, and without comments, of which the bundler would keep a part. Lines and names stay. */
const ownSources = {
	name: 'own-sources',
	setup: ({ onLoad }) => {
		// n8n has it too, where `npm start` has installed no tools.
		const { transpile } = require(ofN8n('typescript'));
		const options = { removeComments: true, target: 'esnext', module: 'esnext' };
		const contentsOf = async ({ path: file }) => ({
			contents: transpile(await readWithLinks(file), options),
		});
		onLoad({ filter: /\.ts$/ }, contentsOf);
	},
};

/** A library has its readable source elsewhere. */
const LIBRARY = /node_modules\/js-yaml\/.*\.mjs$/;

/** The library without what nobody calls: its tables are taken for calls without effects, so that the bundler may leave them out. */
const usedOfLibrary = {
	name: 'used-of-library',
	setup: ({ onLoad }) => {
		const { createSourceFile, isClassExpression, isVariableStatement, ScriptTarget } = require(
			ofN8n('typescript'),
		);
		onLoad({ filter: LIBRARY }, async ({ path: file }) => {
			const text = await readFile(file, 'utf8');
			const source = createSourceFile(file, text, ScriptTarget.Latest);
			const values = source.statements
				.filter(isVariableStatement)
				.flatMap(({ declarationList }) => declarationList.declarations)
				.flatMap(({ initializer }) => (initializer && !isClassExpression(initializer) ? [initializer] : []));
			const contents = values.reduceRight((rest, { pos, end }) => {
				const call = `/* @__PURE__ */ (() => (${rest.slice(pos, end)}))()`;
				return `${rest.slice(0, pos)} ${call}${rest.slice(end)}`;
			}, text);
			return { contents };
		});
	},
};

/** A module of n8n or Node.js of which nothing is used is not loaded. */
const external = {
	name: 'external',
	setup: ({ onResolve }) => {
		const external = { external: true, sideEffects: false };
		onResolve({ filter: /^(?:luxon|n8n-workflow|node:.+)$/ }, ({ path: module }) => ({
			path: module,
			...external,
		}));
	},
};

const listed = (names) =>
	names
		.split(',')
		.map((name) => name.trim())
		.filter(Boolean);

const pattern = (names) => `{ ${names.join(', ')} }`;

/**
 * Makes CommonJS, as n8n loads it, of a module that the bundler has written. Each module is required once: Node.js takes 0.1 ms to
 * find it again. Nothing that is exported changes later, so it can be named without its module.
 */
function commonJs(text) {
	const imported = {};
	const body = text
		.replaceAll(
			/^import (?:(\w+) from |\{([^}]*)\} from )?"([^"]+)";\n/gm,
			(_, whole, names = '', module) => {
				imported[module] ??= new Set();
				for (const name of listed(names)) imported[module].add(name.replace(' as ', ': '));
				return whole ? `const ${whole} = require("${module}");\n` : '';
			},
		)
		.replaceAll(/^export \{([^}]*)\};\n/gm, (_, names) => {
			const members = listed(names).map((name) => name.replace(/(\S+) as (\S+)/, '$2: $1'));
			return `module.exports = ${pattern(members)};\n`;
		})
		// n8n forgets what was required when it updates a package, but not what was imported.
		.replaceAll(/\bimport\(("[^"]+")\)/g, 'Promise.resolve().then(() => require($1))');
	const requires = Object.entries(imported).map(([module, names]) =>
		names.size > 0 ? `const ${pattern([...names])} = require("${module}");\n` : `require("${module}");\n`,
	);
	if (/^(?:import|export)\b/m.test(body))
		throw new Error('The bundler writes modules in another way: see commonJs in gulpfile.js.');
	return `'use strict';\n${requires.join('')}${body}`;
}

const minified = async (text) => {
	const { code } = await esbuild.transform(text, { minify: true, format: 'cjs', target: 'node20' });
	return `// node_modules/js-yaml\n${code}`;
};

/**
 * The files that package.json names, and what they have in common in files of its own, so that each node and credential loads what
 * it needs only, and the code of the editor when a person edits. What people install can be read: our code is not minified, and
 * stack traces name functions.
 */
const compile = async () => {
	const files = [...n8n.nodes, ...n8n.credentials];
	const { outputFiles, metafile } = await esbuild.build({
		bundle: true,
		splitting: true,
		platform: 'node',
		format: 'esm',
		target: 'node20',
		logLevel: 'warning',
		entryPoints: files.map((file) => ({ in: `${sourceOf(file)}.ts`, out: sourceOf(file) })),
		chunkNames: 'shared/[name]-[hash]',
		outdir: OUT,
		plugins: [external, usedOfLibrary, ownSources],
		metafile: true,
		write: false,
	});
	for (const { path: file, text } of outputFiles) {
		const { inputs } = metafile.outputs[path.relative(__dirname, file)];
		const isLibrary = Object.keys(inputs).some((input) => LIBRARY.test(input));
		const contents = isLibrary ? await minified(text) : commonJs(text);
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, `${BANNER}${contents}`);
	}
	const license = path.join(path.dirname(require.resolve('js-yaml/package.json')), 'LICENSE');
	await writeFile(`${OUT}/THIRD_PARTY_NOTICES.txt`, `js-yaml\n\n${await readFile(license, 'utf8')}`);
};

const icons = () => src('icons/*.svg').pipe(dest(`${OUT}/icons`));

/** JSON that people read in the sources, and n8n in the package. */
const withoutSpace = () =>
	new Transform({
		objectMode: true,
		transform(file, _, done) {
			file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents.toString())));
			done(null, file);
		},
	});

const schemas = () =>
	src('nodes/**/__schema__/**/*.json')
		.pipe(withoutSpace())
		.pipe(dest(`${OUT}/nodes`));

const codex = async () => {
	for (const node of n8n.nodes) {
		const file = node.replace(/\.js$/, '.json');
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, await readWithLinks(path.relative(OUT, file)));
	}
};

/** What n8n reads at its start instead of loading the nodes. n8n's own tool writes it for n8n's own packages. */
const metadata = async () => {
	const tool = ofN8n('n8n-core/bin/generate-metadata');
	// The nodes find n8n's modules there too.
	const env = { ...process.env, NODE_PATH: path.resolve(path.dirname(tool), '../..') };
	await promisify(execFile)(process.execPath, [tool], { cwd: __dirname, env });
	await rm(`${OUT}/methods`, { recursive: true });
};

exports.build = series(begin, parallel(compile, icons, schemas, codex), metadata, end);
