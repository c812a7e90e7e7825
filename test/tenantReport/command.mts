import { spawn } from 'node:child_process';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A command of this project while it runs. */
export interface RunningCommand {
	/** Everything on the terminal by now. */
	shown(): string;
	/** Resolves when a text is shown. @throws when the command ends without it */
	until(text: RegExp): Promise<void>;
	signal(name: NodeJS.Signals): void;
	ended: Promise<number | null>;
}

/** Starts `scripts/<name>.mts` as npm does. */
export function startCommand(name: string, args: string[], env: NodeJS.ProcessEnv = {}): RunningCommand {
	const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${name}.mts`, ...args], {
		cwd: ROOT,
		env: { ...process.env, NODE_OPTIONS: '', TENANT_TOKEN: undefined, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let shown = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (shown += text));
	}
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	let hasEnded = false;
	void ended.then(() => (hasEnded = true));
	return {
		shown: () => shown,
		async until(text) {
			while (!text.test(shown)) {
				if (hasEnded) throw new Error(`Ended without ${text}:\n${shown}`);
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
		signal: (name) => void child.kill(name),
		ended,
	};
}
