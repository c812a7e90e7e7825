import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { nodeKey } from '../../n8nInternals/processMemory';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import { itemContextsOf } from '../../runner/itemContext';
import type { Item } from '../../runner/operation';
import { keptIn, nodeRunOf, noteOutcome } from '../../transport/nodeRun';
import { column, type Row, rowBy, rowsWith } from '../../values/columns';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { isObject, ownMember } from '../../values/json';
import { number } from '../../values/numbers';
import { EMPTY, isBlank, shown, text, messageOf } from '../../values/text';
import { type Claim, KeyList, type Store, StoreFull, UsedKeys } from './usedKeys';

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

/** Converts the option. An option that holds no key is an error: everything would be sent. */
const once: Conversion<Row<typeof columns>> = (value) => {
	const row = rowOf(value);
	return rowBy(columns, isObject(row) ? row : {});
};

export const sendOnce = setting('options.sendOnce', once, {
	displayName: 'Send Once',
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to send only once for each key, across executions',
	options: rowsWith('Values', 'values', columns),
});

/**
 * Returns an expression of the key that gives nothing for the item, if the key has text beside it: n8n writes nothing for
 * a value that does not exist, and all items that lack it would share what is left of the key.
 */
function emptyPartOf(context: ItemContext): string | undefined {
	const { options } = context.getNode().parameters;
	const written = ownMember(rowOf(ownMember(options, sendOnce.parameter.name)), 'key');
	if (typeof written !== 'string' || !written.startsWith('=')) return undefined;
	const parts: string[] = written.match(/\{\{[^]*?\}\}/g) ?? [];
	if (written.slice(1).trim() === parts[0]) return undefined;
	return parts.find((part) => isBlank(context.evaluateExpression(part, context.getItemIndex())));
}

function storeError(context: ItemContext, error: unknown): NodeOperationError {
	const [message, description] =
		error instanceof StoreFull
			? [
					"The store for this node's keys of Send Once is full; nothing was sent",
					'It has no more place for keys that still count. Lower Hours, or divide the items among several nodes.',
				]
			: [
					'The key of Send Once could not be recorded; nothing was sent',
					`n8n keeps the keys in its database with the workflow. Save the workflow, and check the database of n8n (${shown(messageOf(error))}).`,
				];
	return new NodeOperationError(context.getNode(), message, {
		itemIndex: context.getItemIndex(),
		description,
	});
}

export type OnceKey = NonNullable<Awaited<ReturnType<typeof onceKeyOf>>>;

/**
 * Returns the key that an item is sent once for; undefined if it has none.
 *
 * @throws NodeOperationError when the key is unusable, or n8n gives the node no store
 */
export async function onceKeyOf({
	context,
	read,
	shows,
}: Pick<Item<typeof sendOnce>, 'context' | 'read' | 'shows'>) {
	if (!shows(sendOnce)) return undefined;
	const { key, hours } = read(sendOnce);
	const emptyPart = emptyPartOf(context);
	if (emptyPart !== undefined) {
		const problem = `(Key) "${shown(key)}" lacks a part: ${shown(emptyPart)} gives nothing`;
		const remedy = 'Check that the item has that field. Nothing was sent.';
		throw fieldError(context, sendOnce.parameter.displayName, new ValueProblem(problem, remedy));
	}
	const store = context.helpers as Partial<Store>;
	const contexts = itemContextsOf(context);
	if (!store.checkProcessedAndRecord || !contexts) {
		throw new NodeOperationError(context.getNode(), 'Send Once cannot be used here; nothing was sent', {
			itemIndex: context.getItemIndex(),
			description:
				'n8n gives the store of used keys to a step of the workflow only: not where an expression chooses Operation, and not to a tool of the MCP Server Trigger or of an AI Agent before version 3. Remove the option there.',
		});
	}
	const { baseUrl } = await nodeRunOf(context);
	const keys = UsedKeys.of(nodeKey(context));
	const list = keptIn(contexts, KeyList, () => {
		const made = new KeyList(store as Store, hours);
		contexts.atEnd.push(async () => await keys.end(made));
		return made;
	});
	// The hash keeps long keys short. n8n hashes it again.
	const id = createHash('sha256')
		.update(JSON.stringify([baseUrl, hours, key]))
		.digest('base64');
	let claim: Claim | undefined;
	return {
		/** Records the key before the message. @returns the output item if the key was used */
		async take(): Promise<IDataObject | undefined> {
			claim = await keys.take(list, id).catch((error: unknown) => {
				throw storeError(context, error);
			});
			if (claim) return undefined;
			await noteOutcome(context, 'were skipped, because their key of Send Once was used before');
			const since = hours > 0 ? ` (Hours: ${hours})` : '';
			const reason = `The key "${shown(key)}" of Send Once was used before${since}`;
			return { result: 'skipped', reason, send_once_key: key };
		},
		/** After the message was sent, or may have been. */
		keep: () => claim?.keep(),
		/** Takes the key back, because the message was certainly not sent. */
		release: async () => await claim?.release(),
	};
}
