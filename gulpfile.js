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

/** The modules of all nodes, and beside them the one library, which only some of them load. */
const BUNDLE = `${OUT}/nodes/CustomerMessaging/bundle.js`;
const YAML = `${OUT}/nodes/CustomerMessaging/yaml.js`;

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

const yamlInItsFile = {
	name: 'yaml-in-its-file',
	setup: ({ onResolve }) => {
		onResolve({ filter: /^js-yaml$/ }, () => ({ path: `./${path.basename(YAML)}`, external: true }));
	},
};

/**
 * A module of n8n is required once for all modules that import from it: Node.js takes 0.1 ms to find it again. A name that n8n
 * lacks is undefined, as it is in the module itself.
 */
const requiredOnce = {
	name: 'required-once',
	setup: ({ onResolve, onLoad }) => {
		const filter = /^(?:luxon|n8n-workflow)$/;
		onResolve({ filter }, ({ path: module, namespace }) =>
			namespace === 'n8n'
				? { path: module, external: true, sideEffects: false }
				: { path: module, namespace: 'n8n', sideEffects: false },
		);
		onLoad({ filter, namespace: 'n8n' }, ({ path: module }) => ({
			contents: `export { ${Object.keys(require(ofN8n(module))).join(', ')} } from '${module}';`,
		}));
	},
};

const settings = {
	bundle: true,
	platform: 'node',
	format: 'cjs',
	target: 'node20',
	// n8n forgets what was required when it updates a package, but not what was imported.
	supported: { 'dynamic-import': false },
	banner: { js: BANNER.trim() },
	logLevel: 'warning',
};

/** What people install can be read: our code is not minified, and stack traces name functions. */
const compile = async () => {
	const contents = n8n.nodes.map((file) => `export * from './${sourceOf(file)}';`).join('\n');
	await esbuild.build({
		...settings,
		stdin: { contents, resolveDir: __dirname },
		outfile: BUNDLE,
		plugins: [requiredOnce, yamlInItsFile, ownSources],
		packages: 'external',
	});
};

/** Each of its own: n8n loads credentials at its start, and the nodes when they run. */
const credentials = async () =>
	await esbuild.build({
		...settings,
		entryPoints: n8n.credentials.map((file) => `${sourceOf(file)}.ts`),
		outdir: `${OUT}/credentials`,
		plugins: [requiredOnce, ownSources],
		packages: 'external',
	});

/** A library has its readable source elsewhere. */
const library = async () => {
	const contents = "export { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml';";
	const banner = { js: `${BANNER}// node_modules/js-yaml` };
	const stdin = { contents, resolveDir: __dirname };
	await esbuild.build({ ...settings, stdin, outfile: YAML, banner, minify: true });
	const license = await readFile(
		path.join(path.dirname(require.resolve('js-yaml/package.json')), 'LICENSE'),
		'utf8',
	);
	await writeFile(`${OUT}/THIRD_PARTY_NOTICES.txt`, `js-yaml\n\n${license}`);
};

/** The files that package.json names. Each has its class from the bundle. */
const entries = async () => {
	for (const file of n8n.nodes) {
		const [className] = path.basename(file).split('.');
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(
			file,
			`${BANNER}'use strict';\nexports.${className} = require('./${path.basename(BUNDLE)}').${className};\n`,
		);
	}
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

exports.build = series(
	begin,
	parallel(compile, credentials, library, entries, icons, schemas, codex),
	metadata,
	end,
);
