import type { INodeExecutionData } from 'n8n-workflow';

import type { Body } from '../contract/endpoints';
import { idsByPhone } from '../fields/byPhone';
import type { Api } from '../api/client';
import { isRefusedWith } from '../api/errors';
import { emptyCells } from '../core/emptyValues';
import type { Run } from '../core/operation';
import { separator } from '../sets/tagSet';
import { setting } from '../core/field';
import { boolean } from '../values/choices';
import { divided, type RecordId, recordId, titleList } from '../values/ids';
import type { Parse } from '../values/parse';
import { isBlank } from '../values/text';

/** Parses titles that may be missing: without any, the result is empty, or null for a blank value. */
const optionalTitles: Parse<string | null> = (value, reading) => {
	if (isBlank(value)) return null;
	const isEmpty = typeof value === 'string' && divided(value, reading?.separator).length === 0;
	return isEmpty ? '' : titleList(value, reading);
};

export const tags = setting(
	'additionalFields.tags',
	optionalTitles,
	{
		placeholder: 'e.g. VIP, Newsletter',
		description: 'Titles of tags, separated by commas; new ones are created',
	},
	'profile.tags',
);

/** Whether a write of a customer returns its IDs. The answers of the interface do not tell them. */
export const returnIds = setting('options.returnIds', boolean, {
	type: 'boolean',
	description: 'Whether to look up customer_id and profile_id by the phone number',
});

/** Adds the IDs of a written customer and its profile to the items. One that cannot be told is null, and a hint tells. */
async function withIds(
	api: Api,
	digits: string,
	items: INodeExecutionData[],
	idOf: (item: INodeExecutionData) => RecordId | undefined = () => undefined,
): Promise<INodeExecutionData[]> {
	return await Promise.all(
		items.map(async (made) => {
			const customer_id = idOf(made);
			const ids = await idsByPhone(api, digits, customer_id).catch(() => ({
				customer_id: customer_id ?? null,
				profile_id: null,
			}));
			if (Object.values(ids).includes(null)) api.note('were carried out, but not all IDs could be looked up');
			return { ...made, json: { ...made.json, ...ids } };
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

export const createCustomer: Run<typeof returnIds, Body<'POST /customers'>> = async (item) => {
	const { api, request } = item;
	const { content } = await api.send(request).catch((error: unknown) => Promise.reject(withUpsert(error)));
	const items = item.output(content);
	if (!item.get(returnIds)) return items;
	return await withIds(api, request.body.display_id ?? '', items, ({ json }) => recordId(json.id));
};

type ImportedCustomer = Body<'POST /customers/bulk-import'>['customers'][number];

/** Imports one customer, which updates an existing customer ("Bulk import body" of the interface). */
export const importCustomer: Run<
	typeof emptyCells | typeof returnIds | typeof separator | typeof tags,
	ImportedCustomer
> = async (item) => {
	const { api, request } = item;
	const titles = item.get(tags, { separator: item.get(separator) || undefined });
	const isCleared = titles === null && item.shows(tags) && item.get(emptyCells) === 'clear';
	const profile = { ...request.body.profile, ...((titles || isCleared) && { tags: titles }) };
	const customer = { ...request.body, profile };
	const body = { duplicates: 'override', customers: [customer] };
	const { display_id } = customer;
	const { content } = await api.send({ ...request, body });
	const named = item.output(content).map((one) => ({ ...one, json: { display_id, ...one.json } }));
	return item.get(returnIds) ? await withIds(api, display_id ?? '', named) : named;
};
