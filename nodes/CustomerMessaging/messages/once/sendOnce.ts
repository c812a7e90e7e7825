import { createHash } from 'node:crypto';
import type { NodeOperationError } from 'n8n-workflow';

import type { ItemContext } from '../../core/field';
import { itemError, requireParts } from '../../core/fieldError';
import type { Item } from '../../core/item';
import { type Claim, skip } from '../claim';
import { isOwnRun } from './sentMemory';
import { KeyList, type Store, StoreFull, type UsedKey, UsedKeys } from './usedKeys';
import { sendOnce } from '../sendingOptions';
import { isOneOfSeveral, nodeKey } from '../../n8nInternals/processMemory';
import { isBlank, messageOf, quote } from '../../values/text';

interface Memory {
	option: string;
	/** Label of the parameter that says how long a key counts. */
	window: string;
	hours: number;
	owner: object;
}

function storeError(context: ItemContext, { option, window }: Memory, error: unknown): NodeOperationError {
	const [message, description] =
		error instanceof StoreFull
			? [
					`The store for this node's keys of ${option} is full; nothing was sent`,
					`It has no more place for keys that still count. Lower ${window}, or divide the items among several nodes.`,
				]
			: [
					`The key of ${option} could not be recorded; nothing was sent`,
					`n8n keeps the keys in its database with the workflow. Save the workflow, and check the database of n8n (${quote(messageOf(error))}).`,
				];
	return itemError(context, message, description);
}

/**
 * Returns how an option takes keys from the memory of the node. A key belongs to the tenant, the node and the window.
 *
 * @throws NodeOperationError when n8n gives the node no store
 */
function nodeKeysOf(context: ItemContext, memory: Memory) {
	const { option, owner, hours } = memory;
	const store = context.helpers as Partial<Store>;
	if (!store.checkProcessedAndRecord || !isOwnRun(context)) {
		throw itemError(
			context,
			`${option} cannot be used here; nothing was sent`,
			'n8n gives the store of used keys to a step of the workflow only: not where an expression chooses Operation, and not to a tool of the MCP Server Trigger or of an AI Agent before version 3. Remove the option there.',
		);
	}
	const { api } = context;
	const keys = UsedKeys.of(nodeKey(context));
	const list = api.once(owner, () => {
		const made = new KeyList(store as Store, hours, isOneOfSeveral(context));
		api.atEnd.push(async () => await keys.end(made));
		return made;
	});
	/** Takes a key. @returns undefined if it was used */
	return async (...key: unknown[]) => {
		const { baseUrl } = await api.settings();
		// The hash keeps long keys short. n8n hashes it again.
		const id = createHash('sha256')
			.update(JSON.stringify([baseUrl, hours, ...key]))
			.digest('base64');
		return await keys.take(list, id).catch((error: unknown) => {
			throw storeError(context, memory, error);
		});
	};
}

/**
 * Returns the claim of a message to its key; undefined if it has none.
 *
 * @throws NodeOperationError when the key is unusable, or n8n gives the node no store
 */
export function onceClaim(item: Item<typeof sendOnce>): Claim | undefined {
	if (!item.shows(sendOnce)) return undefined;
	const { context } = item;
	const { key, hours } = item.get(sendOnce);
	// All items that lack the part would share what is left of the key.
	requireParts(context, sendOnce, 'key', key, (part) => isBlank(part) || Number.isNaN(part));
	const { displayName } = sendOnce.parameter;
	const memory = { option: displayName, window: 'Hours', hours, owner: sendOnce };
	const takeKey = nodeKeysOf(context, memory);
	let claim: UsedKey | undefined;
	return {
		async take() {
			claim = await takeKey(key);
			if (claim) return undefined;
			const since = hours > 0 ? ` (Hours: ${hours})` : '';
			return skip(
				`The key "${quote(key)}" of ${displayName} was used before${since}`,
				`were skipped, because their key of ${displayName} was used before`,
				{ send_once_key: key },
			);
		},
		keep: () => claim?.keep(),
		async release() {
			try {
				await claim?.release();
				return undefined;
			} catch {
				return `n8n could not take the key of ${displayName} back, so it counts as used.`;
			}
		},
	};
}
