// npm run check -- <name> [--all]: types, build and the tests of one part. See partOf for what can be named. Of a resource, `--all` runs
// its part of the matrix too.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { installN8n } from './install.mjs';
import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';
import { build, jest, runTool, types } from './tools.mjs';

const SOURCES = 'nodes/CustomerMessaging';

const exists = (file) => existsSync(path.join(projectFolder, file));

const foldersIn = (folder) =>
	readdirSync(path.join(projectFolder, folder), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name);

/** The resources, as the one list of them has them. */
const resources = () =>
	[
		...readFileSync(path.join(projectFolder, SOURCES, 'operations/index.ts'), 'utf8').matchAll(
			/^\t(\w+)Resource,$/gm,
		),
	].map(([, name]) => name);

/** What holds for the description of a node, whatever it is about. */
const DESCRIBED = ['test/description/', 'test/compatibility/storedParameters.test.mts'];

/** Suites of folders that stand in a folder of another name. */
const TESTS_OF_NODE = {
	customerMessaging: ['test/contract/coverage.test.mts', 'test/core/'],
	customerMessagingTrigger: ['test/trigger/'],
	customerMessagingPollingTrigger: ['test/polling/'],
};

const nodes = () =>
	JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8')).n8n.nodes.map((file) =>
		path.basename(file, '.node.js').replace(/^C/, 'c'),
	);

/** Folders with tests, but for those that need a real n8n. */
const testedFolders = () =>
	foldersIn('test').filter(
		(name) =>
			!/^n8n(-2)?$/.test(name) &&
			readdirSync(path.join(projectFolder, 'test', name), { recursive: true }).some((file) =>
				String(file).endsWith('.test.mts'),
			),
	);

/** What jest runs for a resource: all that one of its operations, or its description, can break. */
const ofResource = (name) => ({
	files: [
		...[`test/operations/${name}/`, ...DESCRIBED, 'test/docs/operations.test.mts'],
		...['test/contract/coverage.test.mts', 'test/contract/outputSchemas.test.mts'],
	],
	env: { RESOURCE_FILTER: name },
});

const ofFolder = (name) => ({
	files: [`test/${name}/`, ...(exists(`${SOURCES}/${name}`) ? ['test/contract/coverage.test.mts'] : [])],
});

/** What jest runs for what a person names: a file of tests, a resource, a node, or a folder. */
function partOf(name) {
	const file = path.relative(projectFolder, path.resolve(name)).split(path.sep).join('/');
	if (file.endsWith('.test.mts') && exists(file)) return { files: [file], projects: [] };
	const last = path.basename(name);
	if (resources().includes(last)) return ofResource(last);
	if (nodes().includes(last)) return { files: [...TESTS_OF_NODE[last], ...DESCRIBED] };
	if (testedFolders().includes(last)) return ofFolder(last);
	throw new SetupProblem(
		`There is nothing to check by the name "${name}": name a resource (${resources().join(', ')}), a node (${nodes().join(', ')}), a folder (${testedFolders().join(', ')}), or the path of a test.`,
	);
}

async function check([name, ...given]) {
	if (name === undefined) throw new SetupProblem('Name what to check: npm run check -- profile');
	const { files, env, projects = ['--selectProjects', 'quick', 'thorough'] } = partOf(name);
	const started = performance.now();
	if (files[0].startsWith('test/n8n/')) await installN8n();
	const typed = runTool(types(), { all: true });
	await build();
	const failed = [];
	// Each worker loads n8n's engine, which takes longer than most of these tests.
	const tested = await runTool(jest(...files, '--maxWorkers=2', ...given, ...projects), { env });
	if (!tested.isDone) failed.push('tests');
	const { isDone, output } = await typed;
	if (!isDone) {
		console.error(output);
		failed.push('types');
	}
	if (failed.length > 0) throw new SetupProblem(`${name} failed: ${failed.join(' and ')}.`);
	console.log(`\n${name} is as it should be (${((performance.now() - started) / 1000).toFixed(0)} s).`);
}

try {
	checkInstalled();
	await check(process.argv.slice(2));
} catch (error) {
	endWith(error);
}
