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

const createOne = flow<typeof returnIds, Customer>([returnIds], async (item) => {
	const { context, request: options, output } = item;
	const items = output(await request(context, options));
	return await withIds(item, options.body.display_id ?? '', items, ({ json }) => recordId(json.id));
});

export const create = operation('POST /customers', {
	fields: [customerChannel, customerPhoneNumber, customerName, customerOptions],
	flow: createOne,
	output: record,
});
