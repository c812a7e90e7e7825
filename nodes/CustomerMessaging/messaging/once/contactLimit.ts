import type { Signs } from '../../people/profileSearch';
import { setting } from '../../runner/field';
import type { Item } from '../../runner/operation';
import { column, onlyRow, rowsWith } from '../../values/columns';
import { integerFrom } from '../../values/numbers';
import { stringOf } from '../../values/text';
import { type Claim, skip } from '../guards/claim';
import { nodeKeysOf } from './nodeKeys';
import type { UsedKey } from './usedKeys';

/** Each message of the limit takes a step in the memory of the node. */
const MAX_MESSAGES = 20;
const MAX_DAYS = 366;
const HOURS_PER_DAY = 24;

const columns = [
	column(integerFrom(1, MAX_MESSAGES), {
		name: 'messages',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_MESSAGES },
		default: 1,
		description: 'How many messages a person gets at most. Those of this node in this workflow count.',
	}),
	column(integerFrom(1, MAX_DAYS), {
		name: 'days',
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: MAX_DAYS },
		default: 7,
		description: 'In how many days, up to a quarter more. After a change, earlier messages no longer count.',
	}),
] as const;

export const contactLimit = setting('options.contactLimit', onlyRow(columns), {
	type: 'fixedCollection',
	default: { values: {} },
	description: 'Whether to send a person only so many messages in some days',
	options: rowsWith('Values', 'values', columns),
});

/** Returns what tells a recipient from others: the phone number, or the customer if there is none. */
export const personOf = ({ digits, customerId }: Signs) => digits ?? `customer ${stringOf(customerId)}`;

/**
 * Returns the claim of a message to one of the places of its recipient; undefined without a limit. A place is a key of
 * *Send Once*.
 */
export async function contactClaim(
	{ context, read, shows }: Pick<Item<typeof contactLimit>, 'context' | 'read' | 'shows'>,
	personOf: () => Promise<string>,
): Promise<Claim | undefined> {
	if (!shows(contactLimit)) return undefined;
	const { messages, days } = read(contactLimit);
	const { displayName } = contactLimit.parameter;
	const take = await nodeKeysOf(context, {
		option: displayName,
		window: 'Days',
		hours: days * HOURS_PER_DAY,
		owner: contactLimit,
	});
	let place: UsedKey | undefined;
	return {
		option: displayName,
		async take() {
			const person = await personOf();
			for (let index = 0; index < messages && !place; index++) place = await take(displayName, person, index);
			if (place) return undefined;
			const count = messages === 1 ? '1 message' : `${messages} messages`;
			const time = days === 1 ? 'day' : `${days} days`;
			return skip(
				`The recipient has got ${count} of this node in the last ${time}`,
				'were skipped, because their recipients have got as many messages as Contact Limit allows',
			);
		},
		keep: () => place?.keep(),
		release: async () => await place?.release(),
	};
}
