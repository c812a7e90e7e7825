import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { nodeKey } from '../../n8nInternals/processMemory';
import { EventLoopYielder } from '../../runner/eventLoop';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { type ItemContexts, itemContextsOf } from '../../runner/itemContext';
import type { Item } from '../../runner/operation';
import { keptIn, nodeRunOf, noteOutcome } from '../../transport/nodeRun';
import { column, rowBy, whenConverted } from '../../values/columns';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { isObject, ownMember } from '../../values/json';
import { number } from '../../values/numbers';
import { EMPTY, isBlank, shown, text, messageOf } from '../../values/text';
import { type Claim, KeyList, type Store, StoreFull, UsedKeys, Window } from './usedKeys';

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

export const sendOnce = setting('options.sendOnce', once, {
	displayName: 'Send Once',
	name: 'sendOnce',
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to send only once for each key, across executions',
	options: [{ displayName: 'Values', name: 'values', values: columns.map(({ parameter }) => parameter) }],
});

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

/** The key of an item; undefined if it is unusable, which fails the item in its turn. */
function keyOf(context: ItemContext): string | undefined {
	try {
		const key = onceKey(context.getNodeParameter(`${sendOnce.path}.values.key`, ''));
		return key instanceof ValueProblem || emptyPartOf(context) !== undefined ? undefined : key;
	} catch {
		return undefined;
	}
}

/** Maximum number of items whose keys are recorded before their turn. */
const MAX_AHEAD = 500;

/** The keys of one run of the node. */
class RunKeys {
	/** The keys that were used when the run came to their items. */
	private readonly used = new Set<string>();

	private readonly kept: string[] = [];

	/** Index of the first item whose key is not recorded. */
	private next = 0;

	private recording: Promise<void> = Promise.resolve();

	constructor(
		private readonly contexts: ItemContexts,
		private readonly keys: UsedKeys,
		private readonly list: KeyList,
		/** Stands for the tenant in the store. */
		private readonly baseUrl: string,
	) {}

	/** What stands for a key in the store. The hash keeps long keys short. n8n hashes it again. */
	private idOf(key: string): string {
		return createHash('sha256')
			.update(JSON.stringify([this.baseUrl, this.list.window.hours, key]))
			.digest('base64');
	}

	/**
	 * Takes the key of an item.
	 *
	 * @returns undefined if the key was used
	 */
	async take(item: number, key: string): Promise<Claim | undefined> {
		const turn = this.recording.then(async () => {
			if (item >= this.next) await this.recordAhead(item);
		});
		this.recording = turn.catch(() => undefined);
		await turn;
		const id = this.idOf(key);
		return this.used.has(id) ? undefined : await this.keys.take(this.list, id, this);
	}

	keep(claim: Claim): void {
		this.used.add(claim.id);
		this.kept.push(...claim.keep());
	}

	/** Records the keys of an item and of the next ones in one step, with those of sent messages again. */
	private async recordAhead(item: number): Promise<void> {
		const { contexts, keys, list } = this;
		const eventLoop = new EventLoopYielder();
		const end = Math.min(item + MAX_AHEAD, contexts.count);
		this.next = end;
		const ids = new Set<string>();
		for (let index = item; index < end; index++) {
			await eventLoop.yield();
			const key = keyOf(contexts.of(index));
			if (key !== undefined) ids.add(this.idOf(key));
		}
		const used = await keys.recordAhead(list, [...ids], this, this.kept.splice(0));
		for (const id of used) this.used.add(id);
	}

	/** Records the keys of sent messages again, and takes back those that nobody needed. */
	async end(): Promise<void> {
		const kept = this.kept.splice(0);
		// They were recorded before, so a failure does not count.
		if (kept.length > 0) await this.keys.record(this.list, () => kept).catch(() => undefined);
		await this.keys.releaseOf(this.list, this);
	}
}

/** The key of an item's message. It is recorded before the message is sent. */
export interface OnceKey {
	/**
	 * Records the key.
	 *
	 * @returns the output item if the key was used
	 * @throws NodeOperationError when the store fails
	 */
	take: () => Promise<IDataObject | undefined>;
	/** After the message was sent, or may have been. */
	keep: () => void;
	/** Takes the key back, because the message was certainly not sent. */
	release: () => Promise<void>;
}

async function skippedItem(context: ItemContext, key: string, { hours }: Window): Promise<IDataObject> {
	await noteOutcome(context, 'were skipped, because their key of Send Once was used before');
	const since = hours > 0 ? ` (Hours: ${hours})` : '';
	const reason = `The key "${shown(key)}" of Send Once was used before${since}`;
	return { result: 'skipped', reason, send_once_key: key };
}

function storeError(context: ItemContext, error: unknown): NodeOperationError {
	const isFull = error instanceof StoreFull;
	const reason = messageOf(error);
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

const isStore = (helpers: Partial<Store>): helpers is Store =>
	typeof helpers.checkProcessedAndRecord === 'function';

/**
 * Returns the key that an item is sent once for; undefined if it has none.
 *
 * @throws NodeOperationError when the key is unusable, or n8n gives the node no store
 */
export async function onceKeyOf({
	context,
	read,
	shows,
}: Pick<Item<typeof sendOnce>, 'context' | 'read' | 'shows'>): Promise<OnceKey | undefined> {
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
	const { baseUrl } = await nodeRunOf(context);
	const runKeys = keptIn(contexts, RunKeys, () => {
		const keys = UsedKeys.of(nodeKey(context));
		const made = new RunKeys(contexts, keys, new KeyList(store, window), baseUrl);
		contexts.atEnd.push(endOf(context, made));
		return made;
	});
	let claim: Claim | undefined;
	return {
		async take() {
			claim = await runKeys.take(context.getItemIndex(), key).catch((error: unknown) => {
				throw storeError(context, error);
			});
			return claim ? undefined : await skippedItem(context, key, window);
		},
		keep() {
			if (claim) runKeys.keep(claim);
		},
		async release() {
			await claim?.release();
		},
	};
}

/** The messages are sent by then, so the hints tell of a failure. */
const endOf = (context: ItemContext, runKeys: RunKeys) => async () => {
	await runKeys.end().catch(async () => {
		await noteOutcome(
			context,
			'may keep their key of Send Once without a message: n8n could not take it back',
		);
	});
};
