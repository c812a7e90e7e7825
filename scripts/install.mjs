// Installs what the project needs. Plain Node.js without dependencies, since nothing is installed when it runs.
//
//   node scripts/install.mjs        the project's own tools
//   node scripts/install.mjs n8n    in addition the n8n that `npm start` and the end-to-end tests run
//
// With N8N_GENERATION=1 that is the newest n8n 1, and the first command installs it too: tests then run in its engine.
import { spawn, spawnSync } from 'node:child_process';
import {
	existsSync,
	linkSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const generation = process.env.N8N_GENERATION || '2';
const n8nFolder = path.join(projectFolder, 'test', generation === '1' ? 'n8n-1' : 'n8n');
const oldestNode = [20, 19];
const n8nModules = path.join(n8nFolder, 'node_modules');
const platform = `${process.platform}-${process.arch}`;
const n8nNode = 24;

/** A failure that the person in front of the screen can mend: its message is the whole of what they need to read. */
export class SetupProblem extends Error {}

/** @returns {void} Throws a SetupProblem when the running Node.js is older than the project supports. */
export function checkNodeVersion() {
	if (!['1', '2'].includes(generation)) {
		throw new SetupProblem(
			`N8N_GENERATION must be 1 or 2, not "${generation}": set one of them, or leave it out for 2.`,
		);
	}
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
	throw new SetupProblem(
		`This project needs Node.js ${oldestNode.join('.')} or newer, and this is ${process.versions.node}: install the current LTS release from https://nodejs.org.`,
	);
}

/** Makes sure that the project's own node_modules is what package-lock.json says. Prints nothing when it already is. */
export async function installProject() {
	await installPackages(projectFolder, {
		what: "the project's tools",
		note: 'about 1,450 packages, 1 GB on disk; half a minute on a fast connection, a few minutes on a slow one',
	});
	if (generation === '1') await installN8nPackages();
}

async function installN8nPackages() {
	const size =
		generation === '1' ? 'about 1,700 packages, 1.4 GB on disk' : 'about 2,100 packages, 2.2 GB on disk';
	await installPackages(n8nFolder, {
		what: generation === '1' ? 'n8n 1' : 'n8n',
		note: `${size}; a minute or two on a fast connection, much longer on a slow one; only the first time`,
	});
}

/** Makes sure that the pinned n8n, the Node.js it runs on and its native SQLite module are in their folder. */
export async function installN8n() {
	await installN8nPackages();
	if (generation === '2') checkNodeForN8n();
	await buildSqlite();
}

function checkNodeForN8n() {
	const binary = process.platform === 'win32' ? 'node.exe' : 'node';
	const bundledNode = path.join(n8nModules, `node-${platform}`, 'bin', binary);
	if (Number(process.versions.node.split('.')[0]) < n8nNode && !existsSync(bundledNode)) {
		throw new SetupProblem(
			`n8n needs Node.js ${n8nNode}, and the npm registry has none for ${platform}: run this with Node.js ${n8nNode} or newer.`,
		);
	}
}

/** Ends the process after a failure: a SetupProblem with its one sentence, anything else as it is. */
export function endWith(error) {
	if (!(error instanceof SetupProblem)) throw error;
	console.error(`\n${error.message}`);
	process.exit(1);
}

/**
 * Whether node_modules holds every package that the lockfile names, at its version. npm writes the list of what is there
 * as the last step of an install, so an interrupted one does not pass.
 */
function isInstalled(folder) {
	const actualFile = path.join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(actualFile)) return false;
	const wanted = lockedPackages(folder);
	const actual = JSON.parse(readFileSync(actualFile, 'utf8')).packages;
	return Object.entries(wanted).every(
		([where, { version, optional }]) =>
			where === '' || (where in actual ? actual[where].version === version : optional === true),
	);
}

function lockedPackages(folder) {
	return JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages;
}

