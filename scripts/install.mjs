// Installs what has to be there. Plain Node.js, since nothing may be installed yet.
//
//   node scripts/install.mjs        the project's tools, for `npm test`, which needs nothing before it
//   node scripts/install.mjs n8n    the n8n that the end-to-end tests run
//
// `npm start` needs neither before it, and installs n8n and the few tools that build and run: `installForStart`.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

const n8nFolder = path.join(projectFolder, 'test', 'n8n-2');
const n8nModules = path.join(n8nFolder, 'node_modules');
const sqliteFolder = path.join(projectFolder, 'test', 'sqlite3');

/** The native module of SQLite, in the node_modules of a folder. */
const SQLITE = path.join('sqlite3', 'build', 'Release', 'node_sqlite3.node');
const ownSqlite = path.join(sqliteFolder, 'node_modules', SQLITE);
const sqliteOfN8n = path.join(n8nModules, SQLITE);

/** The oldest Node.js that n8n runs on. */
const NODE_OF_N8N = 24;

/**
 * Runs a package manager.
 *
 * @param failed what failed where it fails
 * @param codeOf finds its own code for the reason in what it printed
 * @param signal ends it
 * @param onOutput gets what it prints
 * @throws {SetupProblem} that names what failed
 */
async function run(
	[command, ...args],
	folder,
	{
		failed,
		remedy = 'see to the network, the npm registry and the room on the disk',
		codeOf,
		more = '',
		env,
		signal,
		onOutput,
	},
) {
	const child = spawn(command, args, {
		cwd: folder,
		env: { ...process.env, ...env },
		shell: command === 'npm' && process.platform === 'win32',
		stdio: ['ignore', 'pipe', 'pipe'],
		signal,
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text) => {
			printed = (printed + text).slice(-100_000);
			onOutput?.(text);
		});
	}
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
	const reason = codeOf.exec(printed)?.[1] ?? `it ended with ${code}`;
	throw new SetupProblem(`${failed} (${reason}): ${remedy}, and run the same command again${more}.`);
}

/** Runs npm, compiling against the headers that came with Node.js, where there are any, rather than download them. */
async function npm(args, folder, options) {
	const script = process.env.npm_execpath;
	const command = script?.endsWith('npm-cli.js') ? [process.execPath, script] : ['npm'];
	const prefix = path.resolve(process.execPath, '../..');
	const hasHeaders = existsSync(path.join(prefix, 'include', 'node', 'node_api.h'));
	await run([...command, ...args, '--loglevel=error'], folder, {
		codeOf: /^npm error code (\S+)/m,
		more: "; npm's newest log says more (`npm config get cache`, folder _logs)",
		env: hasHeaders && { npm_config_nodedir: process.env.npm_config_nodedir ?? prefix },
		...options,
	});
}

/**
 * Takes steps that are not done yet, and meanwhile says how far each is.
 *
 * @param lists run side by side, the steps of each one after the other. A step has `isDone()`, `run(signal)`, and says `progress()`
 *   while it runs
 */
async function install(...lists) {
	const missing = lists.map((steps) => steps.filter((step) => !step.isDone()));
	if (missing.every((steps) => steps.length === 0)) return;
	console.log(
		'Installing what is needed: 2 to 15 minutes, only the first time. Later starts take half a minute.',
	);
	const stopping = new AbortController();
	const started = Date.now();
	const running = new Set();
	// How long it takes depends on the network and on few large packages: no guess would hold.
	const tell = () =>
		`  ${Math.round((Date.now() - started) / 1000)} s: ${[...running].map((step) => step.progress()).join(', ')}`;
	const clock = process.stdout.isTTY
		? setInterval(() => process.stdout.write(`${tell().padEnd(100)}\r`), 1_000)
		: setInterval(() => console.log(tell()), 20_000);
	const done = await Promise.allSettled(
		missing.map(async (steps) => {
			for (const step of steps) {
				running.add(step);
				try {
					await step.run(stopping.signal);
				} catch (error) {
					if (stopping.signal.aborted) return;
					stopping.abort();
					throw error;
				} finally {
					running.delete(step);
				}
			}
		}),
	);
	clearInterval(clock);
	for (const { reason } of done) if (reason) throw reason;
}

const contentOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);

/** The project's tools, or only those that `npm start` needs. */
const tools = (isForStart = false) => ({
	isDone: () => isInstalled(projectFolder, isForStart),
	async run(signal) {
		const which = isForStart ? '--omit=dev' : '--include=dev';
		const failed = "npm could not install the project's tools";
		await npm(['ci', which, '--include=optional'], projectFolder, { failed, signal });
	},
	progress() {
		const places = packagesOf(projectFolder, isForStart).filter(([, { optional }]) => !optional);
		const there = places.filter(([where]) => existsSync(path.join(projectFolder, where, 'package.json')));
		return `${there.length} of ${places.length} tools`;
	},
});

/** The pinned n8n. pnpm installs it, which is one of the tools, since npm takes several times as long. */
const n8n = {
	lastSaid: '',
	// pnpm notes the lockfile of what is there as the last step.
	isDone: () =>
		contentOf(path.join(n8nModules, '.pnpm', 'lock.yaml')) ===
		contentOf(path.join(n8nFolder, 'pnpm-lock.yaml')),
	async run(signal) {
		const { resolveInstalledBinary } = await import('pnpm/native-binary.mjs');
		const pnpm = resolveInstalledBinary();
		if (pnpm === null) {
			throw new SetupProblem(
				`pnpm, which installs n8n, has no program for ${process.platform}-${process.arch}: run "npm ci --include=optional", or use another machine.`,
			);
		}
		const command = [pnpm, 'install', '--frozen-lockfile', '--reporter=append-only'];
		const { npm_config_registry: registry } = process.env;
		await run(command, n8nFolder, {
			failed: 'pnpm could not install n8n',
			codeOf: /\b(ERR_PNPM_\w+)/,
			env: registry && { pnpm_config_registry: registry },
			signal,
			onOutput: (text) => (this.lastSaid = text.match(/Progress: [^\n]*/g)?.at(-1) ?? this.lastSaid),
		});
	},
	progress() {
		const [, resolved, added] = /resolved (\d+).* added (\d+)/.exec(this.lastSaid) ?? [];
		// In the end, some packages are there more than once.
		return added === undefined ? 'n8n' : `n8n with ${Math.min(added, resolved)} of ${resolved} packages`;
	},
};

/** n8n's SQLite module. Compiling it takes longer than all of n8n's packages: it is made beside their installation. */
const sqlite = {
	isDone: () => isInstalled(sqliteFolder) && existsSync(ownSqlite),
	async run(signal) {
		await npm(['ci', '--include=optional'], sqliteFolder, {
			failed: "npm could not install n8n's SQLite module",
			signal,
		});
		await npm(['rebuild', 'sqlite3', '--ignore-scripts=false'], sqliteFolder, {
			failed: "n8n's SQLite module could be neither downloaded nor compiled",
			remedy:
				'install python3, make and a C++ compiler (on Debian or Ubuntu: apt-get install -y python3 make g++)',
			signal,
		});
	},
	progress: () => 'the SQLite module, downloaded or compiled',
};

/** Installs the project's tools where they are missing or out of date. */
export async function installProject() {
	checkNodeVersion();
	await install([tools()]);
}

/** Installs the pinned n8n, the Node.js it runs on and its native SQLite module. */
export async function installN8n() {
	await install([n8n], [sqlite]);
	await completeN8n();
}

/** Installs what `npm start` builds and runs. Tools that are there already stay. */
export async function installForStart() {
	checkNodeVersion();
	await install([tools(true), n8n], [sqlite]);
	await completeN8n();
}

/** Sees to the Node.js of an installed n8n, and gives it its native SQLite module. */
async function completeN8n() {
	const platform = `${process.platform}-${process.arch}`;
	const hasNode =
		Number(process.versions.node.split('.')[0]) >= NODE_OF_N8N ||
		existsSync(path.join(n8nModules, `node-${platform}`));
	if (!hasNode) {
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
