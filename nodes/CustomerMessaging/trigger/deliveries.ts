import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { ProcessMemory } from '../n8nInternals/processMemory';
import { keepInStaticData } from '../n8nInternals/staticData';
import { isFailedMessage } from '../values/messageSummary';
import { hasLostDigits, stringOf } from '../values/text';

/** The seconds at which deliveries came, by their keys, the oldest first. */
class SeenDeliveries extends Map<string, number> {
	constructor(private readonly maximum: number) {
		super();
	}

	add(key: string, second: number): void {
		this.delete(key);
		this.set(key, second);
		if (this.size <= this.maximum) return;
		const [oldest] = this.keys();
		this.delete(oldest);
	}

	deleteBefore(second: number): void {
		for (const [key, one] of this) {
			if (one >= second) break;
			this.delete(key);
		}
	}
}

/** Maximum number of deliveries that a process remembers for one trigger. `MAX_KEPT` of them survive a restart. */
const MAX_IN_PROCESS = 10_000;
const MAX_KEPT = 1_000;

interface DeliveryMemory {
	accepted: SeenDeliveries;
	/** The accepted deliveries that n8n has begun to execute, or has answered without a server error. */
	started: SeenDeliveries;
	/** The text in the static data, as this process last read or wrote it. */
	kept: string;
}

/** Length of a delivery's key in characters: 60 bits, so that no two of 10,000 are equal. */
const KEY_LENGTH = 10;

const inProcess = new ProcessMemory<DeliveryMemory>('deliveries');

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, KEY_LENGTH);

/** Whether a value tells one record from all others, which a number that has lost digits does not. */
const isId = (value: unknown) =>
	(typeof value === 'number' && !hasLostDigits(value)) || (typeof value === 'string' && value !== '');

/**
 * Returns what a redelivery shares with the first one: a hash of kind, ID and status; of the whole message without an ID. A
 * message that was not delivered has another status then, whatever its word.
 */
export function deliveryKey(message: IDataObject, kind = ''): string {
	const { id } = message;
	const status = isFailedMessage(message) ? 'failed' : (message.status ?? '');
	const identity = [kind, ...(isId(id) ? [stringOf(id), status] : [message])];
	return hashOf(JSON.stringify(identity));
}

/**
 * The deliveries that a trigger has accepted. The newest started ones are also in the workflow's static data, which n8n
 * keeps over a restart and shares between webhook processors. If two write at once, one overwrites the other's, which
 * return with its next write.
 */
export class Deliveries {
	private readonly memory: DeliveryMemory;
	private readonly own: string[] = [];
	private isStarted = false;

	/**
	 * @param trigger identifies this trigger in the process
	 * @param now seconds since 1970
	 */
	constructor(
		trigger: string,
		private readonly staticData: IDataObject,
		private readonly windowSeconds: number,
		private readonly now: number,
	) {
		const [accepted, started] = [MAX_IN_PROCESS, MAX_KEPT].map((maximum) => new SeenDeliveries(maximum));
		this.memory = inProcess.get(trigger) ?? inProcess.set(trigger, { accepted, started, kept: '' });
		this.readKept(stringOf(staticData.deliveries));
		for (const seen of [this.memory.accepted, this.memory.started]) seen.deleteBefore(now - windowSeconds);
	}

	private readKept(text: string): void {
		const { accepted, started, kept } = this.memory;
		if (text === kept) return;
		this.memory.kept = text;
		for (const entry of text.split(' ')) {
			const key = entry.slice(0, KEY_LENGTH);
			const second = parseInt(entry.slice(KEY_LENGTH), 36);
			if (Number.isNaN(second) || accepted.has(key)) continue;
			for (const seen of [accepted, started]) seen.add(key, second);
		}
	}

	accept(key: string): boolean {
		const { accepted } = this.memory;
		const before = accepted.get(key);
		if (before !== undefined && before >= this.now - this.windowSeconds) return false;
		accepted.add(key, this.now);
		this.own.push(key);
		return true;
	}

	/**
	 * Records n8n's response to the request. After a server error, the sender repeats a delivery that n8n has not begun to
	 * execute, so it is forgotten. With another status it counts as started, and the next write includes it.
	 */
	answered(status: number): void {
		if (this.isStarted) return;
		if (status >= 500) for (const key of this.own) this.memory.accepted.delete(key);
		else this.start();
	}

	private start(): void {
		this.isStarted = true;
		for (const key of this.own) this.memory.started.add(key, this.now);
	}

	/**
	 * Makes n8n store the newest deliveries, as text, which is quick to read and write. With *When Last Node Finishes*,
	 * n8n does so before the result is known, and another processor would take the sender's retry for a redelivery. So
	 * only the next write stores this one.
	 */
	keep({ isAnsweredAtEnd = false } = {}): void {
		keepInStaticData(this.staticData, 'deliveries', () => {
			// n8n stores the data after it has begun to execute.
			if (!isAnsweredAtEnd) this.start();
			const entries = Array.from(this.memory.started, ([key, second]) => key + second.toString(36));
			return (this.memory.kept = entries.join(' '));
		});
	}
}
