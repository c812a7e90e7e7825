import { type DeduplicationHelperFunctions, sleep } from 'n8n-workflow';

import { ProcessMemory } from '../../n8nInternals/processMemory';

// n8n's store of processed data holds one list of hashes for each node of a workflow. It tells whether an entry is in
// the list and adds it, in one step. It keeps no times, and two processes that write at once can overwrite each other.

export type Store = Pick<
	DeduplicationHelperFunctions,
	'checkProcessedAndRecord' | 'getProcessedDataCount' | 'removeProcessed'
>;

const OPTIONS = { mode: 'entries' } as const;

/**
 * Number of parts that a window is divided into. A used key is recorded for the current part and this many after it. So
 * it counts for at least the window, and for one part more at most.
 */
const PARTS = 4;

/** Maximum number of entries that the store holds for one node. Its list is read and written whole. */
const MAX_ENTRIES = 1_000_000;

/** Number of entries that are removed at once, since n8n searches the whole list for each. */
const REMOVED_AT_ONCE = 50;

const MS_PER_HOUR = 3_600_000;

export class Window {
	private readonly part: number;

	/** @param hours 0 for a window without end */
	constructor(readonly hours: number) {
		this.part = (hours * MS_PER_HOUR) / PARTS;
	}

	private partAt(now: number): number {
		return this.hours === 0 ? 0 : Math.floor(now / this.part);
	}

	/** The entries of a key that is used at a moment, in milliseconds since 1970: that of the current part comes first. */
	entries(id: string, now: number): string[] {
		if (this.hours === 0) return [id];
		const first = this.partAt(now);
		return Array.from({ length: PARTS + 1 }, (_, index) => `${id}/${first + index}`);
	}

	/** Whether a key that was recorded at a moment still counts. */
	counts(recordedAt: number): boolean {
		return this.partAt(Date.now()) - this.partAt(recordedAt) <= PARTS;
	}
}

export class StoreFull extends Error {}

interface Recorded {
	now: number;
	/** The entries that were not there before. */
	added: Set<string>;
}

/** The list of one node in n8n's store, for keys with one window. */
export class KeyList {
	constructor(
		private readonly store: Store,
		readonly window: Window,
	) {}

	/**
	 * Adds the entries of a moment. A full list loses its older half, if all of it is older than the window: the mark is
	 * recorded like a key while the list is at most half full. So without a mark, the older half was there before.
	 *
	 * @throws StoreFull when the older half may still count
	 */
	async add(entriesAt: (now: number) => string[]): Promise<Recorded> {
		const { store, window } = this;
		const count = await store.getProcessedDataCount('node', OPTIONS);
		const now = Date.now();
		const entries = [...new Set(entriesAt(now))];
		const marks = window.entries('', now);
		let maxEntries: number | undefined;
		let all = count <= MAX_ENTRIES / 2 ? [...entries, ...marks] : entries;
		if (count + all.length > MAX_ENTRIES) {
			const { processed } = await store.checkProcessedAndRecord([marks[0]], 'node', OPTIONS);
			if (processed.length > 0 || window.hours === 0) throw new StoreFull();
			all = [...entries, ...marks];
			maxEntries = MAX_ENTRIES / 2 + all.length;
		}
		const check = async () =>
			await store.checkProcessedAndRecord(all, 'node', { ...OPTIONS, ...(maxEntries && { maxEntries }) });
		// Of two processes that make the list of a node at once, one fails. Its entries are not in the list.
		const { new: added } = await check().catch(async (error: unknown) => {
			if (count > 0) throw error;
			return await check();
		});
		return { now, added: new Set(added.map(String)) };
	}

	async remove(entries: string[]): Promise<void> {
		await this.store.removeProcessed(entries, 'node', OPTIONS);
	}
}

/** A key that was recorded for a message. Whoever has it keeps it or releases it. */
export interface Claim {
	id: string;
	/**
	 * Keeps the key after the message.
	 *
	 * @returns the entries to record again: in queue mode, another process may have overwritten them
	 */
	keep: () => string[];
	/** Takes the key back, because nothing was sent. */
	release: () => Promise<void>;
}

/** The used keys of one node of a workflow. */
export class UsedKeys {
	/** All executions in this process share the keys of a node, since n8n's store has no lock. */
	private static readonly ofNodes = new ProcessMemory<UsedKeys>('used keys');

