const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const tsx = require('tsx/cjs/api');

const { homepage, n8n, name, repository, version } = require('./package.json');
const { buildDigest, noteBuild } = tsx.require('./scripts/sources.mts', __filename);

const OUT = 'dist';

/** The modules of all nodes and credentials, and beside them the one library, which only some of them load. */
const BUNDLE = `${OUT}/nodes/CustomerMessaging/bundle.js`;
const YAML = `${OUT}/nodes/CustomerMessaging/yaml.js`;

/** Where n8n's links to the documents lead in the sources. The owner's address is in one place, package.json. */
const DOCUMENTS = 'https://customer-messaging.example/n8n-nodes-customer-messaging';

const BANNER = `// ${name} ${version}, bundled from ${repository.url.replace(/^git\+/, '')}\n`;

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

const publishedLinks = {
	name: 'published-links',
	setup: ({ onLoad }) => {
		const contentsOf = async ({ path: file }) => ({ contents: await readWithLinks(file), loader: 'ts' });
		onLoad({ filter: /\.credentials\.ts$/ }, contentsOf);
	},
};

const yamlInItsFile = {
	name: 'yaml-in-its-file',
	setup: ({ onResolve }) => {
		onResolve({ filter: /^js-yaml$/ }, () => ({ path: `./${path.basename(YAML)}`, external: true }));
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
	const sources = [...n8n.nodes, ...n8n.credentials].map((file) =>
		path.relative(OUT, file).replace('.js', ''),
	);
	const contents = sources.map((file) => `export * from './${file}';`).join('\n');
	await esbuild.build({
		...settings,
		stdin: { contents, resolveDir: __dirname },
		outfile: BUNDLE,
		plugins: [publishedLinks, yamlInItsFile],
		packages: 'external',
	});
};

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
	for (const file of [...n8n.nodes, ...n8n.credentials]) {
		const [className] = path.basename(file).split('.');
		const from = path.posix.relative(path.posix.dirname(file), BUNDLE);
		const bundle = from.startsWith('.') ? from : `./${from}`;
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(
			file,
			`${BANNER}'use strict';\nexports.${className} = require('${bundle}').${className};\n`,
		);
	}
};

const icons = () => src('icons/*.svg').pipe(dest(`${OUT}/icons`));

const schemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest(`${OUT}/nodes`));

const codex = async () => {
	for (const node of n8n.nodes) {
		const file = node.replace(/\.js$/, '.json');
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, await readWithLinks(path.relative(OUT, file)));
	}
};

exports.build = series(begin, parallel(compile, library, entries, icons, schemas, codex), end);
