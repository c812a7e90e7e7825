import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where `scripts/install.mjs` puts n8n. */
const folder = path.join(import.meta.dirname, '..', 'n8n-2');

/** The oldest Node.js that it runs on. */
const OLDEST_NODE = 24;

/** An n8n on this machine and the Node.js that runs it. */
export interface N8nInstallation {
	version: string;
	/** The script behind the command `n8n`. */
	script: string;
	/** The Node.js executable to run it with. */
	node: string;
	/** Where that keeps the code that it has compiled. */
	compileCache: string;
}

/**
 * The pinned n8n that `node scripts/install.mjs n8n` installs.
 *
 * @throws Error when it has not been installed
 */
export function installedN8n(): N8nInstallation {
	const modules = path.join(folder, 'node_modules');
	const script = path.join(modules, 'n8n', 'bin', 'n8n');
	if (!existsSync(script)) throw new Error('n8n is not installed: run `node scripts/install.mjs n8n` first.');
	const { version } = JSON.parse(readFileSync(path.join(modules, 'n8n', 'package.json'), 'utf8')) as {
		version: string;
	};
	const compileCache = path.join(modules, '.cache', 'compiled');
	return { version, script, node: nodeFor(modules), compileCache };
}

/** Node.js 24 comes with n8n, as an npm package, for a machine whose own is older. */
function nodeFor(modules: string): string {
	if (Number(process.versions.node.split('.')[0]) >= OLDEST_NODE) return process.execPath;
	const executable = process.platform === 'win32' ? 'node.exe' : 'node';
	return path.join(modules, `node-${process.platform}-${process.arch}`, 'bin', executable);
}
