import type { FunctionsBase } from 'n8n-workflow';

export const nodeKey = (context: Pick<FunctionsBase, 'getNode' | 'getWorkflow'>) =>
	`${String(context.getWorkflow().id)}/${context.getNode().id}`;

/**
 * Whether other processes may run the same node, as in queue mode. n8n tells no node, but its logger has the settings.
 * True if they are not there.
 */
export function isOneOfSeveral({ logger }: Pick<FunctionsBase, 'logger'>): boolean {
	const { globalConfig } = logger as { globalConfig?: { executions?: { mode?: unknown } } };
	return globalConfig?.executions?.mode !== 'regular';
}

/**
 * What all executions of this process share about one topic, by key. n8n runs many in one process and gives a node no place for it:
 * static data are stored after an execution, and only those of one workflow.
 */
export class ProcessMemory<Value> {
	private readonly entries = new Map<string, { value: Value; until: number }>();

	constructor(private readonly keptMs = Infinity) {}

	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		return entry && Date.now() <= entry.until ? entry.value : undefined;
	}

	set(key: string, value: Value, keptMs = this.keptMs): Value {
		const now = Date.now();
		for (const [other, { until }] of this.entries) if (until < now) this.entries.delete(other);
		this.entries.set(key, { value, until: now + keptMs });
		return value;
	}

	delete(key: string): void {
		this.entries.delete(key);
	}
}
