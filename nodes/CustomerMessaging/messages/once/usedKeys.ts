import { randomUUID } from 'node:crypto';

import { type DeduplicationHelperFunctions, sleep } from 'n8n-workflow';

import { ProcessMemory } from '../../n8nInternals/processMemory';

// n8n's store of processed data holds one list of hashes for each node of a workflow. It tells whether an entry is in
// the list and adds it, in one step. It keeps no times, and has no lock: of two processes that read the list, change it and
// write it at once, one overwrites what the other has added, and both are told that a key is new.

export type Store = Pick<
	DeduplicationHelperFunctions,
	'checkProcessedAndRecord' | 'getProcessedDataCount' | 'removeProcessed'
>;

const OPTIONS = { mode: 'entries' } as const;

/** Parts of a window. A key is recorded for the current part and this many after it: it counts for one part more at most. */
const PARTS = 4;

/** Maximum number of entries that the store holds for one node. Its list is read and written whole. */
const MAX_ENTRIES = 1_000_000;

const MS_PER_HOUR = 3_600_000;

/**
 * A process waits so long after a step, or four times as long as the step took. Another one has to write what it has read within half
 * of that: it may overwrite the step, and what a third has read before may overwrite both.
 */
const SETTLE_MS = 250;

/** How often a step is repeated that others overwrite. It happens to about one of ten. */
const MAX_ROUNDS = 20;

export class StoreFull extends Error {}

/** A key with its entries, see `KeyList.entries`. */
interface Key {
	id: string;
	entries: string[];
}

export class KeyList {
	/**
	 * @param hours the window; 0 for one without end
	 * @param isShared whether other processes may write the list too
	 */
	constructor(
		private readonly store: Store,
		readonly hours: number,
		private readonly isShared = false,
	) {}

	/** The entries of a key that is used at a moment: that of the current part of the window comes first. */
	entries(id: string, now = Date.now()): string[] {
		if (this.hours === 0) return [id];
		const part = Math.floor(now / ((this.hours * MS_PER_HOUR) / PARTS));
		return Array.from({ length: PARTS + 1 }, (_, index) => `${id}/${part + index}`);
	}

	private async add(entries: string[], isBegun: boolean, maxEntries?: number): Promise<Set<string>> {
		const options = { ...OPTIONS, ...(maxEntries && { maxEntries }) };
		const check = async () => await this.store.checkProcessedAndRecord(entries, 'node', options);
		// Of two processes that make the list of a node at once, one fails. Its entries are not in the list.
		const { new: added } = await check().catch(async (error: unknown) => {
			if (isBegun) throw error;
			return await check();
		});
		return new Set(added.map(String));
	}

	/**
	 * Returns which of the recorded keys belong to this process. They do if the list still has the mark that was recorded
	 * with them. Without it, another process has overwritten the step: what is there is that process's, and what is gone
	 * is recorded again by the question. A mark is for one step, since an old one would prove nothing.
	 */
	private async own(keys: Key[], mark: string, waitMs: number): Promise<Key[]> {
		let left = keys;
		for (let round = 0; left.length > 0; round++) {
			if (round === MAX_ROUNDS) throw new Error('other processes of n8n overwrite it');
			await sleep(waitMs);
			const gone = await this.add([...left.map(({ entries: [entry] }) => entry), mark], true);
			if (!gone.has(mark)) break;
			left = left.filter(({ entries: [entry] }) => gone.has(entry));
		}
		return left;
	}

