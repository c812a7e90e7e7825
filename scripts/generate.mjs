// npm run generate: writes everything that is made from something else and committed, and says what has changed by it.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';

import { checkInstalled, endWith, projectFolder, SetupProblem } from './installed.mjs';
import { build, jest, runTool } from './tools.mjs';

const NODES = 'nodes/CustomerMessaging';

/** What is written, where, and by what, each after what it is made from. What needs the compiled package says so. */
const WRITTEN = [
	{
		name: 'Types of the contract',
		files: [`${NODES}/contract/contract.types.ts`],
		by: ['openapi-typescript', 'sandbox/openapi.yaml', '-o', `${NODES}/contract/contract.types.ts`],
	},
	{ name: 'Output schemas', files: [`${NODES}/__schema__`], by: ['tsx', 'scripts/outputSchemas.mts'] },
	{ name: 'Table of operations', files: ['README.md'], by: ['tsx', 'scripts/operationsTable.mts'] },
	{
		name: 'Stored parameters',
		files: ['test/compatibility/storedParameters.txt'],
		by: ['tsx', 'scripts/storedParameters.mts'],
		isOfBuild: true,
	},
	{
		name: 'Requests and items of each case',
		files: ['test/contract/__snapshots__'],
		by: jest('test/contract/coverage.test.mts', '--ci=false', '-u', '--selectProjects', 'quick'),
		isOfBuild: true,
		isShown: true,
	},
];

/** The text of each file, and of each file in a folder, by its path. */
function textsOf(places) {
	const files = places.flatMap((place) => {
		const absolute = path.join(projectFolder, place);
		if (!existsSync(absolute)) return [];
		if (!statSync(absolute).isDirectory()) return [place];
		const names = readdirSync(absolute, { recursive: true }).map((name) => path.join(place, name));
		return names.filter((name) => statSync(path.join(projectFolder, name)).isFile());
	});
	return new Map(files.map((file) => [file, readFileSync(path.join(projectFolder, file), 'utf8')]));
}

/** The paths of files whose text is another one, or that came or went. */
const changedBetween = (before, after) =>
	[...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file));

async function generate() {
	const failed = [];
	let isBuilt = false;
	for (const { name, files, by, isOfBuild = false, isShown = false } of WRITTEN) {
		if (isOfBuild && !isBuilt) {
			await build();
			isBuilt = true;
		}
		const before = textsOf(files);
		const { isDone, output } = await runTool(by, { all: true });
		const changed = changedBetween(before, textsOf(files));
		if (!isDone) {
			failed.push(name);
			console.log(output);
		}
		const what = changed.length === 0 ? 'as before' : `changed (${changed.join(', ')})`;
		console.log(`${name}: ${isDone ? what : `FAILED, ${what}`}`);
		if (isShown && changed.length > 0) await runTool(['git', '--no-pager', 'diff', '--', ...files]);
	}
	console.log('\nChanges since the last commit:');
	const all = WRITTEN.flatMap(({ files }) => files);
	await runTool(['git', '--no-pager', 'diff', '--stat', 'HEAD', '--', ...all]);
	await runTool(['git', 'ls-files', '--others', '--exclude-standard', '--', ...all]);
	if (failed.length === 0) return;
	throw new SetupProblem(
		`${failed.join(', ')}: could not be written as above. Mend that, and run npm run generate again.`,
	);
}

try {
	checkInstalled();
	await generate();
} catch (error) {
	endWith(error);
}
