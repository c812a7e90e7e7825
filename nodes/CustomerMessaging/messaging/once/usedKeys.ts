import { type DeduplicationHelperFunctions, sleep } from 'n8n-workflow';

// n8n's store of processed data holds one list of hashes for each node of a workflow. It tells whether an entry is in
// the list and adds it, in one step. It keeps no times, and two processes that write at once can overwrite each other.

/** The functions of n8n's store, as the context of a node gives them. */
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

/** The time for which a used key counts. */
export class Window {
	private readonly part: number;

	/** @param hours 0 for a window without end */
	constructor(readonly hours: number) {
		this.part = (hours * MS_PER_HOUR) / PARTS;
	}

	/** The part of time that a moment is in. */
	partAt(now: number): number {
		return this.hours === 0 ? 0 : Math.floor(now / this.part);
	}

	entry(id: string, part: number): string {
		return this.hours === 0 ? id : `${id}/${part}`;
	}

	/** The entries of a key that is used at a moment. */
	entries(id: string, now: number): string[] {
		if (this.hours === 0) return [id];
		const first = this.partAt(now);
		return Array.from({ length: PARTS + 1 }, (_, index) => this.entry(id, first + index));
	}
}

/** The store has no place for further keys. */
export class StoreFull extends Error {}

/** A key that was recorded for a message. Whoever has it keeps it or releases it. */
export class Claim {
	private readonly entries: Set<string>;

	constructor(
		private readonly keys: UsedKeys,
		private readonly store: Store,
		private readonly window: Window,
		readonly id: string,
		now: number,
		private readonly unlock: () => void,
	) {
		this.entries = new Set(window.entries(id, now));
	}

	/** Has the key count from now on. */
	async extend(): Promise<void> {
		await this.keys.record(this.store, this.window, (now) => {
			const entries = this.window.entries(this.id, now);
			for (const entry of entries) this.entries.add(entry);
			return entries;
		});
	}

	/**
	 * Keeps the key after the message.
	 *
	 * @returns the entries to record again: in queue mode, another process may have overwritten them
	 */
	keep(): string[] {
		this.unlock();
		return this.window.entries(this.id, Date.now());
	}

	/** Takes the key back, because nothing was sent. */
	async release(): Promise<void> {
		try {
			await this.keys.remove(this.store, [...this.entries]);
		} finally {
			this.unlock();
		}
	}
}

/** Gives the entries to record at a moment, in milliseconds since 1970. */
type EntriesAt = (now: number) => string[];

/** What was recorded in one step. */
interface Recorded {
	now: number;
	/** The entries that were not there before, also those of others in the same step. */
	added: Set<string>;
}

/** Entries that are recorded in one step. */
interface Batch {
	parts: EntriesAt[];
	recorded: Promise<Recorded>;
}

/** The used keys of one node of a workflow. All executions in this process share them. */
export class UsedKeys {
	private static readonly ofNodes = new Map<string, UsedKeys>();

	/** The keys that a message is being sent for, or that are being recorded. */
	private readonly held = new Map<string, Promise<void>>();

	/** The keys that were recorded ahead, and when. Whoever needs one first takes it. */
	private readonly free = new Map<string, number>();

	private lastTurn: Promise<unknown> = Promise.resolve();

	private waiting: Batch | undefined;

	static of(workflowId: string, nodeId: string): UsedKeys {
		const name = JSON.stringify([workflowId, nodeId]);
		const known = this.ofNodes.get(name) ?? new UsedKeys();
		this.ofNodes.set(name, known);
		return known;
	}

	/** Whether a key is recorded ahead. */
	isFree(id: string): boolean {
		return this.free.has(id);
	}

