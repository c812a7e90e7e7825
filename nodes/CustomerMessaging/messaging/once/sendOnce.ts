import { setting } from '../../runner/field';
import { requireParts } from '../../runner/fieldError';
import type { Item } from '../../runner/operation';
import { column, onlyRow, rowsWith } from '../../values/columns';
import { type Conversion, ValueProblem, whenConverted } from '../../values/conversion';
import { numberFrom } from '../../values/numbers';
import { EMPTY, isBlank, shown, text } from '../../values/text';
import { type Claim, skip } from '../guards/claim';
import { nodeKeysOf } from './nodeKeys';
import type { UsedKey } from './usedKeys';

/** Texts that an expression writes for a value that does not exist, or that is no text. All items would share the key. */
const NO_VALUE = /\[object \w+\]|\b(undefined|NaN)\b/;

const onceKey: Conversion<string> = (value) =>
	whenConverted(isBlank(value) ? EMPTY : text(value), (key) =>
		typeof value === 'boolean' || NO_VALUE.test(key)
			? new ValueProblem(
					`"${shown(key)}" does not tell one message from another`,
					'Check the expression: the item may lack that field.',
				)
			: // One letter can be written as one sign or as two, by the system that an order comes from.
				key.trim().normalize('NFC'),
	);

const hours: Conversion<number> = (value) => (isBlank(value) ? 0 : numberFrom(0)(value));

const columns = [
	column(onceKey, {
		name: 'key',
		placeholder: 'e.g. {{ $json.orderId }}-shipped',
		description:
			'What the message is about. All executions of the workflow count together, tests too. In queue mode, two at the same instant may both send.',
	}),
	column(hours, {
		name: 'hours',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 0 },
		default: 24,
		description:
			'How long a key counts, up to a quarter more; 0 is for good. After a change, earlier keys no longer count.',
	}),
] as const;

/** An option that holds no key is an error: everything would be sent. */
export const sendOnce = setting('options.sendOnce', onlyRow(columns), {
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to send only once for each key, across executions',
	options: rowsWith('Values', 'values', columns),
});

/**
 * Returns the claim of a message to its key; undefined if it has none.
 *
 * @throws NodeOperationError when the key is unusable, or n8n gives the node no store
 */
export async function onceClaim(item: Item<typeof sendOnce>): Promise<Claim | undefined> {
	const { context, read, shows } = item;
	if (!shows(sendOnce)) return undefined;
	const { key, hours } = read(sendOnce);
	// All items that lack the part would share what is left of the key.
	requireParts(context, sendOnce, 'key', key, isBlank);
	const { displayName } = sendOnce.parameter;
	const memory = { option: displayName, window: 'Hours', hours, owner: sendOnce };
	const takeKey = await nodeKeysOf(context, memory);
	let claim: UsedKey | undefined;
	return {
		option: displayName,
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
		release: async () => await claim?.release(),
	};
}
