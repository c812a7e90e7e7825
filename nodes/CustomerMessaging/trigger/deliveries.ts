import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

/** Deliveries that a process remembers for one trigger, and those of them that survive a restart. */
const MOST_IN_PROCESS = 10_000;
const MOST_KEPT = 1_000;

/** Keys of deliveries with the second they came. */
type Seen = Record<string, number>;

const inProcess = new Map<string, Map<string, number>>();

/** What a redelivery has in common with the delivery before: the message and its status, or all of it. */
export function deliveryKey(message: IDataObject): string {
	const { id, status } = message;
	if (typeof id === 'number' || typeof id === 'string') return `${id}:${String(status ?? '')}`;
	return createHash('sha256').update(JSON.stringify(message)).digest('base64url').slice(0, 22);
}

/**
 * The deliveries that a trigger has accepted.
 *
 * One process knows all of its own at once. The newest also go into the workflow's static data, which n8n keeps over a
 * restart and shares between webhook processors; of two processors that write at the same moment one may overwrite the
 * other's, until that one writes again.
 */
export class Deliveries {
	private readonly seen: Map<string, number>;

	/**
	 * @param trigger what tells this trigger from others in the process
	 * @param staticData of the node, see `getWorkflowStaticData`
	 * @param windowSeconds how long a delivery is remembered
	 * @param now seconds since 1970
	 */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly windowSeconds: number,
		private readonly now: number,
	) {
		const known = inProcess.get(trigger) ?? new Map<string, number>();
		inProcess.set(trigger, known);
		this.seen = known;
		for (const [key, second] of Object.entries((staticData.deliveries ?? {}) as Seen)) {
			if (!known.has(key)) known.set(key, second);
		}
		for (const [key, second] of known) if (second < now - windowSeconds) known.delete(key);
	}

	/** Remembers a delivery. @returns whether it is new */
	accept(key: string): boolean {
		const before = this.seen.get(key);
		if (before !== undefined && before >= this.now - this.windowSeconds) return false;
		this.seen.set(key, this.now);
		while (this.seen.size > MOST_IN_PROCESS) this.seen.delete(this.seen.keys().next().value as string);
		return true;
	}

	/** Puts the newest into the static data, which n8n then keeps. */
	keep(): void {
		this.staticData.deliveries = Object.fromEntries([...this.seen].slice(-MOST_KEPT));
	}
}