	/** Does work on the store after all earlier work of this process, since the store has no lock. */
	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const mine = this.lastTurn.then(work, work);
		this.lastTurn = mine;
		return await mine;
	}

	private hold(id: string): () => void {
		let open = () => {};
		this.held.set(
			id,
			new Promise((resolve) => {
				open = resolve;
			}),
		);
		return () => {
			this.held.delete(id);
			open();
		};
	}

	/** Records entries, in one step with all others that wait for their turn. */
	async record(store: Store, window: Window, entriesAt: EntriesAt): Promise<Recorded> {
		if (!this.waiting) {
			const parts: EntriesAt[] = [];
			const recorded = this.inTurn(async () => {
				this.waiting = undefined;
				return await this.write(store, window, parts);
			});
			this.waiting = { parts, recorded };
		}
		const { parts, recorded } = this.waiting;
		parts.push(entriesAt);
		return await recorded;
	}

	/**
	 * Adds entries to the list. A full list loses its older half, if all of it is older than the window: the mark is
	 * recorded like a key while the list is at most half full. So without a mark, the older half was there before.
	 */
	private async write(store: Store, window: Window, parts: EntriesAt[]): Promise<Recorded> {
		const count = await store.getProcessedDataCount('node', OPTIONS);
		const now = Date.now();
		const entries = [...new Set(parts.flatMap((entriesAt) => entriesAt(now)))];
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

	/** Removes entries. */
	async remove(store: Store, entries: string[]): Promise<void> {
		for (let start = 0; start < entries.length; start += REMOVED_AT_ONCE) {
			const some = entries.slice(start, start + REMOVED_AT_ONCE);
			await this.inTurn(async () => await store.removeProcessed(some, 'node', OPTIONS));
			await sleep(0);
		}
	}

	/**
	 * Records keys that are not in use in this process. It records the current part first, since n8n records what it
	 * checks: the others would lengthen the window of a used key.
	 *
	 * @returns the keys that were used before
	 */
	async recordAhead(store: Store, window: Window, ids: string[]): Promise<Set<string>> {
		const own = ids.filter((id) => !this.held.has(id) && !this.free.has(id));
		if (own.length === 0) return new Set();
		const unlocks = own.map((id) => this.hold(id));
		try {
			const firstAt = (now: number) => own.map((id) => window.entry(id, window.partAt(now)));
			const { now, added } = await this.record(store, window, firstAt);
			const firsts = firstAt(now);
			const isFresh = firsts.map((first) => added.has(first));
			const fresh = own.filter((_, index) => isFresh[index]);
			if (fresh.length > 0 && window.hours > 0) {
				const others = () => fresh.flatMap((id) => window.entries(id, now).slice(1));
				await this.record(store, window, others).catch(async (error: unknown) => {
					const taken = firsts.filter((first) => added.has(first));
					await this.remove(store, taken).catch(() => undefined);
					throw error;
				});
			}
			for (const id of fresh) this.free.set(id, now);
			return new Set(own.filter((_, index) => !isFresh[index]));
		} finally {
			for (const unlock of unlocks) unlock();
		}
	}

	/**
	 * Takes a key for a message. It waits while another message of this process is being sent for the key.
	 *
	 * @returns undefined if the key was used
	 */
	async take(store: Store, window: Window, id: string): Promise<Claim | undefined> {
		for (;;) {
			while (this.held.has(id)) await this.held.get(id);
			const recordedAt = this.free.get(id);
			this.free.delete(id);
			const partsAgo =
				recordedAt === undefined ? Infinity : window.partAt(Date.now()) - window.partAt(recordedAt);
			if (recordedAt !== undefined && partsAgo <= PARTS) {
				const claim = new Claim(this, store, window, id, recordedAt, this.hold(id));
				if (partsAgo > 0) {
					await claim.extend().catch(async (error: unknown) => {
						await claim.release().catch(() => undefined);
						throw error;
					});
				}
				return claim;
			}
			const used = await this.recordAhead(store, window, [id]);
			if (used.has(id)) return undefined;
		}
	}

	/** Takes back those of the keys that were recorded ahead and not taken. */
	async releaseFree(store: Store, window: Window, ids: string[]): Promise<void> {
		const left = ids.flatMap((id) => {
			const recordedAt = this.free.get(id);
			this.free.delete(id);
			return recordedAt === undefined ? [] : [{ id, recordedAt }];
		});
		const unlocks = left.map(({ id }) => this.hold(id));
		try {
			await this.remove(
				store,
				left.flatMap(({ id, recordedAt }) => window.entries(id, recordedAt)),
			);
		} finally {
			for (const unlock of unlocks) unlock();
		}
	}
}
