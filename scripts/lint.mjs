// npm run lint: everything that is found without running the code. Each tool has its say, also after another one has failed. A check
// that has passed is not made again before one of its files changes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';
import { CACHE, runTool, types, typesOfPackage } from './tools.mjs';

/** What is checked, and the tool for it. The caches go by the content of files, which a checkout does not change. */
const CHECKS = {
	types: types(),
	'types of the package, without those of a browser': typesOfPackage,
	"n8n's rules": ['n8n-node', 'lint'],
	'rules for all other files': [
		...['eslint', '--config', 'scripts/eslint.tools.config.mjs', '--max-warnings', '0'],
		...['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/eslint/`, '.'],
	],
	'format (mended by `npm run format`)': [
		...['prettier', '--check', '--log-level', 'warn'],
		...['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/prettier/cache`, '.'],
	],
};

/** The files of checks that look at a part of the project. */
const SETTINGS = ['eslint.config.mjs', 'package-lock.json', 'package.json', 'tsconfig.json'];
const OF_PACKAGE = ['credentials', 'icons', 'nodes', ...SETTINGS];
const FILES = { 'types of the package, without those of a browser': OF_PACKAGE, "n8n's rules": OF_PACKAGE };

/** By check, what it has passed. */
const PASSED = path.join(projectFolder, CACHE, 'passed.json');

async function lint() {
	const { tsImport } = await import('tsx/esm/api');
	const { digestOf } = await tsImport('./sources.mts', import.meta.url);
	const passed = existsSync(PASSED) ? JSON.parse(readFileSync(PASSED, 'utf8')) : {};
	const failed = [];
	for (const [what, tool] of Object.entries(CHECKS)) {
		const checked = [process.version, ...tool, await digestOf(FILES[what] ?? ['.'])].join(' ');
		if (passed[what] === checked) {
			console.log(`Unchanged since it passed: ${what}`);
			continue;
		}
		const started = performance.now();
		const { isDone } = await runTool(tool);
		passed[what] = isDone ? checked : undefined;
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		console.log(`${isDone ? 'Checked' : 'FAILED'}: ${what} (${seconds} s)`);
		if (!isDone) failed.push(what);
	}
	mkdirSync(path.dirname(PASSED), { recursive: true });
	writeFileSync(PASSED, JSON.stringify(passed));
	if (failed.length > 0) throw new SetupProblem(`Lint failed: ${failed.join(', ')}.`);
}

try {
	checkInstalled();
	await lint();
} catch (error) {
	endWith(error);
}