async function installPackages(folder, { what, note }) {
	if (isInstalled(folder)) return;
	await withLock(folder, async () => {
		if (isInstalled(folder)) return;
		console.log(`Installing ${what} (${note}).`);
		const packages = Object.keys(
			JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')).packages,
		);
		const onDisk = () =>
			packages.filter((where) => existsSync(path.join(folder, where, 'package.json'))).length;
		// Without --no-save npm would rewrite the committed lockfile to suit this platform.
		const flags = [
			'--no-save',
			'--include=dev',
			'--include=optional',
			'--prefer-offline',
			'--loglevel=error',
		];
		// Without a registry npm goes on trying for minutes; its cache may hold all that is needed.
		if (!(await registryAnswers(folder))) flags.push('--offline');
		await runNpm(['install', ...flags], folder, what, () => `${onDisk()} of ${packages.length} packages`);
	});
}

/** Any HTTP answer counts: not every registry knows /-/ping. */
async function registryAnswers(folder) {
	const { code, output } = await npm(['ping', '--fetch-retries=0', '--fetch-timeout=8000'], folder);
	return code === 0 || /npm error code E\d{3}\b/.test(output);
}

async function buildSqlite() {
	const binary = path.join(n8nModules, 'sqlite3', 'build', 'Release', 'node_sqlite3.node');
	if (existsSync(binary)) return;
	await withLock(n8nFolder, async () => {
		if (existsSync(binary)) return;
		console.log("Fetching n8n's SQLite module, or compiling it (about a minute).");
		try {
			await runNpm(['rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'], n8nFolder, 'SQLite');
		} catch (error) {
			const missing = missingBuildTools();
			if (missing.length === 0) throw error;
			throw new SetupProblem(
				`n8n's SQLite module has no ready-made binary in reach and has to be compiled, but ${new Intl.ListFormat('en').format(missing)} ${missing.length > 1 ? 'are' : 'is'} missing: install python3, make and a C++ compiler (on Debian or Ubuntu: apt-get install -y python3 make g++) and run the same command again.`,
			);
		}
	});
}

function missingBuildTools() {
	if (process.platform === 'win32') return [];
	const runs = (command) => spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;
	const missing = ['python3', 'make'].filter((tool) => !runs(tool));
	const compilers = [process.env.CXX, 'c++', 'g++', 'clang++'].filter(Boolean);
	return compilers.some(runs) ? missing : [...missing, 'a C++ compiler'];
}

/** Runs npm, and meanwhile shows the time it takes and what `progress` says. Throws a SetupProblem when npm fails. */
async function runNpm(args, folder, what, progress = () => 'working') {
	const started = Date.now();
	const seconds = () => Math.round((Date.now() - started) / 1000);
	const line = () => `  ${what}: ${progress()}, ${seconds()} s`;
	const isTerminal = process.stdout.isTTY;
	const show = () => (isTerminal ? process.stdout.write(`\r${line()} \u001b[K`) : console.log(line()));
	const timer = setInterval(show, isTerminal ? 1_000 : 15_000);
	const { code, output } = await npm(args, folder).finally(() => clearInterval(timer));
	if (isTerminal) process.stdout.write('\r\u001b[K');
	if (code !== 0) throw new SetupProblem(npmFailure(output, what));
	console.log(`  ${what}: done in ${seconds()} s`);
}

