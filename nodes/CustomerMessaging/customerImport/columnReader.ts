import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { fieldAt, fieldPath } from '../runner/fieldExpression';

/** Reads one column of an item. */
export type ColumnReader = (item: INodeExecutionData, index: number) => unknown;

/**
 * Makes the reader of one mapped column.
 *
 * For 10,000 rows of ten columns n8n's evaluation would take many seconds. So a mapping that only names a field is read from
 * the item itself, and a fixed value is not evaluated at all.
 *
 * @param mapped the mapping as it is stored in the workflow
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
