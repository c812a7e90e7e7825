import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import type { RequestContext } from '../transport/context';
import { pagesOf } from '../transport/pages';
import { type Conversion, ValueProblem } from '../values/conversion';
import { recordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { ABSENT } from '../values/text';
import { unlessDeleted } from './consentChanges';
import type { Row } from './rows';

/** The sets of a profile by which changes can be chosen. */
export interface Wanted {
	groups: number[];
	tags: number[];
}

/**
 * Converts a filter; undefined if it was not added.
 *
 * @throws NodeOperationError when it is unusable. An expression that gives nothing would let everybody pass
 */
export function filterOf<Value>(
	context: RequestContext,
	label: string,
	filters: IDataObject,
	name: string,
	convert: Conversion<Value>,
): Value | undefined {
	if (!(name in filters)) return undefined;
	const value = filters[name] === undefined ? ABSENT : convert(filters[name]);
	if (!(value instanceof ValueProblem)) return value;
	throw new NodeOperationError(context.getNode(), `${label} ${value.problem}`, { description: value.remedy });
}

async function readSet(context: RequestContext, url: string): Promise<unknown[]> {
	const elements: unknown[] = [];
	for await (const { records } of pagesOf(context, { url })) elements.push(...records);
	return elements;
}

/** Whether a profile is in one of the groups and has one of the tags. It asks the tenant if the record does not tell. */
export async function belongs(context: RequestContext, row: Row, wanted: Wanted): Promise<boolean> {
	for (const name of ['groups', 'tags'] as const) {
		if (wanted[name].length === 0) continue;
		const own = row.record[name];
		const told = objectsOf(own);
		const url = `/profiles/${encodeURIComponent(row.id)}/${name}`;
		const isTold = Array.isArray(own) && told.length === own.length;
		const elements = isTold ? told : await unlessDeleted(readSet(context, url), []);
		const ids = objectsOf(elements).map(({ id }) => recordId(id));
		if (!wanted[name].some((id) => ids.includes(id))) return false;
	}
	return true;
}
