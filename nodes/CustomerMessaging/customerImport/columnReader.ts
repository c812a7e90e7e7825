import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { fieldAt, fieldPath } from '../runner/fieldExpression';

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
	if (typeof mapped !== 'string' || !mapped.startsWith('=')) return () => mapped;
	const path = fieldPath(mapped);
	if (!path) return (_item, index) => context.getNodeParameter(parameterName, index, undefined);
	return ({ json }) => fieldAt(json, path);
}
