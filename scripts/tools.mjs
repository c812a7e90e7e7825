// Runs the project's tools as processes of their own. They have to be installed before the first call.
import path from 'node:path';

import { isInstalled, projectFolder, SetupProblem } from './installed.mjs';

const JEST = path.join(projectFolder, 'node_modules/jest/bin/jest.js');

/**
 * Runs a tool to its end, by default with the screen for itself.
 *
 * @returns whether it succeeded, and what it printed where that is caught (execa's `all`)
 */
export async function runTool([command, ...args], options = {}) {
	const { execa } = await import('execa');
	const { failed, all, isTerminated } = await execa(command, args, {
		...{ cwd: projectFolder, preferLocal: true, localDir: projectFolder, reject: false },
		...(options.all ? { stdin: 'ignore' } : { stdio: 'inherit' }),
		...options,
	});
	return { isDone: !failed, output: all ?? '', isTerminated };
}

/** Jest as a command for `runTool`. Some tests load ES modules by dynamic import, which needs the flag. */
export const jest = (...args) => [process.execPath, '--experimental-vm-modules', JEST, ...args];

/** Where tools keep what they know of their last run. */
export const CACHE = 'node_modules/.cache';

const typesIn = (folder, name) => [
	...['tsc', '--project', folder],
	...['--incremental', '--tsBuildInfoFile', `${CACHE}/${name}.tsbuildinfo`],
];

/** The check of the types as a command for `runTool`, of the tests of a real n8n too where their own packages are installed. */
export const types = () =>
	isInstalled(path.join(projectFolder, 'test/n8n')) ? typesIn('test/n8n', 'types') : typesIn('.', 'types');

/** The same for what n8n runs, which may use nothing of a browser. */
export const typesOfPackage = typesIn('nodes', 'typesOfPackage');

/** Compiles the package into `dist`, if it was not compiled from these sources. @throws {SetupProblem} when it does not compile */
export async function build() {
	const { tsImport } = await import('tsx/esm/api');
	const { problemOfBuild } = await tsImport('./sources.mts', import.meta.url);
	if ((await problemOfBuild()) === undefined) return;
	const { isDone, output } = await runTool(['gulp', 'build', '--silent'], { all: true });
	if (isDone) return;
	throw new SetupProblem(`${output}\nThe package does not compile: mend what is named above.`.trimStart());
}
