import { createHash } from 'node:crypto';

import type { NodeOperationError } from 'n8n-workflow';

import { isOneOfSeveral, nodeKey } from '../../n8nInternals/processMemory';
import type { ItemContext } from '../../core/field';
import { isOwnRun } from './sentMemory';
import { messageOf, shown } from '../../values/text';
import { KeyList, type Store, StoreFull, UsedKeys } from './usedKeys';
import { itemError } from '../../core/fieldError';

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
					`n8n keeps the keys in its database with the workflow. Save the workflow, and check the database of n8n (${shown(messageOf(error))}).`,
				];
	return itemError(context, message, description);
}

/**
 * Returns how an option takes keys from the memory of the node. A key belongs to the tenant, the node and the window.
 *
 * @throws NodeOperationError when n8n gives the node no store
 */
export function nodeKeysOf(context: ItemContext, memory: Memory) {
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
