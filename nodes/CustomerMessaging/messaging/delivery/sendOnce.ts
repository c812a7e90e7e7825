import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { EventLoopYielder } from '../../runner/eventLoop';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { type ItemContexts, itemContextsOf } from '../../runner/itemContext';
import type { Item } from '../../runner/operation';
import { noteOutcome, nodeRunOf } from '../../transport/nodeRun';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { ownMember } from '../../values/json';
import { number } from '../../values/numbers';
import { EMPTY, isBlank, shown, text } from '../../values/text';
import { type Store, StoreFull, UsedKeys, Window } from './usedKeys';

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

export const sendOnceKey = setting('options.sendOnceKey', onceKey, {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}-shipped',
	description:
		'What the message is about. The node sends once for each key in all executions of the workflow, tests too. In queue mode, two at the same instant may both send.',
});

const hours: Conversion<number> = (value) => {
	const given = isBlank(value) ? 0 : number(value);
	return given instanceof ValueProblem || given >= 0
		? given
		: new ValueProblem('is less than 0', 'Enter 0 or more.');
};

export const sendOnceHours = setting('options.sendOnceHours', hours, {
	displayName: 'Send Once Hours',
	name: 'sendOnceHours',
	type: 'number',
	noDataExpression: true,
	typeOptions: { minValue: 0 },
	default: 24,
	description:
		'How long a Send Once Key counts, up to a quarter more; 0 is for good. After a change, earlier keys no longer count.',
});

/** An expression within a text. */
const PART = /\{\{[^]*?\}\}/g;

/**
 * Returns the expressions of a key that has text beside them. n8n writes nothing for a value that does not exist, and all
 * items that lack it would share what is left of the key.
 */
function partsOf(context: ItemContext): string[] {
	const { options } = context.getNode().parameters;
	const written = ownMember(options, 'sendOnceKey');
	if (typeof written !== 'string' || !written.startsWith('=')) return [];
	const parts: string[] = written.match(PART) ?? [];
	return written.slice(1).trim() === parts[0] ? [] : parts;
}

/** Returns an expression of the key that gives nothing for the item; undefined if each gives something. */
const emptyPartOf = (context: ItemContext): string | undefined =>
	partsOf(context).find((part) => isBlank(context.evaluateExpression(part, context.getItemIndex())));

/** The settings for `sendOnce`. */
export const sendOnceSettings = [sendOnceKey, sendOnceHours] as const;

/** A key that was recorded for the message of an item. */
export interface TakenKey {
	/** After the message was sent, or may have been. */
	keep: () => void;
	/** If it was certainly not sent. */
	release: () => Promise<void>;
}

/** Sends only if the key of the item was not used. */
export interface SendOnce {
	/** @returns the output item if the key was used */
	take: () => Promise<TakenKey | { skipped: IDataObject }>;
}

/** Maximum number of items whose keys are recorded before their turn. */
const MAX_AHEAD = 500;

/** The keys of one run of the node. */
class RunKeys {
	/** The keys that were used when the run came to their items. */
	readonly used = new Set<string>();

	/** The keys that were recorded before the turn of their items, and are to be taken back unless an item takes them. */
	readonly ahead = new Set<string>();

	/** Entries of messages that were sent. */
	private kept: string[] = [];

	/** Index of the first item whose key is not recorded. */
	next = 0;

	busy: Promise<void> | undefined;

	constructor(
		readonly keys: UsedKeys,
		readonly store: Store,
		readonly window: Window,
	) {}

	async take(id: string): Promise<TakenKey | undefined> {
		const { used, keys, store, window } = this;
		this.ahead.delete(id);
		const claim = used.has(id) ? undefined : await keys.take(store, window, id);
		return (
			claim && {
				keep: () => {
					used.add(id);
					this.kept.push(...claim.keep());
				},
				release: async () => await claim.release(),
			}
		);
	}

	/** Records the kept entries again. They were recorded before, so a failure does not count. */
	async confirm(): Promise<void> {
		const { kept } = this;
		this.kept = [];
		if (kept.length === 0) return;
		await this.keys.record(this.store, this.window, () => kept).catch(() => undefined);
	}

	/** Records the keys of items in one step. */
	async recordAhead(ids: string[]): Promise<void> {
		// Both are one step of the store.
		const confirmed = this.confirm();
		for (const id of await this.keys.recordAhead(this.store, this.window, ids)) this.used.add(id);
		for (const id of ids) if (this.keys.isFree(id)) this.ahead.add(id);
		await confirmed;
	}

	async end(): Promise<void> {
		await this.confirm();
		await this.keys.releaseFree(this.store, this.window, [...this.ahead]);
	}
}

const ofRuns = new WeakMap<ItemContexts, RunKeys>();

