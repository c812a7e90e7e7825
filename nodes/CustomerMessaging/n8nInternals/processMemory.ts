import type { FunctionsBase } from 'n8n-workflow';

interface Entry {
	value: unknown;
	until: number;
}

/**
 * By topic and key. n8n runs many executions in one process and gives a node no place for what they share: static data
 * are stored after an execution, and only those of one workflow.
 */
const topics = new Map<string, Map<string, Entry>>();

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

/** What all executions of this process share about one topic. */
export class ProcessMemory<Value> {
	/** @param topic different from all others */
	constructor(
		private readonly topic: string,
		private readonly keptMs = Infinity,
	) {}

	private get entries(): Map<string, Entry> {
		const entries = topics.get(this.topic) ?? new Map<string, Entry>();
		topics.set(this.topic, entries);
		return entries;
	}

	get(key: string): Value | undefined {
		const entry = this.entries.get(key);
		return entry && Date.now() <= entry.until ? (entry.value as Value) : undefined;
	}

	set(key: string, value: Value, keptMs = this.keptMs): Value {
		const { entries } = this;
		const now = Date.now();
		for (const [other, { until }] of entries) if (until < now) entries.delete(other);
		entries.set(key, { value, until: now + keptMs });
		return value;
	}

	delete(key: string): void {
		this.entries.delete(key);
	}
}
