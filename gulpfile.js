const { mkdir, readdir, readFile, rm, writeFile } = require('node:fs/promises');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const tsx = require('tsx/cjs/api');

const { homepage, n8n, name, repository, version } = require('./package.json');
const { buildDigest, noteBuild } = tsx.require('./scripts/sources.mts', __filename);

const OUT = 'dist';

/** Reads the description of a tenant, for the editor only: n8n shall not load a parser at its start. */
const READER = 'tenantDescription/readDescription';

/** Where n8n's links to the documents lead in the sources. The owner's address is in one place, package.json. */
const DOCUMENTS = /https:\/\/customer-messaging\.example\/n8n-nodes-customer-messaging(?=["'#])/g;

const documentsAtHome = (text) => text.replace(DOCUMENTS, homepage.replace(/#.*$/, ''));

/** What the reader uses of its library. It stands in a file of its own, which has no code of ours and so is minified. */
const PARSER = 'tenantDescription/yaml';

let builtFrom;

/** What changes while it is being built shall not be taken for built. */
const begin = async () => {
	builtFrom = await buildDigest();
	await noteBuild(undefined);
	await rm(OUT, { recursive: true, force: true });
};

const end = () => noteBuild(builtFrom);

/** Minifies libraries, which have their readable sources elsewhere. Our own code stays as it is. */
const minifyLibraries = {
	name: 'minify-libraries',
	setup(build) {
		build.onLoad({ filter: /[\\/]node_modules[\\/].*\.m?js$/ }, async ({ path: file }) => {
			const { code } = await esbuild.transform(await readFile(file, 'utf8'), { minify: true });
			return { contents: code };
		});
	},
};

/** Has the node require the reader from the folder next to it, and the reader its parser: they are files of their own. */
const leaveReaderApart = {
	name: 'leave-reader-apart',
	setup: ({ onResolve }) => {
		onResolve({ filter: /\/readDescription$/ }, () => ({ path: `./${READER}.js`, external: true }));
		onResolve({ filter: /^\.\/yaml$/ }, () => ({ path: './yaml.js', external: true }));
	},
};

/** Writes the licenses of the libraries in the bundles, which ask for that. */
async function writeNotices({ inputs }) {
	const folders = new Set(
		Object.keys(inputs).flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
	);
	const notices = [...folders].sort().map(async (folder) => {
		const license = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
		if (!license) throw new Error(`${folder} has no license file to publish`);
		return `${path.basename(folder)}\n\n${await readFile(path.join(folder, license), 'utf8')}`;
	});
	await writeFile(`${OUT}/THIRD_PARTY_NOTICES.txt`, (await Promise.all(notices)).join('\n\n'));
}

/**
 * Writes a file as a module of CommonJS. esbuild divides what several files share only into modules of ECMAScript, and
 * writes their imports and exports in these forms.
 */
async function writeCommonJs({ path: file, text }, banner) {
	const code = documentsAtHome(text)
		.replace(/^import (?:(\{[^}]*\}) from )?("[^"]+");$/gm, (_, names, from) =>
			names ? `const ${names.replaceAll(' as ', ': ')} = require(${from});` : `require(${from});`,
		)
		.replace(/^export (\{[^}]*\});$/gm, (_, names) => {
			const members = names.replace(/(\w+) as (\w+)/g, '$2: $1');
			return `module.exports = ${members};`;
		});
	if (/^(import|export)\b/m.test(code)) throw new Error(`${file} has an import or export of another form`);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, `${banner}\n"use strict";\n${code}`);
}

/**
 * One file for each node and credential that package.json names, and files with what several of them share, so that n8n
 * reads few files at start.
 */
const compile = async () => {
	const settings = {
		outdir: OUT,
		outbase: '.',
		bundle: true,
		// n8n has these two itself, and lets packages use them.
		external: ['luxon', 'n8n-workflow'],
		plugins: [leaveReaderApart, minifyLibraries],
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		// n8n forgets what was required when it updates a package, but not what was imported.
		supported: { 'dynamic-import': false },
		// What people install can be read: our code is not minified, and stack traces name functions.
		banner: { js: `// ${name} ${version}, bundled from ${repository.url.replace(/^git\+/, '')}` },
		logLevel: 'warning',
		metafile: true,
	};
	const [own, parser] = await Promise.all([
		esbuild.build({
			...settings,
			format: 'esm',
			splitting: true,
			chunkNames: 'nodes/CustomerMessaging/part-[hash]',
			banner: {},
			write: false,
			entryPoints: [
				...[...n8n.nodes, ...n8n.credentials].map((file) => path.relative(OUT, file).replace(/\.js$/, '.ts')),
				`nodes/CustomerMessaging/${READER}.ts`,
			],
		}),
		esbuild.build({
			...settings,
			entryPoints: [`nodes/CustomerMessaging/${PARSER}.ts`],
			minify: true,
			// esbuild leaves out where the parts of a minified file come from.
			banner: {
				js: [settings.banner.js, `// nodes/CustomerMessaging/${PARSER}.ts`, '// node_modules/js-yaml'].join(
					'\n',
				),
			},
		}),
	]);
	await Promise.all(own.outputFiles.map(async (file) => await writeCommonJs(file, settings.banner.js)));
	await writeNotices({ inputs: { ...own.metafile.inputs, ...parser.metafile.inputs } });
};

const icons = () => src('icons/*.svg').pipe(dest(`${OUT}/icons`));

const schemas = () => src('nodes/**/__schema__/**/*.json').pipe(dest(`${OUT}/nodes`));

const codex = async () => {
	for (const node of n8n.nodes) {
		const file = node.replace(/\.js$/, '.json');
		await mkdir(path.dirname(file), { recursive: true });
		await writeFile(file, documentsAtHome(await readFile(path.relative(OUT, file), 'utf8')));
	}
};

exports.build = series(begin, parallel(compile, icons, schemas, codex), end);
