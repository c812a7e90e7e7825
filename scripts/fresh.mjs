// npm run test:fresh: does what README.md tells a newcomer to do, in a fresh clone of HEAD, with an empty home folder and
// an empty npm cache. Only Node.js' own modules, since it must not need anything that is installed here.
//
// README.md marks the code blocks that are run, in their order:
//
//   <!-- fresh -->                       the next block's commands run to their end
//   <!-- fresh until "some text" -->     the next block's command runs until it prints that, and is ended with Ctrl-C
//
// Then it packs the sandbox, installs it into an empty folder without a lockfile, and starts it there. Every package that comes
// along has to accept this version of Node.js. `npm run test:fresh -- sandbox` does this alone.
//
// FRESH_RUN_BEFORE names a code block that need not run again, because another fresh clone has just run it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { endWith, projectFolder, SetupProblem } from './installed.mjs';

/** The most that one code block may take: n8n is large, and some networks are slow. */
const WITHIN_MINUTES = 30;

const SANDBOX = 'customer-messaging-sandbox';

/** The most packages that the sandbox may bring along, and seconds until its first answer, on a busy machine. */
const SANDBOX_LIMITS = { packages: 120, seconds: 30 };

/** The marked code blocks of a README, in their order: what to run, and the text until which it runs. */
function markedBlocks(readme) {
	const mark = /<!-- fresh(?: until "([^"]+)")? -->\s*```sh\n([\s\S]*?)```/g;
	return [...readme.matchAll(mark)].map(([, until, script]) => ({ until, script: script.trim() }));
}

/**
 * The environment without what an outer npm says about this package, without this machine's home and caches, and without
 * the file in which CI adds up its tests: those of the clone are the same tests again.
 */
function freshEnvironment(folder) {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([name]) => !/^(npm_|n8n_|TEST_TOTALS$)/i.test(name)),
	);
	const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
	const home = path.join(folder, 'home');
	mkdirSync(home);
	return {
		...env,
		HOME: home,
		USERPROFILE: home,
		npm_config_cache: path.join(folder, 'npm-cache'),
		npm_config_registry: registry,
	};
}

/** Runs a code block as it is printed. Throws a SetupProblem when it fails, or does not get to where it should. */
async function run({ script, until, of = 'README.md' }, cwd, env) {
	const started = Date.now();
	const minutes = () => `${((Date.now() - started) / 60_000).toFixed(1)} min`;
	console.log(`\n$ ${script.replaceAll('\n', '\n$ ')}`);
	// A process group of its own, so that Ctrl-C reaches all of it, as it does in a terminal.
	const child = spawn('sh', ['-e', '-c', script], {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const signal = (name) => {
		try {
			process.kill(-child.pid, name);
		} catch (error) {
			if (error.code !== 'ESRCH') throw error;
		}
	};
	let output = '';
	let isReached = until === undefined;
	let isLate = false;
	const listen = (chunk) => {
		process.stdout.write(chunk);
		output = (output + chunk).slice(-100_000);
		if (isReached || !output.includes(until)) return;
		isReached = true;
		signal('SIGINT');
	};
	child.stdout.setEncoding('utf8').on('data', listen);
	child.stderr.setEncoding('utf8').on('data', listen);
	const timer = setTimeout(() => {
		isLate = true;
		signal('SIGKILL');
	}, WITHIN_MINUTES * 60_000);
	const endToo = () => signal('SIGKILL');
	process.on('exit', endToo);
	const { code, by } = await new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', (exitCode, signalName) => resolve({ code: exitCode, by: signalName }));
	});
	clearTimeout(timer);
	process.off('exit', endToo);

	const what = `In a fresh clone, \`${script.replaceAll('\n', '; ')}\` of ${of}`;
	const remedy = `run it in a new clone yourself, and mend it or ${of}.`;
	if (isLate) throw new SetupProblem(`${what} took more than ${WITHIN_MINUTES} minutes: ${remedy}`);
	if (!isReached) throw new SetupProblem(`${what} ended without printing "${until}": ${remedy}`);
	// A shell that Ctrl-C ends may say so with 130 or with the signal itself.
	const isInterrupted = until !== undefined && (code === 130 || by === 'SIGINT');
	if (code !== 0 && !isInterrupted)
		throw new SetupProblem(`${what} failed (exit code ${code ?? by}): ${remedy}`);
	console.log(`\nDone in ${minutes()}: ${script.replaceAll('\n', '; ')}`);
}