/** Runs npm in `folder` and gives its exit code and the end of its output. */
async function npm(args, folder) {
	const { command, leading, shell } = npmCommand();
	const child = spawn(command, [...leading, ...args], {
		cwd: folder,
		env: npmEnvironment(),
		shell,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	const keep = (chunk) => (output = (output + chunk).slice(-100_000));
	child.stdout.on('data', keep);
	child.stderr.on('data', keep);
	let isStopping = false;
	const endBoth = () => {
		isStopping = true;
		child.kill('SIGTERM');
		setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) process.on(signal, endBoth);
	return await new Promise((resolve, reject) => {
		child.on('error', (error) =>
			reject(
				new SetupProblem(
					`npm could not be started (${error.message}): make sure that \`npm --version\` works in this terminal.`,
				),
			),
		);
		child.on('close', (code) => {
			if (isStopping) reject(new SetupProblem('The installation was stopped: run the same command again.'));
			else resolve({ code, output });
		});
	}).finally(() => {
		for (const signal of signals) process.off(signal, endBoth);
	});
}

function npmCommand() {
	const npmScript = process.env.npm_execpath;
	if (npmScript && path.basename(npmScript) === 'npm-cli.js') {
		return { command: process.execPath, leading: [npmScript], shell: false };
	}
	return { command: 'npm', leading: [], shell: process.platform === 'win32' };
}

/** The environment without what an outer `npm run` says about its own package; the configuration of npm stays. */
function npmEnvironment() {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(
			([name]) => !/^npm_(package|lifecycle)_|^npm_config_local_prefix$|^INIT_CWD$/.test(name),
		),
	);
	// Compile against the headers that came with Node.js, where there are any, rather than download them.
	const prefix = path.resolve(path.dirname(process.execPath), '..');
	if (existsSync(path.join(prefix, 'include', 'node', 'node_api.h'))) env.npm_config_nodedir ??= prefix;
	return env;
}

function npmFailure(output, what) {
	const code = /npm error code (\S+)/.exec(output)?.[1] ?? '';
	if (
		/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|ENOTCACHED)$/.test(
			code,
		)
	) {
		return `The npm registry is out of reach (${code}): connect to the network, or set npm's proxy or registry (npm config), and run the same command again.`;
	}
	if (code === 'ENOSPC' || output.includes('ENOSPC')) {
		return `The disk is full: ${what} did not fit, so free 4 GB and run the same command again.`;
	}
	if (code === 'EACCES' || code === 'EPERM') {
		return `npm may not write to this folder (${code}): take ownership of the project folder and run the same command again.`;
	}
	const reasons = output.split('\n').filter((text) => /^npm (error|ERR!)/.test(text));
	const reason = reasons.find((text) => !/npm (error|ERR!) (code|path|errno|syscall|command)\b/.test(text));
	const word = (reason ?? output.trim().split('\n').at(-1) ?? '').replace(/^npm (error|ERR!) ?/, '').trim();
	return `npm could not install ${what}: ${code} ${word} (the whole story is in npm's newest log, see \`npm config get cache\`/_logs); remove its node_modules and run the same command again.`;
}

/**
 * Runs `work` while no other process does the same in `folder`. The lock names its owner and is touched while it works:
 * one whose owner has ended, or that has not been touched for a minute, is taken over.
 */
async function withLock(folder, work) {
	const lock = path.join(folder, 'node_modules', '.install-lock');
	mkdirSync(path.dirname(lock), { recursive: true });
	let told = false;
	while (!takeLock(lock)) {
		if (!told)
			console.log(
				`Another process is installing in ${path.relative(projectFolder, folder) || '.'}: waiting for it.`,
			);
		told = true;
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	const heartbeat = setInterval(() => touch(lock), 5_000);
	try {
		return await work();
	} finally {
		clearInterval(heartbeat);
		rmSync(lock, { force: true });
	}
}

function takeLock(lock) {
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch (error) {
		if (error.code === 'EACCES' || error.code === 'EROFS') {
			throw new SetupProblem(
				`This folder cannot be written to (${error.code}): take ownership of the project folder and run the same command again.`,
			);
		}
		if (error.code !== 'EEXIST') throw error;
	}
	if (!isStale(lock)) return false;
	// Two processes may find it stale at once: what this one moves away may by then be the other one's new lock.
	const aside = `${lock}.${process.pid}`;
	try {
		renameSync(lock, aside);
		if (!isStale(aside)) linkSync(aside, lock);
	} catch {
		// Someone else was quicker: the next round looks again.
	}
	rmSync(aside, { force: true });
	return false;
}

function isStale(lock) {
	try {
		if (Date.now() - statSync(lock).mtimeMs > 60_000) return true;
		const owner = Number(readFileSync(lock, 'utf8'));
		return owner > 0 && !isRunning(owner);
	} catch {
		return false;
	}
}

function isRunning(pid) {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error.code === 'EPERM';
	}
}

function touch(file) {
	try {
		utimesSync(file, new Date(), new Date());
	} catch {
		// Gone with node_modules: whoever removed that starts anew.
	}
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	try {
		checkNodeVersion();
		await installProject();
		if (process.argv[2] === 'n8n') await installN8n();
	} catch (error) {
		endWith(error);
	}
}
