import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import { customers } from '../../fields/sets';
import { type BatchRow, sendBatches } from '../../runner/batches';
import { batchOperation } from '../../runner/declare';
import { setting } from '../../runner/field';
import { converted } from '../../runner/fieldError';
import type { Read } from '../../runner/operation';
import { request } from '../../transport/request';
import { idSet } from '../../values/ids';
import { number } from '../../values/numbers';

/** Maximum number of customers that are deleted without *Confirmed Count*. */
const MAX_WITHOUT_CONFIRMATION = 1000;

const customerIds = setting('customerIds', idSet, { ...customers, required: true });

const confirmedCount = setting('confirmedCount', number, {
	displayName: 'Confirmed Count',
	name: 'confirmedCount',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'How many customers you expect to delete; only needed for more than 1,000, over all input items together',
});

const fields = [customerIds, confirmedCount] as const;

/** Returns the customers of all input items without duplicates. */
function customersOf(context: IExecuteFunctions): Array<BatchRow<number>> {
	const rows = new Map<number, BatchRow<number>>();
	const { path, parameter, convert } = customerIds;
	for (const item of context.getInputData().keys()) {
		const given: unknown = context.getNodeParameter(path, item, []);
		for (const value of converted(context, parameter.displayName, convert, given, item)) {
			if (!rows.has(value)) rows.set(value, { item, value });
		}
	}
	return [...rows.values()];
}

/**
 * Deletes the customers of all input items, in requests of up to 500 customers.
 *
 * @throws NodeOperationError before the first delete, when there are many customers and *Confirmed Count* is not their
 * number
 */
async function deleteAll(
	context: IExecuteFunctions,
	read: Read<(typeof fields)[number]>,
): Promise<INodeExecutionData[]> {
	const confirmed = read(confirmedCount);
	const rows = customersOf(context);
	if (rows.length > MAX_WITHOUT_CONFIRMATION && confirmed !== rows.length) {
		throw new NodeOperationError(
			context.getNode(),
			`${rows.length} customers would be deleted; nothing was deleted`,
			{
				description: `More than ${MAX_WITHOUT_CONFIRMATION} are only deleted when their number is confirmed: enter ${rows.length} as Confirmed Count.`,
			},
		);
	}
	return await sendBatches(context, rows, async (ids) => {
		const body = { ids } satisfies Body<'POST /customers/bulk-delete'>;
		await request(context, { method: 'POST', url: '/customers/bulk-delete', body });
		return { ids, deleted: true };
	});
}

export const bulkDelete = batchOperation('POST /customers/bulk-delete', {
	fields,
	reads: fields,
	all: deleteAll,
});