/** A port that nobody listens on. */
async function freePort() {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address();
	server.close();
	return port;
}

/** Starts the sandbox as it is installed in a folder. Gives the seconds until it answered. */
async function firstAnswer(cwd, env) {
	const port = await freePort();
	const started = performance.now();
	const seconds = () => (performance.now() - started) / 1000;
	const args = [SANDBOX, '--port', String(port)];
	const child = spawn('npx', args, { cwd, env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
	const ended = once(child, 'close');
	const end = () => child.exitCode ?? process.kill(-child.pid, 'SIGTERM');
	process.on('exit', end);
	try {
		while (seconds() < SANDBOX_LIMITS.seconds && child.exitCode === null) {
			const answer = await fetch(`http://127.0.0.1:${port}/sandbox`).catch(() => undefined);
			if (answer?.ok) return seconds();
			await sleep(20);
		}
	} finally {
		process.off('exit', end);
		end();
		await ended;
	}
	throw new SetupProblem(
		`The sandbox did not answer within ${SANDBOX_LIMITS.seconds} s: start it in a new clone yourself, and mend it.`,
	);
}

/** Packs the sandbox, installs it into an empty folder as anybody would, and starts it by its command. */
async function installSandbox(clone, env, cwd) {
	mkdirSync(cwd);
	const of = 'sandbox/package.json';
	const pack = ['run build', `pack --pack-destination "${cwd}"`];
	const script = pack.map((command) => `npm ${command} --workspace ${SANDBOX}`).join('\n');
	await run({ script, of }, clone, env);
	await run({ script: `npm install --engine-strict ./${SANDBOX}-*.tgz`, of }, cwd, env);
	const { packages } = JSON.parse(readFileSync(path.join(cwd, 'node_modules', '.package-lock.json'), 'utf8'));
	const count = Object.keys(packages).length;
	if (count > SANDBOX_LIMITS.packages) {
		throw new SetupProblem(
			`The sandbox installs ${count} packages, more than ${SANDBOX_LIMITS.packages}: choose dependencies with fewer of their own in ${of}.`,
		);
	}
	const first = await firstAnswer(cwd, env);
	console.log(
		`\nThe sandbox installs ${count} packages, and answers ${first.toFixed(1)} s after its command.`,
	);
}

const folder = mkdtempSync(path.join(tmpdir(), 'customer-messaging-fresh-'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
try {
	const clone = path.join(folder, 'clone');
	execFileSync('git', ['clone', '--quiet', projectFolder, clone]);
	const isSandboxAlone = process.argv[2] === 'sandbox';
	const blocks = isSandboxAlone
		? [{ script: 'npm ci' }]
		: markedBlocks(readFileSync(path.join(clone, 'README.md'), 'utf8'));
	if (blocks.length === 0) {
		throw new SetupProblem(
			'README.md marks no commands for newcomers: put <!-- fresh --> before the code blocks that a newcomer runs, and commit that.',
		);
	}
	const env = freshEnvironment(folder);
	for (const block of blocks) {
		if (block.script === process.env.FRESH_RUN_BEFORE) console.log(`\nRun before: ${block.script}`);
		else await run(block, clone, env);
	}
	// `npm start` installs what runs, not the tools that the sandbox is built with.
	if (!isSandboxAlone) await run({ script: 'npm ci', of: 'CONTRIBUTING.md' }, clone, env);
	await installSandbox(clone, env, path.join(folder, 'sandbox'));
	console.log(
		isSandboxAlone
			? '\nThe sandbox works by itself.'
			: `\n${blocks.length} code blocks of README.md work in a fresh clone, and so does the sandbox by itself.`,
	);
} catch (error) {
	endWith(error);
}
