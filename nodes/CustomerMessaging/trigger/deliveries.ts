import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { keepInStaticData } from '../n8nInternals/staticData';

/** Deliveries that a process remembers for one trigger, and those of them that survive a restart. */
const MAX_IN_PROCESS = 10_000;
const MAX_KEPT = 1_000;

/** Keys of deliveries with the second they came, the oldest first. */
type Seen = Map<string, number>;

/** What a process remembers for one trigger. */
interface Memory {
	accepted: Seen;
	/** Those of them that n8n has begun to execute. */
	started: Seen;
	/** What the static data hold, as far as it is known here. */
	kept: string;
}

/** Characters of a delivery's key, which tell a thousand of them apart as good as certainly. */
const KEY_LENGTH = 10;

const inProcess = new Map<string, Memory>();

/** What a redelivery has in common with the delivery before: the message and its status, or all of it. */
export function deliveryKey(message: IDataObject): string {
	const { id, status } = message;
	const identity = typeof id === 'number' || typeof id === 'string' ? [String(id), status ?? ''] : message;
	return createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, KEY_LENGTH);
}

/** Deliveries as text: n8n reads and writes it with every delivery, and a thousand members of an object take it ten times as long. */
function toText(seen: Seen): string {
	return Array.from(seen, ([key, second]) => key + second.toString(36)).join(' ');
}

function fromText(text: string): Array<[string, number]> {
	return text
		.split(' ')
		.filter((entry) => entry.length > KEY_LENGTH)
		.map((entry) => [entry.slice(0, KEY_LENGTH), parseInt(entry.slice(KEY_LENGTH), 36)]);
}

/**
 * The deliveries that a trigger has accepted.
 *
 * One process knows all of its own at once. The newest that were started also go into the workflow's static data, which
 * n8n keeps over a restart and shares between webhook processors; of two processors that write at the same moment one may
 * overwrite the other's, until that one writes again.
 */
export class Deliveries {
	private readonly memory: Memory;

	private readonly own: string[] = [];

	private isStarted = false;

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
		this.memory = inProcess.get(trigger) ?? { accepted: new Map(), started: new Map(), kept: '' };
		inProcess.set(trigger, this.memory);
		this.readKept(typeof staticData.deliveries === 'string' ? staticData.deliveries : '');
		for (const seen of [this.memory.accepted, this.memory.started]) {
			for (const [key, second] of seen) {
				if (second >= now - windowSeconds) break;
				seen.delete(key);
			}
		}
	}

	/** Takes over what was kept before a restart, or by another process. */
	private readKept(text: string): void {
		const { accepted, started, kept } = this.memory;
		if (text === kept) return;
		this.memory.kept = text;
		for (const [key, second] of fromText(text)) {
			if (accepted.has(key)) continue;
			accepted.set(key, second);
			started.set(key, second);
		}
	}

	/** Remembers a delivery. @returns whether it is new */
	accept(key: string): boolean {
		const { accepted } = this.memory;
		const before = accepted.get(key);
		if (before !== undefined && before >= this.now - this.windowSeconds) return false;
		accepted.set(key, this.now);
		this.own.push(key);
		while (accepted.size > MAX_IN_PROCESS) accepted.delete(accepted.keys().next().value as string);
		return true;
	}

	/**
	 * Takes note of n8n's answer to the request.
	 *
	 * What it answered with a failure is forgotten, unless n8n has begun to execute it and answers before it has ended: the
	 * sender brings it again. What it took is kept with the next delivery, should its own have been lost on the way.
	 */
	answered(status: number): void {
		if (this.isStarted) return;
		if (status >= 500) for (const key of this.own) this.memory.accepted.delete(key);
		else this.start();
	}

	private start(): void {
		const { started } = this.memory;
		this.isStarted = true;
		for (const key of this.own) started.set(key, this.now);
		while (started.size > MAX_KEPT) started.delete(started.keys().next().value as string);
	}

	/**
	 * Has n8n keep the newest deliveries, as they are at the moment when it writes them.
	 *
	 * Where n8n answers when the execution has ended, it writes before it is known how that ended: these deliveries are kept
	 * with the next one, since another webhook processor would take the sender's repetition for a redelivery.
	 */
	keep({ isAnsweredAtEnd = false } = {}): void {
		keepInStaticData(this.staticData, 'deliveries', () => {
			// n8n writes once it has begun to execute.
			if (!isAnsweredAtEnd) this.start();
			return (this.memory.kept = toText(this.memory.started));
		});
	}
}
