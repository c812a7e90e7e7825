const { rm } = require('node:fs/promises');
const path = require('node:path');

const esbuild = require('esbuild');
const { dest, parallel, series, src } = require('gulp');

const { n8n } = require('./package.json');

const OUT = 'dist';

const clean = () => rm(OUT, { recursive: true, force: true });

/** One file for each node and credential that package.json names, so that n8n reads few files at start. */
const compile = () =>
	esbuild.build({
		entryPoints: [...n8n.nodes, ...n8n.credentials].map((file) =>
			path.relative(OUT, file).replace(/\.js$/, '.ts'),
		),
		outdir: OUT,
		outbase: '.',
		bundle: true,
		external: ['n8n-workflow'],
		platform: 'node',
		format: 'cjs',
		target: 'node20',
		// A sixth of what people download would be names that only this file knows.
		minify: true,
		logLevel: 'warning',
	});

const icons = () => src('icons/*.svg').pipe(dest(`${OUT}/icons`));

const metadata = () =>
	src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(dest(`${OUT}/nodes`));

exports.build = series(clean, parallel(compile, icons, metadata));
