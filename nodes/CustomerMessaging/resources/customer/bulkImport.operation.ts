import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import { importColumns } from '../../shared/importColumns';
import { unwrapped } from '../../transport/envelope';
import { ValueProblem } from '../../shared/values';
import { nodeError } from '../../transport/errors';
import { request } from '../../transport/request';

/** Customers in one request; the largest number that the service takes is not shown. */
const MOST_PER_REQUEST = 500;

interface Row {
	item: number;
	customer: IDataObject;
}

/** The mapped values of an item, or its own fields where columns are mapped by name. */
function valuesOf(context: IExecuteFunctions, item: INodeExecutionData, index: number): IDataObject {
	if (context.getNodeParameter('columns.mappingMode', index) !== 'autoMapInputData') {
		return (context.getNodeParameter('columns.value', index, {}) ?? {}) as IDataObject;
	}
	return Object.fromEntries(
		importColumns.map(({ id, property }) => [id, item.json[id] ?? item.json[property]]),
	);
}

/**
 * The customer of one input item.
 *
 * @throws NodeOperationError that names the column and the item
 */
function customerOf(context: IExecuteFunctions, item: INodeExecutionData, index: number): IDataObject {
	const values = valuesOf(context, item, index);
	const customer: IDataObject = { channel: 'chatapp' };
	const profile: IDataObject = {};
	for (const { id, displayName, property, inProfile, required, convert } of importColumns) {
		const value = values[id];
		if (value === undefined || value === '' || (value === null && required)) {
			if (!required) continue;
			throw new NodeOperationError(context.getNode(), `${displayName} is empty`, {
				itemIndex: index,
				description: 'Map the column to a field that every item has.',
			});
		}
		const converted = convert && value !== null ? convert(value) : value;
		if (converted instanceof ValueProblem) {
			throw new NodeOperationError(context.getNode(), `${displayName} ${converted.problem}`, {
				itemIndex: index,
				description: converted.remedy,
			});
		}
		(inProfile ? profile : customer)[property] = converted as IDataObject[string];
	}
	return { ...customer, profile };
}

/** Imports the customers of all input items, in requests of up to 500, one after another. */
export async function execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const items = this.getInputData();
	const results: INodeExecutionData[] = [];
	const rows: Row[] = [];
	const failed = (failure: unknown, indexes: number[]) => {
		const error = nodeError(this.getNode(), failure, indexes[0]);
		if (!this.continueOnFail()) throw error;
		for (const item of indexes) results.push({ json: { error: error.message }, error, pairedItem: { item } });
	};
	for (const [index, item] of items.entries()) {
		try {
			rows.push({ item: index, customer: customerOf(this, item, index) });
		} catch (error) {
			failed(error, [index]);
		}
	}
	const duplicates = this.getNodeParameter('duplicates', 0) as string;
	for (let start = 0; start < rows.length; start += MOST_PER_REQUEST) {
		const chunk = rows.slice(start, start + MOST_PER_REQUEST);
		try {
			const { body } = await request(this, {
				method: 'POST',
				url: '/customers/bulk-import',
				body: { duplicates, customers: chunk.map(({ customer }) => customer) },
			});
			results.push({
				json: unwrapped(body) as IDataObject,
				pairedItem: chunk.map(({ item }) => ({ item })),
			});
		} catch (error) {
			failed(
				error,
				chunk.map(({ item }) => item),
			);
		}
	}
	return [results];
}

// Runs as a custom operation, since one request takes many items.
export const routing: INodePropertyRouting = {};

const properties: INodeProperties[] = [
	{
		displayName: 'Existing Customers',
		name: 'duplicates',
		type: 'options',
		options: [
			{ name: 'Override', value: 'override', description: 'Existing customers get the new values' },
			{ name: 'Skip', value: 'skip', description: 'Existing customers stay as they are' },
		],
		default: 'override',
		description: 'What to do with phone numbers that exist already',
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description: 'Which fields of the input items become which columns of the import',
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getImportColumns',
				mode: 'add',
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['customer'], operation: ['bulkImport'] } },
	properties,
);
