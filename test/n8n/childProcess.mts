import { createWriteStream } from 'node:fs';

import { http } from '../http.mts';
import { waitFor } from './waitFor.mts';

const KEPT_LOG_LINES = 2_000;

export interface ChildProcessOptions {
	/** Stands for the process in errors. */
	name: string;
	cwd: string;
	/** The whole environment: nothing is inherited. */
	env: NodeJS.ProcessEnv;
	/** Also gets everything that the process prints. */
	logFile?: string;
	/** Ends the process, like `stop`. */
	signal?: AbortSignal;
	/** Milliseconds that it gets to end by itself before it is killed. */
	grace?: number;
	/** Whose rights it has; those of this process unless given. */
	user?: { uid: number; gid: number };
}

/** How a process ended. */
export interface Ending {
	exitCode: number | undefined;
	/** Readable, e.g. `exit code 1` or `SIGKILL`. */
	how: string;
}

/** A process that runs until it is stopped. */
export interface RunningProcess {
	pid: number;
	/** The newest lines that it printed. */
	log(): string[];
	/** Settles when the process has ended; never rejects. */
	ended: Promise<Ending>;
	/** Ends it, first politely, after a grace period by force. */
	stop(): Promise<void>;
}

/** Starts a process. @throws Error when the executable cannot be started */
export async function startProcess(
	executable: string,
	args: string[],
	{ name, cwd, env, logFile, signal, grace = 15_000, user }: ChildProcessOptions,
): Promise<RunningProcess> {
	signal?.throwIfAborted();
	const { execa } = await import('execa');
	const child = execa(executable, args, {
		cwd,
		env,
		extendEnv: false,
		stdin: 'ignore',
		all: true,
		buffer: false,
		reject: false,
		forceKillAfterDelay: grace,
		...(signal && { cancelSignal: signal }),
		...user,
	});
	const lines: string[] = [];
	let rest = '';
	child.all.setEncoding('utf8').on('data', (chunk: string) => {
		const complete = (rest + chunk).split('\n');
		rest = complete.pop() ?? '';
		lines.push(...complete);
		lines.splice(0, lines.length - KEPT_LOG_LINES);
	});
	if (logFile !== undefined) child.all.pipe(createWriteStream(logFile));

	const ended = child.then((result) => ({
		exitCode: result.exitCode,
		how: result.signal ?? `exit code ${result.exitCode}`,
	}));
	if (child.pid === undefined) throw new Error(`${name} could not be started with ${executable}`);
	return {
		pid: child.pid,
		log: () => (rest === '' ? [...lines] : [...lines, rest]),
		ended,
		async stop() {
			child.kill('SIGTERM');
			await ended;
		},
	};
}

/**
 * Waits until a server process answers a GET, with anything but a server error.
 *
 * @throws Error with the end of its log when it ends before, or is not ready in time; it is stopped then
 */
export async function untilReady(running: RunningProcess, name: string, url: string): Promise<void> {
	let end: string | undefined;
	void running.ended.then(({ how }) => (end = how));
	const isReady = async () => {
		if (end !== undefined) throw new Error(`${name} ended before it was ready (${end})`);
		const response = await http.get(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
		return response !== undefined && response.status < 500 ? true : undefined;
	};
	const problem = await waitFor(`${name} to be ready`, isReady).then(
		() => undefined,
		(error: Error) => error.message,
	);
	if (problem === undefined) return;
	await running.stop();
	throw new Error(`${problem}\nThe end of its log:\n${running.log().slice(-20).join('\n')}`);
}
