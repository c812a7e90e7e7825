import { createHash, randomUUID } from 'node:crypto';

import { type DeduplicationHelperFunctions, sleep } from 'n8n-workflow';

import { nodeErrorOf } from '../api/errors';
import { setting } from '../core/field';
import { requireParts } from '../core/fieldError';
import type { Item } from '../core/item';
import { isOneOfSeveral, nodeKey } from '../n8nInternals/processMemory';
import { filled, oneRow, onlyRow } from '../values/columns';
import { numberFrom } from '../values/numbers';
import { InvalidValue, type Parse } from '../values/parse';
import { emptyValue, isBlank, messageOf, quote, trimmedText } from '../values/text';
import { isOwnRun } from './sentMemory';
import type { Send } from './sendingOption';

/** Texts that an expression writes for a value that does not exist, or that is no text. All items would share the key. */
const NO_VALUE = /\[object \w+\]|\b(null|undefined|NaN|Invalid Date(Time)?)\b/;

const onceKey: Parse<string> = (value) => {
	if (isBlank(value)) throw emptyValue();
	const key = trimmedText(value);
	if (typeof value === 'boolean' || NO_VALUE.test(key))
		throw new InvalidValue(
			`"${quote(key)}" does not tell one message from another`,
			'Check the expression: the item may lack that field.',
		);
	// One letter can be written as one sign or as two, by the system that an order comes from.
	return key.trim().normalize('NFC');
};

const onceColumns = [
	setting('key', onceKey, {
		placeholder: 'e.g. {{ $json.orderId }}-shipped',
		description:
			'What makes this message unique, e.g. the order, or the number for one per person. Tests count too.',
	}),
	setting('hours', filled(numberFrom(0)), {
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0 },
		default: 24,
		description: 'How many hours to remember a key (0: forever)',
	}),
] as const;

const option = setting('options.sendOnce', onlyRow(onceColumns), {
	...oneRow(onceColumns),
	description: 'Whether to send once for each key, across executions',
});

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
type Key = [id: string, entries: string[]];

/** The keys of a node in n8n's store, as one run uses them. */
export class KeyList {
	/** The keys that wait for their turn. All that come meanwhile are recorded in one step. */
	private group?: { ids: string[]; recorded: Promise<Map<string, string[]>> };

	/**
	 * @param hours the window; 0 for one without end
	 * @param isShared whether other processes may write the list too
	 * @param inTurn carries out work on the list after all other work of this process on it
	 */
	constructor(
		private readonly store: Store,
		private readonly hours: number,
		private readonly isShared = false,
		private readonly inTurn: <T>(work: () => Promise<T>) => Promise<T> = async (work) => await work(),
	) {}

	/** The entries of a key that is used at a moment: that of the current part of the window comes first. */
	private entries(id: string, now: number): string[] {
		if (this.hours === 0) return [id];
		const part = Math.floor(now / ((this.hours * MS_PER_HOUR) / PARTS));
		return Array.from({ length: PARTS + 1 }, (_, index) => `${id}/${part + index}`);
	}

