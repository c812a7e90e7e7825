import { requireParts } from '../../core/fieldError';
import type { Item } from '../../core/item';
import { isBlank, shown } from '../../values/text';
import { type Claim, skip } from '../claim';
import { sendOnce } from '../sendingOptions';
import { nodeKeysOf } from './nodeKeys';
import type { UsedKey } from './usedKeys';

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
				`The key "${shown(key)}" of ${displayName} was used before${since}`,
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
