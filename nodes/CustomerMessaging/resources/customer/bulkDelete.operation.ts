import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import { type BatchRow, sendBatches } from '../../shared/batches';
import { customerIds, idList } from '../../shared/ids';
import { request } from '../../transport/request';

/** More customers than this are only deleted when their number is typed in. */
const MOST_WITHOUT_CONFIRMATION = 1000;

/**
 * Deletes the customers of all input items, in requests of up to 500.
 *
 * @throws NodeOperationError before anything is deleted, when there are many and their number was not confirmed
 */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const known = new Set<number>();
	const rows: Array<BatchRow<number>> = [];
	for (const item of this.getInputData().keys()) {
		for (const value of idList(this, 'customerIds', 'Customer Names or IDs', item)) {
			if (!known.has(value)) rows.push({ item, value });
			known.add(value);
		}
	}
	const confirmed = Number(this.getNodeParameter('confirmedCount', 0, 0));
	if (rows.length > MOST_WITHOUT_CONFIRMATION && confirmed !== rows.length) {
		throw new NodeOperationError(
			this.getNode(),
			`${rows.length} customers would be deleted; nothing was deleted`,
			{
				description: `More than ${MOST_WITHOUT_CONFIRMATION} are only deleted when their number is confirmed: enter ${rows.length} as Confirmed Count.`,
			},
		);
	}
	const results = await sendBatches(this, rows, async (ids) => {
		await request(this, { method: 'POST', url: '/customers/bulk-delete', body: { ids } });
		return { ids, deleted: true };
	});
	return [results];
}

// Runs as a custom operation, since one request takes many items.
export const routing: INodePropertyRouting = {};

const properties: INodeProperties[] = [
	{ ...customerIds, required: true },
	{
		displayName: 'Confirmed Count',
		name: 'confirmedCount',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			'How many customers you expect to delete; only needed for more than 1,000, over all input items together',
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['bulkDelete'] } },
	properties,
);