	private async add(entries: string[], isBegun = true, maxEntries?: number): Promise<Set<string>> {
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
	 * Returns which of the recorded keys belong to this process, and records their later entries. Where others write the list, it first
	 * waits and looks again. A key is this process's if the list still has the mark that was recorded with it. Without the mark, another
	 * process has overwritten the step: what is there is that process's, and what is gone is recorded again by the question. A mark is
	 * for one step, since an old one would prove nothing.
	 */
	private async complete(keys: Key[], [mark]: string[], began: number): Promise<Key[]> {
		const waitMs = Math.max(SETTLE_MS, 4 * (Date.now() - began));
		let left = keys;
		for (let round = 0; mark !== undefined && left.length > 0; round++) {
			if (round === MAX_ROUNDS) throw new Error('other processes of n8n overwrite it');
			await sleep(waitMs);
			const gone = await this.add([...left.map(([, [entry]]) => entry), mark]);
			if (!gone.has(mark)) break;
			left = left.filter(([, [entry]]) => gone.has(entry));
		}
		const later = left.flatMap(([, entries]) => entries.slice(1));
		if (later.length > 0) await this.add(later);
		return left;
	}

	/** Returns how many entries the list may have. A full one loses its older half, if all of it is older than the window. */
	private async room(count: number, needed: number, [mark]: string[]): Promise<number | undefined> {
		if (count + needed <= MAX_ENTRIES) return undefined;
		// The mark is recorded like a key while the list is at most half full.
		if (this.hours === 0 || !(await this.add([mark])).has(mark)) throw new StoreFull();
		return MAX_ENTRIES / 2 + needed;
	}

	/**
	 * Records the keys that were not used, and returns the recorded entries by key.
	 *
	 * @throws StoreFull when the list is full of keys that may still count
	 */
	private async record(ids: string[]): Promise<Map<string, string[]>> {
		const now = Date.now();
		const count = await this.store.getProcessedDataCount('node', OPTIONS);
		const keys = ids.map((id): Key => [id, this.entries(id, now)]);
		const halfFull = this.entries('', now);
		const mark = this.isShared ? [randomUUID()] : [];
		const needed = (keys.length + 1) * halfFull.length + mark.length;
		const maxEntries = await this.room(count, needed, halfFull);
		// n8n records what it checks: the later entries of a used key would lengthen its window.
		const first = keys.map(([, [entry]]) => entry);
		const isMarked = maxEntries !== undefined || count <= MAX_ENTRIES / 2;
		const added = await this.add([...first, ...mark, ...(isMarked ? halfFull : [])], count > 0, maxEntries);
		const unused = keys.filter(([, [entry]]) => added.has(entry));
		const fresh = await this.complete(unused, mark, now).catch(async (error: unknown) => {
			// Where others write the list too, a key may be theirs, and stays.
			await this.remove(this.isShared ? mark : unused.map(([, [entry]]) => entry)).catch(() => undefined);
			throw error;
		});
		if (this.isShared) await this.remove(mark).catch(() => undefined);
		return new Map(fresh);
	}

	private async remove(entries: string[]): Promise<void> {
		await this.store.removeProcessed(entries, 'node', OPTIONS);
	}

	/** Takes a key, and records it. @returns its entries; undefined if it was used */
	async take(id: string): Promise<string[] | undefined> {
		if (!this.group) {
			const ids: string[] = [];
			const recorded = this.inTurn(async () => {
				// The items of a run begin together.
				await sleep(0);
				this.group = undefined;
				return await this.record(ids);
			});
			this.group = { ids, recorded };
		}
		this.group.ids.push(id);
		return (await this.group.recorded).get(id);
	}

	/** Takes a key back, because nothing was sent. */
	async release(entries: string[]): Promise<void> {
		await this.inTurn(async () => await this.remove(entries));
	}
}

const OPTION = option.parameter.displayName;

/**
 * Sends a message only if its key was not used. A key belongs to the tenant, the node and the window. It stays used unless the
 * message was certainly not sent.
 *
 * @throws NodeOperationError when the key is unusable, or n8n gives the node no store
 */
async function sendForKey(item: Item<typeof option>, send: Send) {
	const { api, context } = item;
	const { key, hours } = item.get(option);
	// All items that lack the part would share what is left of the key.
	requireParts(context, option, 'key', key);
	const store = context.helpers as Partial<Store>;
	if (!store.checkProcessedAndRecord || !isOwnRun(context))
		throw item.error(
			`${OPTION} cannot be used here; nothing was sent`,
			'n8n gives the store of used keys to a step of the workflow only: not where an expression chooses Operation, and not to a tool of the MCP Server Trigger or of an AI Agent before version 3. Remove the option there.',
		);
	const node = `${OPTION} ${nodeKey(context)}`;
	const list = api.once(`${OPTION} ${hours}`, () => {
		const inTurn = async <T>(work: () => Promise<T>) => await api.inOrder(node, work);
		return new KeyList(store as Store, hours, isOneOfSeveral(context), inTurn);
	});
	const { baseUrl } = await api.settings;
	// The hash keeps long keys short. n8n hashes it again.
	const id = createHash('sha256')
		.update(JSON.stringify([baseUrl, hours, key]))
		.digest('base64');
	// Whoever has the same key waits, and gets it if this message is not sent.
	return await api.inOrder(`${node} ${id}`, async () => {
		const entries = await list.take(id).catch((error: unknown) => {
			throw item.error(
				`The key of ${OPTION} could not be recorded; nothing was sent`,
				error instanceof StoreFull
					? 'The store has no space left for keys that still count. Lower Hours, or split the items among several nodes.'
					: `n8n keeps the keys in its database with the workflow. Save the workflow, and check the database of n8n (${quote(messageOf(error))}).`,
			);
		});
		if (!entries) {
			const since = hours > 0 ? ` (Hours: ${hours})` : '';
			return { reason: `The key "${quote(key)}" of ${OPTION} was used before${since}`, send_once_key: key };
		}
		try {
			return await send();
		} catch (error) {
			const failure = nodeErrorOf(context, error, context.getItemIndex());
			if (failure.context.outcome === 'unknown') throw failure;
			await list.release(entries).catch(() => {
				const note = `n8n could not take the key of ${OPTION} back, so it counts as used.`;
				failure.description = [failure.description, note].filter(Boolean).join('\n');
			});
			throw failure;
		}
	});
}

/** An option that holds no key is an error: everything would be sent. */
export const sendOnce = { ...option, guard: sendForKey };
