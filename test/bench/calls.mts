import type { ResultPromise } from 'execa';

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Functions = Record<string, (argument: any) => unknown>;

interface Call {
	id: number;
	name: string;
	argument: unknown;
}

interface Answer {
	id: number;
	result?: unknown;
	error?: string;
}

/** In a child process: lets its parent call these functions, and ends with the parent. */
export function answerCalls(functions: Functions): void {
	const answer = async ({ id, name, argument }: Call): Promise<Answer> => {
		try {
			return { id, result: await functions[name](argument) };
		} catch (error) {
			return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
		}
	};
	process.on('message', async (call: Call) => process.send?.(await answer(call)));
	process.on('disconnect', () => process.exit());
	// A Ctrl-C in the terminal reaches the whole group; the parent's end ends this process.
	process.on('SIGINT', () => {});
}

export interface ChildOptions {
	/** Stands for the process in errors. */
	name: string;
	script: string;
	args?: string[];
	/** Node.js to run it with; this process's own unless given. */
	executable?: string;
	/** Options of Node.js itself. */
	nodeOptions?: string[];
	/** The whole environment; this process's own unless given. */
	env?: NodeJS.ProcessEnv;
}

type NodeProcess = ResultPromise<{
	stdin: 'ignore';
	stdout: 'inherit';
	stderr: 'inherit';
	ipc: true;
	reject: false;
}>;

/** A process whose functions, given to `answerCalls`, can be called from here. */
export class Child<Api extends Functions> {
	private readonly waiting = new Map<
		number,
		{ resolve(result: unknown): void; reject(error: Error): void }
	>();

	private lastId = 0;

	private constructor(
		name: string,
		private readonly child: NodeProcess,
	) {
		child.on('message', (message: unknown) => {
			const { id, result, error } = message as Answer;
			const call = this.waiting.get(id);
			this.waiting.delete(id);
			if (error === undefined) call?.resolve(result);
			else call?.reject(new Error(`${name}: ${error}`));
		});
		child.once('exit', (code: number | null, signal: string | null) => {
			const error = new Error(`${name} ended (${signal ?? `exit code ${code}`})`);
			for (const { reject } of this.waiting.values()) reject(error);
			this.waiting.clear();
		});
	}

	static async start<Api extends Functions>(options: ChildOptions): Promise<Child<Api>> {
		const { name, script, args = [], executable = process.execPath, nodeOptions = [], env } = options;
		const { execaNode } = await import('execa');
		const child = execaNode(script, args, {
			nodePath: executable,
			nodeOptions,
			env: env ?? process.env,
			extendEnv: false,
			stdin: 'ignore',
			stdout: 'inherit',
			stderr: 'inherit',
			ipc: true,
			reject: false,
		});
		return new Child<Api>(name, child);
	}

	/** @throws Error with what the function threw there, or when the process has ended */
	async call<Name extends keyof Api & string>(
		name: Name,
		...[argument]: Parameters<Api[Name]>
	): Promise<Awaited<ReturnType<Api[Name]>>> {
		const id = ++this.lastId;
		const answered = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
		await this.child.sendMessage({ id, name, argument });
		return (await answered) as Awaited<ReturnType<Api[Name]>>;
	}

	async stop(): Promise<void> {
		this.child.kill();
		await this.child;
	}
}
