import { chown, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { type ChildProcessOptions, type RunningProcess, startProcess } from '../childProcess.mts';
import { freePort } from '../ports.mts';
import { waitFor } from '../waitFor.mts';
import { executable } from './executable.mts';

/** A server that several n8n processes share, with its data in a folder that outlives a restart. */
export interface Service {
	port: number;
	/** Ends it as an administrator would, and starts it again on the same port with the same data. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** A PostgreSQL, which takes statements as its administrator. */
export interface Postgres extends Service {
	/** @returns the lines of the result, columns separated by `|` */
	run(sql: string): Promise<string[]>;
}

/** The database user, and the database, that PostgreSQL is set up with. */
export const DATABASE_USER = 'n8n';
export const DATABASE = 'postgres';

/** Starts a Redis that writes down every change before it answers. */
export async function startRedis(folder: string): Promise<Service> {
	await mkdir(folder, { recursive: true });
	const port = await freePort();
	const settings = { port, bind: '127.0.0.1', dir: folder, appendonly: 'yes', appendfsync: 'always' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	return await startService(port, 'Ready to accept connections', executable('redis-server'), args, {
		name: 'Redis',
		cwd: folder,
		env: process.env,
	});
}

/** Creates a database in a folder, and starts PostgreSQL on it. It refuses to work as root: then it runs as `nobody`. */
export async function startPostgres(folder: string): Promise<Postgres> {
	const user = process.getuid?.() === 0 ? await accountOf('nobody') : undefined;
	await mkdir(folder, { recursive: true });
	if (user) await chown(folder, user.uid, user.gid);
	const data = path.join(folder, 'data');
	const options = { name: 'PostgreSQL', cwd: folder, env: process.env, user };
	const initdb = [
		'--pgdata',
		data,
		'--username',
		DATABASE_USER,
		'--auth',
		'trust',
		'--no-sync',
		'--no-locale',
	];
	await runToEnd('initdb', [...initdb, '--encoding', 'UTF8'], options);
	const port = await freePort();
	const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'fsync=off'];
	const ready = 'ready to accept connections';
	const service = await startService(port, ready, executable('postgres'), args, options);
	const psql = [
		'-h',
		'127.0.0.1',
		'-p',
		String(port),
		'-U',
		DATABASE_USER,
		'-d',
		DATABASE,
		'-v',
		'ON_ERROR_STOP=1',
	];
	return { ...service, run: async (sql) => await runToEnd('psql', [...psql, '-qAtc', sql], options) };
}

/** Runs a program of PostgreSQL and gives what it printed. @throws Error with what it printed when it fails */
async function runToEnd(program: string, args: string[], options: ChildProcessOptions): Promise<string[]> {
	const running = await startProcess(executable(program), args, { ...options, name: program });
	const { exitCode } = await running.ended;
	if (exitCode !== 0) throw new Error(`${program} failed\n${running.log().join('\n')}`);
	return running.log();
}

async function startService(
	port: number,
	readyLine: string,
	program: string,
	args: string[],
	options: ChildProcessOptions,
): Promise<Service> {
	const start = async () => {
		const running = await startProcess(program, args, options);
		await untilSaid(running, options.name, readyLine);
		return running;
	};
	let running = await start();
	return {
		port,
		async restart() {
			await running.stop();
			running = await start();
		},
		stop: async () => await running.stop(),
	};
}

/** Waits until a server has printed that it is ready. @throws Error with its log when it ends before */
async function untilSaid(running: RunningProcess, name: string, line: string): Promise<void> {
	let end: string | undefined;
	void running.ended.then(({ how }) => (end = how));
	await waitFor(`${name} to be ready`, () => {
		const log = running.log();
		if (log.some((text) => text.includes(line))) return true;
		if (end !== undefined) throw new Error(`${name} ended before it was ready (${end})\n${log.join('\n')}`);
		return undefined;
	});
}

async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
	const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
	const [, , uid, gid] = accounts.find(([account]) => account === name) ?? [];
	if (uid === undefined) throw new Error(`PostgreSQL does not run as root, and there is no user ${name}.`);
	return { uid: Number(uid), gid: Number(gid) };
}
