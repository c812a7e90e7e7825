import type { Item } from '../../runner/operation';
import { stringOf } from '../../values/text';
import { type Claim, skip } from '../guards/claim';
import type { RecipientSigns } from '../guards/consentGuard';
import { contactLimit } from '../sendingOptions';
import { nodeKeysOf } from './nodeKeys';
import type { UsedKey } from './usedKeys';

const HOURS_PER_DAY = 24;

/** Returns what tells a recipient from others: the phone number, or the customer if there is none. */
export const personOf = ({ digits, customerId }: RecipientSigns) =>
	digits ?? `customer ${stringOf(customerId)}`;

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
