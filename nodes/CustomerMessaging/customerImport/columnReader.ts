import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { fieldReader, LEFT_TO_N8N } from '../runner/fieldExpression';

/** Reads one column of an item. */
export type ColumnReader = (item: INodeExecutionData, index: number) => unknown;

/**
 * Makes the reader of one mapped column.
 *
 * n8n would take many seconds to evaluate 10,000 rows of ten columns. So the reader reads a mapping that only names a
 * field from the item itself, and it never evaluates a fixed value.
 *
 * @param mapped the mapping as the workflow stores it
 */
export function columnReader(
	context: IExecuteFunctions,
	parameterName: string,
	mapped: unknown,
): ColumnReader {
	const read = fieldReader(mapped);
	return ({ json }, index) => {
		const value = read(json);
		return value === LEFT_TO_N8N ? context.getNodeParameter(parameterName, index, undefined) : value;
	};
}
