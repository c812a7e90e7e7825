// Installs what has to be there. Plain Node.js, since nothing may be installed yet.
//
//   node scripts/install.mjs        the project's tools, for `npm start` and `npm test`, which need nothing before them
//   node scripts/install.mjs n8n    the n8n that `npm start` and the end-to-end tests run
//
// With N8N_GENERATION=1 that is the newest n8n 1, and the first command installs it too: tests then run in its engine.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	checkInstalled,
	checkNodeVersion,
	endWith,
	isInstalled,
	projectFolder,
	SetupProblem,
} from './installed.mjs';

const generation = process.env.N8N_GENERATION || '2';
const n8nFolder = path.join(projectFolder, 'test', generation === '1' ? 'n8n-1' : 'n8n-2');
const n8nModules = path.join(n8nFolder, 'node_modules');

/** The oldest Node.js that n8n 2 runs on. */
const NODE_OF_N8N = 24;

function checkGeneration() {
	if (['1', '2'].includes(generation)) return;
	throw new SetupProblem(
		`N8N_GENERATION must be 1 or 2, not "${generation}": set one of them, or leave it out for 2.`,
	);
}

/**
 * Runs npm, and meanwhile shows how long it takes.
 *
 * @throws {SetupProblem} that names what failed, with npm's own code for the reason
 */
async function npm(
	args,
	folder,
	failed,
	remedy = 'see to the network, the npm registry and the room on the disk',
) {
	const script = process.env.npm_execpath;
	const [command, ...leading] = script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
	// Compile against the headers that came with Node.js, where there are any, rather than download them.
	const prefix = path.resolve(process.execPath, '../..');
	const hasHeaders = existsSync(path.join(prefix, 'include', 'node', 'node_api.h'));
	const child = spawn(command, [...leading, ...args, '--loglevel=error'], {
		cwd: folder,
		env: { ...(hasHeaders && { npm_config_nodedir: prefix }), ...process.env },
		shell: command === 'npm' && process.platform === 'win32',
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-100_000)));
	const started = Date.now();
	const clock = setInterval(() => {
		if (process.stdout.isTTY) process.stdout.write(`  ${Math.round((Date.now() - started) / 1000)} s\r`);
	}, 1_000);
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	let isStopped = false;
	const stop = (signal) => {
		isStopped = true;
		child.kill(signal);
	};
	for (const signal of signals) process.on(signal, stop);
	const code = await new Promise((resolve) => {
		child.on('error', (error) => resolve(error.message));
		child.on('close', resolve);
	});
	clearInterval(clock);
	for (const signal of signals) process.off(signal, stop);
	if (isStopped) throw new SetupProblem('The installation was stopped: run the same command again.');
	if (code === 0) return;
	const reason = /^npm error code (\S+)/m.exec(errors)?.[1] ?? `it ended with ${code}`;
	throw new SetupProblem(
		`${failed} (${reason}): ${remedy}, and run the same command again; npm's newest log says more (\`npm config get cache\`, folder _logs).`,
	);
}

/** Installs the project's tools where they are missing or out of date. */
export async function installProject() {
	checkNodeVersion();
	checkGeneration();
	if (!isInstalled(projectFolder)) {
		console.log("Installing the project's tools (about 1,300 packages, 1 GB on disk; a minute or a few).");
		await npm(
			['ci', '--include=dev', '--include=optional'],
			projectFolder,
			"npm could not install the project's tools",
		);
	}
	if (generation === '1') await installN8nPackages();
}

async function installN8nPackages() {
	if (isInstalled(n8nFolder)) return;
	const size = generation === '1' ? '1,700 packages, 1.4 GB on disk' : '2,100 packages, 2.2 GB on disk';
	console.log(`Installing n8n (about ${size}; some minutes, only the first time).`);
	// `npm ci` wants a lockfile with every package for every platform, and not all of n8n's can be had.
	await npm(
		['install', '--no-save', '--include=optional', '--prefer-offline'],
		n8nFolder,
		'npm could not install n8n',
	);
}

/** Installs the pinned n8n, the Node.js it runs on and its native SQLite module. The project's tools have to be there. */
export async function installN8n() {
	checkGeneration();
	await installN8nPackages();
	const platform = `${process.platform}-${process.arch}`;
	const hasNode =
		Number(process.versions.node.split('.')[0]) >= NODE_OF_N8N ||
		existsSync(path.join(n8nModules, `node-${platform}`));
	if (generation === '2' && !hasNode) {
		throw new SetupProblem(
			`n8n needs Node.js ${NODE_OF_N8N}, and the npm registry has none for ${platform}: run this with Node.js ${NODE_OF_N8N} or newer.`,
		);
	}
	if (existsSync(path.join(n8nModules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node'))) return;
	console.log("Fetching n8n's SQLite module, or compiling it (about a minute).");
	await npm(
		['rebuild', 'sqlite3', '--ignore-scripts=false'],
		n8nFolder,
		"n8n's SQLite module could be neither downloaded nor compiled",
		'install python3, make and a C++ compiler (on Debian or Ubuntu: apt-get install -y python3 make g++)',
	);
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	try {
		if (process.argv[2] === 'n8n') {
			checkInstalled();
			await installN8n();
		} else {
			await installProject();
		}
	} catch (error) {
		endWith(error);
	}
}