	/**
	 * Records the keys that were not used, with further entries, and returns the recorded entries by key. A full list
	 * loses its older half, if all of it is older than the window: a mark is recorded like a key while the list is at most
	 * half full.
	 *
	 * @throws StoreFull when the older half may still count
	 */
	async record(ids: string[], again: Set<string>): Promise<Map<string, string[]>> {
		const now = Date.now();
		const count = await this.store.getProcessedDataCount('node', OPTIONS);
		const keys = ids.map((id) => ({ id, entries: this.entries(id, now) }));
		const marks = this.entries('', now);
		const mark = this.isShared && ids.length > 0 ? [randomUUID()] : [];
		const needed = again.size + keys.reduce((sum, { entries }) => sum + entries.length, 0);
		const isFull = count + needed > MAX_ENTRIES;
		if (isFull && (this.hours === 0 || !(await this.add([marks[0]], true)).has(marks[0])))
			throw new StoreFull();
		// n8n records what it checks: the later entries of a used key would lengthen its window.
		const first = new Set([...again, ...keys.map(({ entries }) => entries[0])]);
		const all = [...first, ...mark, ...(isFull || count <= MAX_ENTRIES / 2 ? marks : [])];
		const added = await this.add(all, count > 0, isFull ? MAX_ENTRIES / 2 + all.length : undefined);
		let fresh = keys.filter(({ entries: [entry] }) => added.has(entry) && !again.has(entry));
		const complete = async () => {
			const waitMs = Math.max(SETTLE_MS, 4 * (Date.now() - now));
			if (mark.length > 0) fresh = await this.own(fresh, mark[0], waitMs);
			const later = fresh.flatMap(({ entries }) => entries.slice(1));
			if (later.length > 0) await this.add(later, true);
		};
		await complete().catch(async (error: unknown) => {
			// Where others write the list too, a key may be theirs, and stays.
			await this.remove(mark.length > 0 ? mark : fresh.map(({ entries }) => entries[0])).catch(
				() => undefined,
			);
			throw error;
		});
		if (mark.length > 0) await this.remove(mark).catch(() => undefined);
		return new Map(fresh.map(({ id, entries }) => [id, entries]));
	}

	async remove(entries: string[]): Promise<void> {
		await this.store.removeProcessed(entries, 'node', OPTIONS);
	}
}

/** A key that was recorded for a message. Whoever has it keeps it or releases it. */
export type UsedKey = NonNullable<Awaited<ReturnType<UsedKeys['take']>>>;

export class UsedKeys {
	/** All executions in this process share the keys of a node, since n8n's store has no lock. */
	private static readonly ofNodes = new ProcessMemory<UsedKeys>('used keys');

	private readonly held = new Map<string, Promise<void>>();

	/** The entries of sent messages, to be recorded again: in queue mode, another process may have overwritten them. */
	private kept = new Set<string>();

	/** The keys that wait for their turn at the store. All that come meanwhile are recorded in one step. */
	private group?: { hours: number; ids: string[]; recorded: ReturnType<KeyList['record']> };

	private lastTurn: Promise<unknown> = Promise.resolve();

	/** @param node see `nodeKey` */
	static of(node: string): UsedKeys {
		return this.ofNodes.get(node) ?? this.ofNodes.set(node, new UsedKeys());
	}

	private async inTurn<T>(work: () => Promise<T>): Promise<T> {
		const mine = this.lastTurn.then(work, work);
		this.lastTurn = mine;
		return await mine;
	}

	private async recordInTurn(list: KeyList, ids: string[]): ReturnType<KeyList['record']> {
		return await this.inTurn(async () => {
			// The items of a run begin together.
			await sleep(0);
			if (this.group?.ids === ids) this.group = undefined;
			const { kept } = this;
			this.kept = new Set();
			return await list.record(ids, kept);
		});
	}

	/** Holds a key. It waits while another message of this process is being sent for the key. @returns lets it go */
	private async hold(id: string): Promise<() => void> {
		while (this.held.has(id)) await this.held.get(id);
		let open = () => {};
		this.held.set(id, new Promise((resolve) => (open = resolve)));
		return () => {
			this.held.delete(id);
			open();
		};
	}

	/** @returns undefined if the key was used */
	private async record(list: KeyList, id: string): Promise<string[] | undefined> {
		if (this.group?.hours !== list.hours) {
			const ids: string[] = [];
			this.group = { hours: list.hours, ids, recorded: this.recordInTurn(list, ids) };
		}
		const { ids, recorded } = this.group;
		ids.push(id);
		return (await recorded).get(id);
	}

	/** Takes a key for a message, and records it. @returns undefined if the key was used */
	async take(list: KeyList, id: string) {
		const letGo = await this.hold(id);
		const entries = await this.record(list, id).catch((error: unknown) => {
			letGo();
			throw error;
		});
		if (!entries) {
			letGo();
			return undefined;
		}
		return {
			/** After the message. */
			keep: () => {
				for (const entry of list.entries(id)) this.kept.add(entry);
				letGo();
			},
			/** Takes the key back, because nothing was sent. */
			release: async () => {
				await this.inTurn(async () => await list.remove(entries)).finally(letGo);
			},
		};
	}

	/** Records the keys of sent messages again. They were recorded before, so a failure does not count. */
	async end(list: KeyList): Promise<void> {
		if (this.kept.size > 0) await this.recordInTurn(list, []).catch(() => undefined);
	}
}
