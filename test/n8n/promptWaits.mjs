// A hook of n8n (EXTERNAL_HOOK_FILES). n8n looks once a minute for executions whose wait is over. This has it look each second, so
// that no test waits for most of a minute.
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

const EVERY_MS = 1_000;

function lookOften() {
	const n8n = createRequire(realpathSync(process.argv[1]));
	const { Container } = n8n('@n8n/di');
	const { WaitTracker } = n8n('../dist/wait-tracker');
	const waits = Container.get(WaitTracker);
	setInterval(() => void waits.getWaitingExecutions(), EVERY_MS).unref();
}

export const n8n = { ready: [lookOften] };
