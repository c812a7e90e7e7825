import type { INodeExecutionData } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import { idsByPhone } from '../../people/byPhone';
import { isRefusedWith } from '../../api/errors';
import { emptyCells } from '../../runner/emptyValues';
import { flow, type Item } from '../../runner/operation';
import { separator } from '../../tags/tagSet';
import { type RecordId, recordId } from '../../values/ids';
import { returnIds, tags } from './customerFields';

/** Adds the IDs of a written customer and its profile to the items. One that cannot be told is null, and a hint tells. */
async function withIds(
	{ context, read }: Pick<Item<typeof returnIds>, 'context' | 'read'>,
	digits: string,
	items: INodeExecutionData[],
	idOf: (item: INodeExecutionData) => RecordId | undefined = () => undefined,
): Promise<INodeExecutionData[]> {
	if (!read(returnIds)) return items;
	return await Promise.all(
		items.map(async (item) => {
			const customer_id = idOf(item);
			const ids = await idsByPhone(context.api, digits, customer_id).catch(() => ({
				customer_id: customer_id ?? null,
				profile_id: null,
			}));
			if (Object.values(ids).includes(null))
				context.api.note('were carried out, but not all IDs could be looked up');
			return { ...item, json: { ...item.json, ...ids } };
		}),
	);
}

/** Statuses with which services refuse a record that exists already. The interface does not show the status. */
const DUPLICATE_STATUSES = [409, 422];

/** Adds to an error of a refused creation what to do if the customer exists. */
function withUpsert(error: unknown): unknown {
	if (isRefusedWith(error, ...DUPLICATE_STATUSES))
		error.notes.push('If a customer has this phone number already, use Create or Update.');
	return error;
}

export const createCustomer = flow<typeof returnIds, Body<'POST /customers'>>(async (item) => {
	const { context, request: options, output } = item;
	const answer = await context.api.send(options).catch((error: unknown) => Promise.reject(withUpsert(error)));
	const items = output(answer);
	return await withIds(item, options.body.display_id ?? '', items, ({ json }) => recordId(json.id));
});

type ImportedCustomer = Body<'POST /customers/bulk-import'>['customers'][number];

/** Imports one customer, which updates an existing customer ("Bulk import body" of the interface). */
export const importCustomer = flow<
	typeof emptyCells | typeof returnIds | typeof separator | typeof tags,
	ImportedCustomer
>(async (item) => {
	const { context, request: options, output, read, shows } = item;
	const titles = read(tags, { separator: read(separator) || undefined });
	const isCleared = titles === null && shows(tags) && read(emptyCells) === 'clear';
	const profile = { ...options.body.profile, ...((titles || isCleared) && { tags: titles }) };
	const customer = { ...options.body, profile };
	const body = { duplicates: 'override', customers: [customer] };
	const { display_id } = customer;
	const items = output(await context.api.send({ ...options, body }));
	const named = items.map((one) => ({ ...one, json: { display_id, ...one.json } }));
	return await withIds(item, display_id ?? '', named);
});
