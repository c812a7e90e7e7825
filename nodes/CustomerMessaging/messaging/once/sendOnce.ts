import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { EventLoopYielder } from '../../runner/eventLoop';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { type ItemContexts, itemContextsOf } from '../../runner/itemContext';
import type { Item } from '../../runner/operation';
import { noteOutcome, nodeRunOf } from '../../transport/nodeRun';
import { column, rowBy, whenConverted } from '../../values/columns';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { isObject, ownMember } from '../../values/json';
import { number } from '../../values/numbers';
import { EMPTY, isBlank, shown, text } from '../../values/text';
import { type Claim, type Store, StoreFull, UsedKeys, Window } from './usedKeys';

/** Texts that an expression writes for a value that does not exist, or that is no text. All items would share the key. */
const NO_VALUE = /\[object \w+\]|\b(undefined|NaN)\b/;

const onceKey: Conversion<string> = (value) => {
	if (isBlank(value)) return EMPTY;
	const key = typeof value === 'boolean' ? String(value) : text(value);
	if (key instanceof ValueProblem) return key;
	return typeof value === 'boolean' || NO_VALUE.test(key)
		? new ValueProblem(
				`"${shown(key)}" does not tell one message from another`,
				'Check the expression: the item may lack that field.',
			)
		: key.trim();
};

const hours: Conversion<number> = (value) => {
	const given = isBlank(value) ? 0 : number(value);
	return given instanceof ValueProblem || given >= 0
		? given
		: new ValueProblem('is less than 0', 'Enter 0 or more.');
};

const columns = [
	column(onceKey, {
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: '',
		placeholder: 'e.g. {{ $json.orderId }}-shipped',
		description:
			'What the message is about. All executions of the workflow count together, tests too. In queue mode, two at the same instant may both send.',
	}),
	column(hours, {
		displayName: 'Hours',
		name: 'hours',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0 },
		default: 24,
		description:
			'How long a key counts, up to a quarter more; 0 is for good. After a change, earlier keys no longer count.',
	}),
] as const;

const rowOf = (option: unknown): unknown => ownMember(option, 'values');

/** Converts the option to a key and its window. An option that holds no key is an error: everything would be sent. */
const once: Conversion<{ key: string; window: Window }> = (value) => {
	const row = rowOf(value);
	return whenConverted(rowBy(columns, isObject(row) ? row : {}), (given) => ({
		key: given.key,
		window: new Window(given.hours),
	}));
};

/** The option that sends once for each key. */
export const sendOnce = setting('options.sendOnce', once, {
	displayName: 'Send Once',
	name: 'sendOnce',
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to send only once for each key, across executions',
	options: [{ displayName: 'Values', name: 'values', values: columns.map(({ parameter }) => parameter) }],
});

/** An expression within a text. */
const PART = /\{\{[^]*?\}\}/g;

/**
 * Returns the expressions of a key that has text beside them. n8n writes nothing for a value that does not exist, and all
 * items that lack it would share what is left of the key.
 */
function partsOf(context: ItemContext): string[] {
	const { options } = context.getNode().parameters;
	const written = ownMember(rowOf(ownMember(options, sendOnce.parameter.name)), 'key');
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	const parts: string[] = written.match(PART) ?? [];
	return written.slice(1).trim() === parts[0] ? [] : parts;
}

/** Returns an expression of the key that gives nothing for the item; undefined if each gives something. */
const emptyPartOf = (context: ItemContext): string | undefined =>
	partsOf(context).find((part) => isBlank(context.evaluateExpression(part, context.getItemIndex())));

/** Maximum number of items whose keys are recorded before their turn. */
const MAX_AHEAD = 500;

/** Returns what stands for a key in the store. */
type IdOf = (key: string) => string;

/** The keys of one run of the node. */
class RunKeys {
	/** The keys that were used when the run came to their items. */
	private readonly used = new Set<string>();

	/** The keys that were recorded before the turn of their items, and are to be taken back unless an item takes them. */
	private readonly ahead = new Set<string>();

	/** Entries of messages that were sent. */
	private kept: string[] = [];

	/** Index of the first item whose key is not recorded. */
	private next = 0;

	private busy: Promise<void> | undefined;

	constructor(
		private readonly contexts: ItemContexts,
		private readonly keys: UsedKeys,
		private readonly store: Store,
		private readonly window: Window,
	) {}

	/**
	 * Takes the key of an item.
	 *
	 * @returns undefined if the key was used
	 */
	async take(item: number, key: string, idOf: IdOf): Promise<Claim | undefined> {
		await this.recordNext(item, idOf);
		const id = idOf(key);
		this.ahead.delete(id);
		return this.used.has(id) ? undefined : await this.keys.take(this.store, this.window, id);
	}

	keep(claim: Claim): void {
		this.used.add(claim.id);
		this.kept.push(...claim.keep());
	}

	/** Records the kept entries again. They were recorded before, so a failure does not count. */
	private async confirm(): Promise<void> {
		const { kept } = this;
		this.kept = [];
		if (kept.length === 0) return;
		await this.keys.record(this.store, this.window, () => kept).catch(() => undefined);
	}

	/** Records the keys of an item and of the next ones in one step, unless an item before has done it. */
	private async recordNext(item: number, idOf: IdOf): Promise<void> {
		while (this.busy) await this.busy.catch(() => undefined);
		if (item < this.next) return;
		this.busy = this.recordAhead(item, idOf).finally(() => {
			this.busy = undefined;
		});
		await this.busy;
	}

