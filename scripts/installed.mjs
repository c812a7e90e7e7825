// Says in one sentence what is missing before a command of this project can run. Plain Node.js, of old versions too, since
// nothing may be installed yet.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const thisFile = fileURLToPath(import.meta.url);
export const projectFolder = path.resolve(path.dirname(thisFile), '..');

const OLDEST_NODE = [20, 19];

/** A failure that the person in front of the screen can mend: its message is the whole of what they need to read. */
export class SetupProblem extends Error {}

/** Ends the process after a failure: a SetupProblem with its one sentence, anything else as it is. */
export function endWith(error) {
	if (!(error instanceof SetupProblem)) throw error;
	console.error(error.message);
	process.exit(1);
}

/** @throws {SetupProblem} when the running Node.js is older than the project supports */
export function checkNodeVersion() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
	throw new SetupProblem(
		`This project needs Node.js ${OLDEST_NODE.join('.')} or newer, and this is ${process.versions.node}: install the current LTS release from https://nodejs.org.`,
	);
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * The packages that a folder's lockfile names, each with its place.
 *
 * @param isWithoutTools leaves out what is there for development only
 */
export const packagesOf = (folder, isWithoutTools = false) =>
	Object.entries(packagesIn(path.join(folder, 'package-lock.json'))).filter(
		([where, { version, link, dev }]) => where && version && !link && !(isWithoutTools && dev),
	);

/**
 * Whether node_modules holds every package that the lockfile names, at its version. npm writes the list of what is there
 * as the last step of an install, so an interrupted one does not pass.
 *
 * @param isWithoutTools whether those for development may be missing
 */
export function isInstalled(folder, isWithoutTools = false) {
	const listFile = path.join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(listFile)) return false;
	const installed = packagesIn(listFile);
	return packagesOf(folder, isWithoutTools).every(([where, { version, optional }]) =>
		where in installed ? installed[where].version === version : optional === true,
	);
}

/** @throws {SetupProblem} when the project's tools are not there, or not those of the lockfile */
export function checkInstalled() {
	checkNodeVersion();
	if (isInstalled(projectFolder)) return;
	throw new SetupProblem('Run "npm ci" first: node_modules is missing or does not match package-lock.json.');
}

if (process.argv[1] && path.resolve(process.argv[1]) === thisFile) {
	try {
		checkInstalled();
	} catch (error) {
		endWith(error);
	}
}
