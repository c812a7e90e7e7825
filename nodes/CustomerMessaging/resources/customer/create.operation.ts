import { NodeApiError } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import { customerChannel } from '../../fields/channel';
import { customerName, customerPhoneNumber } from '../../fields/customer';
import { customerOptions, returnIds, withIds } from '../../fields/customerIds';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { flow } from '../../runner/operation';
import { request } from '../../transport/request';
import { recordId } from '../../values/ids';

type Customer = Body<'POST /customers'>;

/** Statuses with which services refuse a record that exists already. The interface does not show the status. */
const DUPLICATE_STATUSES = ['409', '422'];

/** Adds to an error of a refused creation what to do if the customer exists. */
function withUpsert(error: unknown): unknown {
	if (error instanceof NodeApiError && DUPLICATE_STATUSES.includes(error.httpCode ?? ''))
		error.description = `${error.description}\nIf a customer has this phone number already, use Create or Update.`;
	return error;
}

const createOne = flow<typeof returnIds, Customer>([returnIds], async (item) => {
	const { context, request: options, output } = item;
	const answer = await request(context, options).catch((error: unknown) => Promise.reject(withUpsert(error)));
	const items = output(answer);
	return await withIds(item, options.body.display_id ?? '', items, ({ json }) => recordId(json.id));
});

export const create = operation('POST /customers', {
	fields: [customerChannel, customerPhoneNumber, customerName, customerOptions],
	flow: createOne,
	output: record,
});
