import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { EventLoopYielder } from '../../runner/eventLoop';
import { type ItemContext, setting } from '../../runner/field';
import { type ItemContexts, itemContextsOf } from '../../runner/itemContext';
import type { Item } from '../../runner/operation';
import { noteOutcome, nodeRunOf } from '../../transport/nodeRun';
import { type Conversion, ValueProblem } from '../../values/conversion';
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

export const sendOnceKey = setting('options.sendOnceKey', onceKey, {
	displayName: 'Send Once Key',
	name: 'sendOnceKey',
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.orderId }}-shipped',
	description:
		'What the message is about. This node sends once for each key, in all executions of the workflow together; test executions count too. In queue mode, two executions at the same instant may both send.',
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
		'How long a Send Once Key counts: at least this time, and up to a quarter more. 0 is without end. After a change, earlier keys no longer count.',
});

/** The settings for `sendOnce`. */
export const sendOnceSettings = [sendOnceKey, sendOnceHours] as const;

/** Sends only if the key of the item was not used. */
export interface SendOnce {
	/** @returns the key, recorded for the message; or the output item if the key was used */
	take: () => Promise<Claim | { skipped: IDataObject }>;
}

/** Maximum number of items whose keys are recorded before their turn. */
const MAX_AHEAD = 500;

/** What one run of the node has recorded ahead. */
class Ahead {
	/** The keys that were used before the run came to their items. */
	readonly used = new Set<string>();

	/** Keys to take back at the end, unless an item has taken them. */
	readonly recorded = new Set<string>();

	/** Index of the next item whose key is not recorded. */
	next = 0;

	busy: Promise<void> | undefined;
}

const aheadOf = new WeakMap<ItemContexts, Ahead>();

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
): Promise<Claim | { skipped: IDataObject }> {
	const { baseUrl } = await nodeRunOf(context);
	// The hash keeps long keys short. n8n hashes it again.
	const idOf = (one: string) =>
		createHash('sha256')
			.update(JSON.stringify([baseUrl, window.hours, one]))
			.digest('base64');
	const keys = UsedKeys.of(String(context.getWorkflow().id), context.getNode().id);
	const id = idOf(key);
	try {
		const ahead = await recordAhead(context, contexts, keys, store, window, idOf);
		ahead.recorded.delete(id);
		const claim = ahead.used.has(id) ? undefined : await keys.take(store, window, id);
		if (claim) {
			// Further items with the key need no look into the store.
			claim.onKept = () => ahead.used.add(id);
			return claim;
		}
	} catch (error) {
		throw storeError(context, error);
	}
	await noteOutcome(context, 'were skipped, because their Send Once Key was used before');
	const since = window.hours > 0 ? ` (Send Once Hours: ${window.hours})` : '';
	const reason = `The Send Once Key "${shown(key)}" was used before${since}`;
	return { skipped: { skipped: true, reason, send_once_key: key } };
}

/** Records the keys of the item and of the next ones in one step, unless an item before has done it. */
async function recordAhead(
	context: ItemContext,
	contexts: ItemContexts,
	keys: UsedKeys,
	store: Store,
	window: Window,
	idOf: (key: string) => string,
): Promise<Ahead> {
	let ahead = aheadOf.get(contexts);
	if (!ahead) {
		aheadOf.set(contexts, (ahead = new Ahead()));
		const { recorded } = ahead;
		contexts.atEnd.push(async () => {
			try {
				await keys.releaseFree(store, window, [...recorded]);
			} catch {
				await noteOutcome(context, 'keep their Send Once Key without a message: n8n could not take it back');
			}
		});
	}
	while (ahead.busy) await ahead.busy.catch(() => undefined);
	const isTurn = context.getItemIndex() >= ahead.next;
	if (!isTurn) return ahead;
	const { used, recorded } = ahead;
	const work = async () => {
		const eventLoop = new EventLoopYielder();
		const from = context.getItemIndex();
		const to = Math.min(from + MAX_AHEAD - recorded.size, contexts.count);
		const ids = new Set<string>();
		for (let index = from; index < to; index++) {
			await eventLoop.yield();
			const one = keyOf(contexts.of(index));
			if (one !== undefined) ids.add(idOf(one));
		}
		ahead.next = Math.max(to, from + 1);
		for (const id of await keys.recordAhead(store, window, [...ids])) used.add(id);
		for (const id of ids) if (keys.isFree(id)) recorded.add(id);
	};
	ahead.busy = work().finally(() => {
		ahead.busy = undefined;
	});
	await ahead.busy;
	return ahead;
}

/** The key of an item; undefined if it is unusable, which fails the item in its turn. */
function keyOf(context: ItemContext): string | undefined {
	try {
		const key = onceKey(context.getNodeParameter('options.sendOnceKey', ''));
		return key instanceof ValueProblem ? undefined : key;
	} catch {
		return undefined;
	}
}
