import type { INodeExecutionData } from 'n8n-workflow';

import { idsByPhone } from '../people/byPhone';
import { collection, setting } from '../runner/field';
import type { Item } from '../runner/operation';
import { noteOutcome } from '../transport/nodeRun';
import { boolean } from '../values/choices';
import type { RecordId } from '../values/ids';

/** Whether a write of a customer returns its IDs. The answers of the interface do not tell them. */
export const returnIds = setting('options.returnIds', boolean, {
	displayName: 'Return IDs',
	name: 'returnIds',
	type: 'boolean',
	default: false,
	description: 'Whether to look up customer_id and profile_id by the phone number and add them to the result',
});

/** The options of a write of a customer. */
export const customerOptions = collection(
	{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
	[returnIds],
);

/**
 * Adds the IDs of a written customer and its profile to the items, if the user wants them. The customer is written, so an
 * ID that cannot be told is no failure: it is null, and a hint of the execution tells.
 *
 * @param idOf returns the ID of the customer, if the item tells it
 */
export async function withIds(
	{ context, read }: Pick<Item<typeof returnIds>, 'context' | 'read'>,
	digits: string,
	items: INodeExecutionData[],
	idOf: (item: INodeExecutionData) => RecordId | undefined = () => undefined,
): Promise<INodeExecutionData[]> {
	if (!read(returnIds)) return items;
	return await Promise.all(
		items.map(async (item) => {
			const customer_id = idOf(item);
			const ids = await idsByPhone(context, digits, customer_id).catch(() => ({
				customer_id: customer_id ?? null,
				profile_id: null,
			}));
			if (Object.values(ids).includes(null))
				await noteOutcome(context, 'were carried out, but not all IDs could be looked up');
			return { ...item, json: { ...item.json, ...ids } };
		}),
	);
}