	private async recordAhead(item: number, idOf: IdOf): Promise<void> {
		const { contexts, keys, store, window } = this;
		const eventLoop = new EventLoopYielder();
		const end = Math.min(item + MAX_AHEAD - this.ahead.size, contexts.count);
		this.next = Math.max(end, item + 1);
		const ids = new Set<string>();
		for (let index = item; index < end; index++) {
			await eventLoop.yield();
			const key = keyOf(contexts.of(index));
			if (key !== undefined) ids.add(idOf(key));
		}
		// Both are one step of the store.
		const confirmed = this.confirm();
		for (const id of await keys.recordAhead(store, window, [...ids])) this.used.add(id);
		for (const id of ids) if (keys.isFree(id)) this.ahead.add(id);
		await confirmed;
	}

	async end(): Promise<void> {
		await this.confirm();
		await this.keys.releaseFree(this.store, this.window, [...this.ahead]);
	}
}

const ofRuns = new WeakMap<ItemContexts, RunKeys>();

/** The key of an item's message. It is recorded before the message is sent. */
export class OnceKey {
	private claim: Claim | undefined;

	constructor(
		private readonly context: ItemContext,
		private readonly ofRun: RunKeys,
		private readonly key: string,
		private readonly window: Window,
	) {}

	/**
	 * Records the key.
	 *
	 * @returns the output item if the key was used
	 * @throws NodeOperationError when the store fails
	 */
	async take(): Promise<IDataObject | undefined> {
		const { context, key, window } = this;
		const { baseUrl } = await nodeRunOf(context);
		// The hash keeps long keys short. n8n hashes it again.
		const idOf: IdOf = (one) =>
			createHash('sha256')
				.update(JSON.stringify([baseUrl, window.hours, one]))
				.digest('base64');
		try {
			this.claim = await this.ofRun.take(context.getItemIndex(), key, idOf);
		} catch (error) {
			throw storeError(context, error);
		}
		if (this.claim) return undefined;
		await noteOutcome(context, 'were skipped, because their key of Send Once was used before');
		const since = window.hours > 0 ? ` (Hours: ${window.hours})` : '';
		const reason = `The key "${shown(key)}" of Send Once was used before${since}`;
		return { skipped: true, reason, send_once_key: key };
	}

	/** After the message was sent, or may have been. */
	keep(): void {
		if (this.claim) this.ofRun.keep(this.claim);
	}

	/** Takes the key back, because the message was certainly not sent. */
	async release(): Promise<void> {
		await this.claim?.release();
	}
}

/** Makes the error about a key that could not be recorded. */
function storeError(context: ItemContext, error: unknown): NodeOperationError {
	const isFull = error instanceof StoreFull;
	const reason = error instanceof Error ? error.message : String(error);
	return new NodeOperationError(
		context.getNode(),
		isFull
			? "The store for this node's keys of Send Once is full; nothing was sent"
			: 'The key of Send Once could not be recorded; nothing was sent',
		{
			itemIndex: context.getItemIndex(),
			description: isFull
				? 'It has no more place for keys that still count. Lower Hours, or divide the items among several nodes.'
				: `n8n keeps the keys in its database with the workflow. Save the workflow, and check the database of n8n (${shown(reason)}).`,
		},
	);
}

/**
 * Returns the key that an item is sent once for; undefined if it has none.
 *
 * @throws NodeOperationError when the key is unusable, or n8n gives the node no store
 */
export function onceKeyOf({
	context,
	read,
	shows,
}: Pick<Item<typeof sendOnce>, 'context' | 'read' | 'shows'>): OnceKey | undefined {
	if (!shows(sendOnce)) return undefined;
	const { key, window } = read(sendOnce);
	const emptyPart = emptyPartOf(context);
	if (emptyPart !== undefined) {
		const problem = `(Key) "${shown(key)}" lacks a part: ${shown(emptyPart)} gives nothing`;
		throw fieldError(
			context,
			sendOnce.parameter.displayName,
			new ValueProblem(problem, 'Check that the item has that field. Nothing was sent.'),
		);
	}
	const store = context.helpers as Partial<Store>;
	const contexts = itemContextsOf(context);
	if (!isStore(store) || !contexts) {
		throw new NodeOperationError(context.getNode(), 'Send Once cannot be used here; nothing was sent', {
			itemIndex: context.getItemIndex(),
			description:
				'n8n gives the store of used keys to a step of the workflow only: not where an expression chooses Operation, and not to a tool of the MCP Server Trigger or of an AI Agent before version 3. Remove the option there.',
		});
	}
	let ofRun = ofRuns.get(contexts);
	if (!ofRun) {
		const keys = UsedKeys.of(String(context.getWorkflow().id), context.getNode().id);
		ofRuns.set(contexts, (ofRun = new RunKeys(contexts, keys, store, window)));
		contexts.atEnd.push(endOf(context, ofRun));
	}
	return new OnceKey(context, ofRun, key, window);
}

const isStore = (helpers: Partial<Store>): helpers is Store =>
	typeof helpers.checkProcessedAndRecord === 'function';

/** The messages are sent by then, so the hints tell of a failure. */
const endOf = (context: ItemContext, ofRun: RunKeys) => async () => {
	await ofRun.end().catch(async () => {
		await noteOutcome(
			context,
			'may keep their key of Send Once without a message: n8n could not take it back',
		);
	});
};

/** The key of an item; undefined if it is unusable, which fails the item in its turn. */
function keyOf(context: ItemContext): string | undefined {
	try {
		const key = onceKey(context.getNodeParameter(`${sendOnce.path}.values.key`, ''));
		return key instanceof ValueProblem || emptyPartOf(context) !== undefined ? undefined : key;
	} catch {
		return undefined;
	}
}
