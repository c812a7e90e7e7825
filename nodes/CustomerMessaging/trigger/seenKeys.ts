import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { ProcessMemory } from '../n8nInternals/processMemory';
import { keepInStaticData } from '../n8nInternals/webhook';
import { stringOf } from '../values/text';

/** Maximum number of keys that a process remembers for one trigger. `MAX_KEPT` of them survive a restart. */
const MAX_IN_PROCESS = 10_000;
const MAX_KEPT = 1_000;

const WINDOW_SECONDS = 24 * 60 * 60;

/** Length of a key in characters: 60 bits, so that no two of 10,000 are equal. */
const KEY_LENGTH = 10;

interface Seen {
	/** When it came, in seconds since 1970. */
	second: number;
	/** Whether n8n has begun to execute the delivery, or has answered it without a server error. */
	isStarted: boolean;
}

interface Memory {
	/** By key, the oldest first. */
	seen: Map<string, Seen>;
	/** The text in the static data, as this process last read or wrote it. */
	kept: string;
}

const inProcess = new ProcessMemory<Memory>();

/**
 * The keys of the deliveries that a trigger has accepted, as one delivery sees them. The newest started ones are also in the
 * workflow's static data, which n8n keeps over a restart and shares between webhook processors. If two write at once, one
 * overwrites the other's, which return with its next write.
 */
export class SeenKeys {
	private readonly memory: Memory;
	private readonly own = new Map<string, Seen>();

	/** In seconds since 1970. */
	private readonly now = Math.floor(Date.now() / 1000);

	/** @param trigger identifies this trigger in the process */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
	) {
		this.memory = inProcess.get(trigger) ?? inProcess.set(trigger, { seen: new Map(), kept: '' });
		const { seen, kept } = this.memory;
		const text = stringOf(staticData.deliveries);
		for (const entry of text === kept ? [] : text.split(' ')) {
			const key = entry.slice(0, KEY_LENGTH);
			const second = parseInt(entry.slice(KEY_LENGTH), 36);
			if (!Number.isNaN(second) && !seen.has(key)) seen.set(key, { second, isStarted: true });
		}
		this.memory.kept = text;
		for (const [key, { second }] of seen) if (second < this.now - WINDOW_SECONDS) seen.delete(key);
	}

	/**
	 * Remembers a delivery, or an event of it. Returns false if it has come before.
	 *
	 * @param identity tells it from all others
	 */
	accept(identity: unknown[]): boolean {
		const { seen } = this.memory;
		const hash = createHash('sha256').update(JSON.stringify(identity));
		const key = hash.digest('base64url').slice(0, KEY_LENGTH);
		if (seen.has(key)) return false;
		const one = { second: this.now, isStarted: false };
		this.own.set(key, one);
		seen.set(key, one);
		const [oldest] = seen.keys();
		if (seen.size > MAX_IN_PROCESS) seen.delete(oldest);
		return true;
	}

	private start(): void {
		for (const one of this.own.values()) one.isStarted = true;
	}

	/**
	 * Records n8n's response to the request. After a server error, the sender repeats a delivery that n8n has not begun to
	 * execute, so it is forgotten. With another status it counts as started, and the next write includes it.
	 */
	settle(status: number): void {
		const { seen } = this.memory;
		if (status < 500) this.start();
		for (const [key, one] of this.own) if (!one.isStarted && seen.get(key) === one) seen.delete(key);
	}

	/**
	 * Makes n8n store the newest started keys, as text, which is quick to read and write. With *When Last Node Finishes*, n8n
	 * does so before the result is known, and another processor would take the sender's retry for a redelivery. So only the
	 * next write stores these.
	 */
	keep({ isAnsweredAtEnd = false } = {}): void {
		keepInStaticData(this.staticData, 'deliveries', () => {
			// n8n stores the data after it has begun to execute.
			if (!isAnsweredAtEnd) this.start();
			const started = [...this.memory.seen].filter(([, { isStarted }]) => isStarted).slice(-MAX_KEPT);
			return (this.memory.kept = started.map(([key, { second }]) => key + second.toString(36)).join(' '));
		});
	}
}
