const { execFile } = require('node:child_process');
const { mkdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { Transform } = require('node:stream');
const { promisify } = require('node:util');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const { rollup } = require('rollup');
const tsx = require('tsx/cjs/api');

const { homepage, n8n, name, version } = require('./package.json');
const { buildDigest, noteBuild } = tsx.require('./scripts/sources.mts', __filename);

const OUT = 'dist';

/** Finds a module of n8n: among the project's tools, or where `npm start` has installed n8n without them. */
const ofN8n = (module) =>
	require.resolve(module, {
		paths: ['.', 'test/n8n-2'].map((folder) => path.join(__dirname, folder)),
	});

/** Where n8n's links to the documents lead in the sources. The owner's address is in one place, package.json. */
const DOCUMENTS = 'https://customer-messaging.example/n8n-nodes-customer-messaging';

const sourceOf = (file) => path.relative(OUT, file).replace('.js', '');

const hasOwner = !homepage.startsWith(DOCUMENTS);

/** Reads a source with the links that are published: none as long as they would lead nowhere. n8n's rules ask for them in the sources. */
const readWithLinks = async (file) => {
	const text = await readFile(file, 'utf8');
	if (hasOwner) return text.replaceAll(DOCUMENTS, homepage.split('#')[0]);
	// n8n reads no codex without the member.
	if (file.endsWith('.json')) return JSON.stringify({ ...JSON.parse(text), resources: {} });
	return text.replace(/^\tdocumentationUrl = .*/m, '');
};

let builtFrom;

/** What changes while it is being built shall not be taken for built. */
const begin = async () => {
	if (!hasOwner)
		console.warn(`n8n shows no help links yet: homepage in package.json is the placeholder ${DOCUMENTS}`);
	builtFrom = await buildDigest();
	await noteBuild(undefined);
	await rm(OUT, { recursive: true, force: true });
};

const end = () => noteBuild(builtFrom);

/** Our sources with the published links, without types and comments. Lines and names stay. */
const ownSources = {
	name: 'own-sources',
	resolveId: (id, from) => (id.startsWith('.') && from ? `${path.resolve(path.dirname(from), id)}.ts` : null),
	async load(file) {
		if (!file.endsWith('.ts')) return null;
		// n8n has it too, where `npm start` has installed no tools.
		const { transpile } = require(ofN8n('typescript'));
		const language = { target: 'esnext', module: 'esnext', useDefineForClassFields: false };
		return await esbuild.transform(
			transpile(await readWithLinks(file), { ...language, removeComments: true }),
			{ target: 'node20' },
		);
	},
};

/** A module of n8n or Node.js of which nothing is used is not loaded. */
const external = {
	name: 'external',
	resolveId: (id) =>
		/^(?:luxon|n8n-workflow|node:.+)$/.test(id) ? { id, external: true, moduleSideEffects: false } : null,
};

/** A library, whose readable source is elsewhere. */
const LIBRARY = 'js-yaml';
const LIBRARY_FOLDER = path.dirname(require.resolve(`${LIBRARY}/package.json`));
const isLibrary = (id) => id.startsWith(LIBRARY_FOLDER);

/** The library without what nobody calls: its tables are taken for calls without effects, so that the bundler may leave them out. */
const library = {
	name: 'library',
	resolveId: (id) => (id === LIBRARY ? path.join(LIBRARY_FOLDER, 'dist/js-yaml.mjs') : null),
	transform(text, file) {
		if (!isLibrary(file)) return null;
		const { createSourceFile, isClassExpression, isVariableStatement, ScriptTarget } = require(
			ofN8n('typescript'),
		);
		return createSourceFile(file, text, ScriptTarget.Latest)
			.statements.filter(isVariableStatement)
			.flatMap(({ declarationList }) => declarationList.declarations)
			.flatMap(({ initializer }) => (initializer && !isClassExpression(initializer) ? [initializer] : []))
			.reduceRight((rest, { pos, end }) => {
				const call = `/* @__PURE__ */ (() => (${rest.slice(pos, end)}))()`;
				return `${rest.slice(0, pos)} ${call}${rest.slice(end)}`;
			}, text);
	},
};

const minified = async (text) =>
	(await esbuild.transform(text, { minify: true, format: 'cjs', target: 'node20' })).code;

/** How many modules come from each room, which is a folder of the sources. */
function roomsOf(moduleIds) {
	const counts = {};
	for (const id of moduleIds) {
		const folders = path.relative('nodes/CustomerMessaging', path.dirname(id)).split(path.sep);
		const own = folders.find((folder) => /\w/.test(folder)) ?? 'CustomerMessaging';
		const room = isLibrary(id) ? LIBRARY : own;
		counts[room] = (counts[room] ?? 0) + 1;
	}
	return Object.entries(counts).toSorted(([, a], [, b]) => b - a);
}

/** What several files have in common is named after the room that most of it comes from. */
const chunkName = ({ isDynamicEntry, moduleIds, name }) =>
	`shared/${isDynamicEntry ? name : roomsOf(moduleIds)[0][0]}.js`;

/**
 * The files that package.json names, and what they have in common in files of its own, so that each node and credential loads what
 * it needs only, and the parser of YAML to read a description. What people install can be read: our code is not minified, and
 * stack traces name functions.
 */
const compile = async () => {
	const bundle = await rollup({
		input: Object.fromEntries(
			[...n8n.nodes, ...n8n.credentials].map((file) => [
				sourceOf(file),
				`${path.resolve(sourceOf(file))}.ts`,
			]),
		),
		plugins: [external, library, ownSources],
		treeshake: { moduleSideEffects: false },
	});
	const { output } = await bundle.generate({
		format: 'cjs',
		exports: 'named',
		interop: 'default',
		strict: true,
		freeze: false,
		esModule: false,
		externalLiveBindings: false,
		hoistTransitiveImports: false,
		// n8n forgets what was required when it updates a package, but not what was imported.
		dynamicImportInCjs: false,
		generatedCode: { arrowFunctions: true, constBindings: true, objectShorthand: true },
		chunkFileNames: chunkName,
	});
	for (const { code, fileName, moduleIds } of output) {
		const file = path.join(OUT, fileName);
		await mkdir(path.dirname(file), { recursive: true });
		const rooms = roomsOf(moduleIds).map(([room, count]) => `${room} ${count}`);
		const contents = moduleIds.some(isLibrary) ? await minified(code) : code;
		await writeFile(file, `// ${name} ${version}, modules: ${rooms.join(', ')}\n${contents}`);
	}
	const license = await readFile(path.join(LIBRARY_FOLDER, 'LICENSE'), 'utf8');
	await writeFile(`${OUT}/THIRD_PARTY_NOTICES.txt`, `${LIBRARY}\n\n${license}`);
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
