import type { Choices } from '../../sandbox/choices.mts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.mts';
import { reachInMemory } from './memoryNetwork.mts';

/** Sandboxes that run and that no test file has, by their options. They end with the process. */
const free = new Map<string, Sandbox[]>();

/** What each of them chose at its start: tests change it. */
const chosen = new Map<Sandbox, Choices>();

const keyOf = (options: SandboxOptions) => JSON.stringify(options);

/**
 * A sandbox as it is after its start. Those of earlier test files of this process are taken first: to start one takes longer than
 * most files' tests.
 */
export async function takeSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const running = free.get(keyOf(options))?.pop();
	if (running) return running;
	// Accounts whose profiles do not show their tags ask for more requests: tests say where they are shown.
	const sandbox = await startSandbox({ ...options, choices: { profileTags: 'hidden', ...options.choices } });
	// Nobody closes it: a process of jest ends when nothing keeps it.
	sandbox.server.server.unref();
	chosen.set(sandbox, { ...sandbox.tenant.choices });
	reachInMemory(sandbox.url, sandbox.server, () => sandbox.faults.list().length > 0);
	return sandbox;
}

/** Gives a sandbox back, at its demo data again. */
export async function giveBack(sandbox: Sandbox, options: SandboxOptions = {}): Promise<void> {
	await sandbox.reset();
	sandbox.tenant.description = options.description;
	Object.assign(sandbox.tenant.choices, chosen.get(sandbox));
	sandbox.server.server.closeIdleConnections();
	free.set(keyOf(options), [...(free.get(keyOf(options)) ?? []), sandbox]);
}