	/** The keys that a message is being sent for, or that are being recorded. */
	private readonly held = new Map<string, Promise<void>>();

	/** The keys that were recorded ahead, with the moment and the run. Whoever needs one first takes it. */
	private readonly free = new Map<string, { at: number; run: object }>();

	private lastTurn: Promise<unknown> = Promise.resolve();

	/** @param node see `nodeKey` */
	static of(node: string): UsedKeys {
		return this.ofNodes.get(node) ?? this.ofNodes.set(node, new UsedKeys());
	}

	/** Does work on the store after all earlier work of this process. */
	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const mine = this.lastTurn.then(work, work);
		this.lastTurn = mine;
		return await mine;
	}

	/** Holds keys. @returns lets them go */
	private hold(ids: string[]): () => void {
		let open = () => {};
		const opened = new Promise<void>((resolve) => {
			open = resolve;
		});
		for (const id of ids) this.held.set(id, opened);
		return () => {
			for (const id of ids) this.held.delete(id);
			open();
		};
	}

	async record(list: KeyList, entriesAt: (now: number) => string[]): Promise<Recorded> {
		return await this.inTurn(async () => await list.add(entriesAt));
	}

	private async remove(list: KeyList, entries: string[]): Promise<void> {
		for (let start = 0; start < entries.length; start += REMOVED_AT_ONCE) {
			await this.inTurn(async () => await list.remove(entries.slice(start, start + REMOVED_AT_ONCE)));
			await sleep(0);
		}
	}

	/**
	 * Records keys that are not in use in this process. It records the current part first, since n8n records what it
	 * checks: the others would lengthen the window of a used key.
	 *
	 * @param run the run of the node that records them
	 * @param others further entries to record in the same step
	 * @returns the keys that were used before
	 */
	async recordAhead(list: KeyList, ids: string[], run: object, others: string[] = []): Promise<Set<string>> {
		const { window } = list;
		const own = ids.filter((id) => !this.held.has(id) && !this.free.has(id));
		if (own.length + others.length === 0) return new Set();
		const letGo = this.hold(own);
		try {
			const { now, added } = await this.record(list, (at) => [
				...others,
				...own.map((id) => window.entries(id, at)[0]),
			]);
			const used = new Set(own.filter((id) => !added.has(window.entries(id, now)[0])));
			const fresh = own.filter((id) => !used.has(id));
			const later = fresh.flatMap((id) => window.entries(id, now).slice(1));
			if (later.length > 0) {
				await this.record(list, () => later).catch(async (error: unknown) => {
					const taken = fresh.map((id) => window.entries(id, now)[0]);
					await this.remove(list, taken).catch(() => undefined);
					throw error;
				});
			}
			for (const id of fresh) this.free.set(id, { at: now, run });
			return used;
		} finally {
			letGo();
		}
	}

	/**
	 * Takes a key for a message. It waits while another message of this process is being sent for the key.
	 *
	 * @returns undefined if the key was used
	 */
	async take(list: KeyList, id: string, run: object): Promise<Claim | undefined> {
		for (;;) {
			while (this.held.has(id)) await this.held.get(id);
			const recorded = this.free.get(id);
			this.free.delete(id);
			if (recorded && list.window.counts(recorded.at)) return this.claim(list, id, recorded.at);
			const used = await this.recordAhead(list, [id], run);
			if (used.has(id)) return undefined;
		}
	}

	private claim(list: KeyList, id: string, recordedAt: number): Claim {
		const letGo = this.hold([id]);
		return {
			id,
			keep() {
				letGo();
				return list.window.entries(id, Date.now());
			},
			release: async () => {
				await this.remove(list, list.window.entries(id, recordedAt)).finally(letGo);
			},
		};
	}

	/** Takes back the keys that a run has recorded ahead and nobody has taken. */
	async releaseOf(list: KeyList, run: object): Promise<void> {
		const left = [...this.free].filter(([, recorded]) => recorded.run === run);
		for (const [id] of left) this.free.delete(id);
		const letGo = this.hold(left.map(([id]) => id));
		const entries = left.flatMap(([id, { at }]) => list.window.entries(id, at));
		await this.remove(list, entries).finally(letGo);
	}
}
