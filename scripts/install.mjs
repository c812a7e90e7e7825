// Installs what has to be there. Plain Node.js, since nothing may be installed yet.
//
//   node scripts/install.mjs        the project's tools, for `npm test`, which needs nothing before it
//   node scripts/install.mjs n8n    the n8n that the end-to-end tests run
//
// With N8N_GENERATION=1 that is the newest n8n 1, and the first command installs it too: tests then run in its engine.
// `npm start` needs neither before it, and installs n8n and the few tools that build and run: `installForStart`.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	checkInstalled,
	checkNodeVersion,
	endWith,
	isInstalled,
	packagesOf,
	projectFolder,
	SetupProblem,
} from './installed.mjs';

const generation = process.env.N8N_GENERATION || '2';
const n8nFolder = path.join(projectFolder, 'test', generation === '1' ? 'n8n-1' : 'n8n-2');
const n8nModules = path.join(n8nFolder, 'node_modules');
const sqliteFolder = path.join(projectFolder, 'test', 'sqlite3');

/** The native module of SQLite, in the node_modules of a folder. */
const SQLITE = path.join('sqlite3', 'build', 'Release', 'node_sqlite3.node');
const ownSqlite = path.join(sqliteFolder, 'node_modules', SQLITE);
const sqliteOfN8n = path.join(n8nModules, SQLITE);

/** The oldest Node.js that n8n 2 runs on. */
const NODE_OF_N8N = 24;

function checkGeneration() {
	if (['1', '2'].includes(generation)) return;
	throw new SetupProblem(
		`N8N_GENERATION must be 1 or 2, not "${generation}": set one of them, or leave it out for 2.`,
	);
}

/**
 * Runs npm.
 *
 * @param signal ends it
 * @throws {SetupProblem} that names what failed, with npm's own code for the reason
 */
async function npm(
	args,
	folder,
	failed,
	{ remedy = 'see to the network, the npm registry and the room on the disk', signal } = {},
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
		signal,
	});
	let errors = '';
	child.stderr.setEncoding('utf8').on('data', (text) => (errors = (errors + text).slice(-100_000)));
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	let isStopped = false;
	const stop = (name) => {
		isStopped = true;
		child.kill(name);
	};
	for (const name of signals) process.on(name, stop);
	const code = await new Promise((resolve) => {
		child.on('error', (error) => resolve(error.message));
		child.on('close', resolve);
	});
	for (const name of signals) process.off(name, stop);
	if (isStopped) throw new SetupProblem('The installation was stopped: run the same command again.');
	if (code === 0) return;
	const reason = /^npm error code (\S+)/m.exec(errors)?.[1] ?? `it ended with ${code}`;
	throw new SetupProblem(
		`${failed} (${reason}): ${remedy}, and run the same command again; npm's newest log says more (\`npm config get cache\`, folder _logs).`,
	);
}

/**
 * Has npm install the packages of folders, side by side, and meanwhile says how far it is.
 *
 * @param installs each has a folder, the arguments of npm, what failed if it fails, whether only what is no tool for
 *   development is needed, and the file that is made of its packages, if any, with how
 */
async function install(installs) {
	const missing = installs.filter(
		({ folder, isWithoutTools, file }) =>
			!isInstalled(folder, isWithoutTools) || (file !== undefined && !existsSync(file)),
	);
	if (missing.length === 0) return;
	const places = missing.flatMap(({ folder, isWithoutTools }) =>
		packagesOf(folder, isWithoutTools)
			.filter(([, { optional }]) => !optional)
			.map(([where]) => path.join(folder, where, 'package.json')),
	);
	console.log(
		`Installing ${places.length.toLocaleString('en')} packages; some minutes, only the first time.`,
	);
	const stopping = new AbortController();
	const started = Date.now();
	// How long npm takes for what is left depends on the network and on few large packages: no guess would hold.
	const tell = () => {
		const there = places.filter((file) => existsSync(file)).length;
		const what =
			there === places.length
				? 'all packages are there, npm completes them'
				: `${Math.floor((there / places.length) * 100)} % of the packages`;
		return `  ${Math.round((Date.now() - started) / 1000)} s: ${what}`;
	};
	const clock = process.stdout.isTTY
		? setInterval(() => process.stdout.write(`${tell().padEnd(60)}\r`), 1_000)
		: setInterval(() => console.log(tell()), 20_000);
	const done = await Promise.allSettled(
		missing.map(async ({ folder, args, failed, make }) => {
			try {
				await npm(args, folder, failed, { signal: stopping.signal });
				await make?.(stopping.signal);
			} catch (error) {
				if (stopping.signal.aborted) return;
				stopping.abort();
				throw error;
			}
		}),
	);
	clearInterval(clock);
	for (const { reason } of done) if (reason) throw reason;
}

const tools = {
	folder: projectFolder,
	args: ['ci', '--include=dev', '--include=optional'],
	failed: "npm could not install the project's tools",
};

const n8nPackages = {
	folder: n8nFolder,
	// `npm ci` wants a lockfile with every package for every platform, and not all of n8n's can be had.
	args: ['install', '--no-save', '--include=optional', '--prefer-offline'],
	failed: 'npm could not install n8n',
};

// n8n needs it, and compiling it takes longer than all of its packages: it is made beside their installation, once for
// both generations.
const sqlitePackages = {
	folder: sqliteFolder,
	args: ['ci', '--include=optional'],
	failed: "npm could not install n8n's SQLite module",
	file: ownSqlite,
	async make(signal) {
		console.log("Fetching n8n's SQLite module, or compiling it (about a minute).");
		await npm(
			['rebuild', 'sqlite3', '--ignore-scripts=false'],
			sqliteFolder,
			"n8n's SQLite module could be neither downloaded nor compiled",
			{
				remedy:
					'install python3, make and a C++ compiler (on Debian or Ubuntu: apt-get install -y python3 make g++)',
				signal,
			},
		);
	},
};

const wholeN8n = () => [n8nPackages, ...(existsSync(sqliteOfN8n) ? [] : [sqlitePackages])];

/** Installs the project's tools where they are missing or out of date. */
export async function installProject() {
	checkNodeVersion();
	checkGeneration();
	await install([tools, ...(generation === '1' ? [n8nPackages] : [])]);
}

/** Installs the pinned n8n, the Node.js it runs on and its native SQLite module. */
export async function installN8n() {
	checkGeneration();
	await install(wholeN8n());
	await completeN8n();
}

/** Installs what `npm start` builds and runs. Tools that are there already stay. */
export async function installForStart() {
	checkNodeVersion();
	checkGeneration();
	const args = ['ci', '--omit=dev', '--include=optional'];
	await install([{ ...tools, args, isWithoutTools: true }, ...wholeN8n()]);
	await completeN8n();
}

/** Sees to the Node.js of an installed n8n, and gives it its native SQLite module. */
async function completeN8n() {
	const platform = `${process.platform}-${process.arch}`;
	const hasNode =
		Number(process.versions.node.split('.')[0]) >= NODE_OF_N8N ||
		existsSync(path.join(n8nModules, `node-${platform}`));
	if (generation === '2' && !hasNode) {
		throw new SetupProblem(
			`n8n needs Node.js ${NODE_OF_N8N}, and the npm registry has none for ${platform}: run this with Node.js ${NODE_OF_N8N} or newer.`,
		);
	}
	if (!existsSync(sqliteOfN8n)) await cp(ownSqlite, sqliteOfN8n);
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