/** Makes the error about a key that could not be recorded. */
function storeError(context: ItemContext, error: unknown): NodeOperationError {
	const isFull = error instanceof StoreFull;
	const reason = error instanceof Error ? error.message : String(error);
	return new NodeOperationError(
		context.getNode(),
		isFull
			? "The store for this node's Send Once Keys is full; nothing was sent"
			: 'The Send Once Key could not be recorded; nothing was sent',
		{
			itemIndex: context.getItemIndex(),
			description: isFull
				? 'It has no more place for keys that still count. Lower Send Once Hours, or divide the items among several nodes.'
				: `n8n keeps the keys in its database with the workflow. Save the workflow, and check the database of n8n (${shown(reason)}).`,
		},
	);
}

/**
 * Returns the parts that send an item once; undefined if it has no key.
 *
 * @throws NodeOperationError when n8n gives the node no store
 */
export function sendOnce({
	context,
	read,
	shows,
}: Pick<Item<(typeof sendOnceSettings)[number]>, 'context' | 'read' | 'shows'>): SendOnce | undefined {
	if (!shows(sendOnceKey)) return undefined;
	const key = read(sendOnceKey);
	const emptyPart = emptyPartOf(context);
	if (emptyPart !== undefined) {
		const problem = `"${shown(key)}" lacks a part: ${shown(emptyPart)} gives nothing`;
		throw fieldError(
			context,
			sendOnceKey.parameter.displayName,
			new ValueProblem(problem, 'Check that the item has that field. Nothing was sent.'),
		);
	}
	const window = new Window(read(sendOnceHours));
	const store = context.helpers as Partial<Store>;
	const contexts = itemContextsOf(context);
	if (!isStore(store) || !contexts) {
		throw new NodeOperationError(context.getNode(), 'Send Once Key cannot be used here; nothing was sent', {
			itemIndex: context.getItemIndex(),
			description:
				'n8n gives the store of used keys to a step of the workflow only: not where an expression chooses Operation, and not to a tool of the MCP Server Trigger or of an AI Agent before version 3. Remove the option there.',
		});
	}
	return { take: async () => await take(context, contexts, store, key, window) };
}

const isStore = (helpers: Partial<Store>): helpers is Store =>
	typeof helpers.checkProcessedAndRecord === 'function';

async function take(
	context: ItemContext,
	contexts: ItemContexts,
	store: Store,
	key: string,
	window: Window,
): Promise<TakenKey | { skipped: IDataObject }> {
	const { baseUrl } = await nodeRunOf(context);
	// The hash keeps long keys short. n8n hashes it again.
	const idOf = (one: string) =>
		createHash('sha256')
			.update(JSON.stringify([baseUrl, window.hours, one]))
			.digest('base64');
	let ofRun = ofRuns.get(contexts);
	if (!ofRun) {
		const keys = UsedKeys.of(String(context.getWorkflow().id), context.getNode().id);
		ofRuns.set(contexts, (ofRun = new RunKeys(keys, store, window)));
		contexts.atEnd.push(endOf(context, ofRun));
	}
	try {
		await recordAhead(context.getItemIndex(), contexts, ofRun, idOf);
		const taken = await ofRun.take(idOf(key));
		if (taken) return taken;
	} catch (error) {
		throw storeError(context, error);
	}
	await noteOutcome(context, 'were skipped, because their Send Once Key was used before');
	const since = window.hours > 0 ? ` (Send Once Hours: ${window.hours})` : '';
	const reason = `The Send Once Key "${shown(key)}" was used before${since}`;
	return { skipped: { skipped: true, reason, send_once_key: key } };
}

/** The messages are sent by then, so the hints tell of a failure. */
const endOf = (context: ItemContext, ofRun: RunKeys) => async () => {
	await ofRun.end().catch(async () => {
		await noteOutcome(context, 'may keep their Send Once Key without a message: n8n could not take it back');
	});
};

/** Records the keys of an item and of the next ones in one step, unless an item before has done it. */
async function recordAhead(
	item: number,
	contexts: ItemContexts,
	ofRun: RunKeys,
	idOf: (key: string) => string,
): Promise<void> {
	while (ofRun.busy) await ofRun.busy.catch(() => undefined);
	if (item < ofRun.next) return;
	const work = async () => {
		const eventLoop = new EventLoopYielder();
		const end = Math.min(item + MAX_AHEAD - ofRun.ahead.size, contexts.count);
		ofRun.next = Math.max(end, item + 1);
		const ids = new Set<string>();
		for (let index = item; index < end; index++) {
			await eventLoop.yield();
			const key = keyOf(contexts.of(index));
			if (key !== undefined) ids.add(idOf(key));
		}
		await ofRun.recordAhead([...ids]);
	};
	ofRun.busy = work().finally(() => {
		ofRun.busy = undefined;
	});
	await ofRun.busy;
}

/** The key of an item; undefined if it is unusable, which fails the item in its turn. */
function keyOf(context: ItemContext): string | undefined {
	try {
		const key = onceKey(context.getNodeParameter('options.sendOnceKey', ''));
		return key instanceof ValueProblem || emptyPartOf(context) !== undefined ? undefined : key;
	} catch {
		return undefined;
	}
}
