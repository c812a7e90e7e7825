import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { fieldError } from '../core/fieldError';
import type { RunContext } from '../api/client';
import { wholeList } from '../api/records';
import { InvalidValue, orInvalid, type Parse } from '../values/parse';
import { idSet, integerSegment, recordId, type RecordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { absentValue, trimmedText } from '../values/text';
import { unlessDeleted } from './consentChanges';
import type { FeedRecord } from './feeds';

/** Converts the value of a parameter. @throws NodeOperationError that names the parameter */
export function usable<Value>(
	context: IPollFunctions,
	label: string,
	convert: Parse<Value>,
	value: unknown,
): Value {
	const found = orInvalid(() => convert(value));
	if (found instanceof InvalidValue) throw fieldError(context, label, found);
	return found;
}

/** Reads the group or tag that the node is about. @throws NodeOperationError when it is unusable */
export function chosenId(context: IPollFunctions, label: string, name: string): RecordId {
	const value: unknown = context.getNodeParameter(name, '', { extractValue: true });
	const id = usable(context, label, integerSegment, value);
	return recordId(id) ?? id;
}

/** Reads the filters. @throws NodeOperationError when one is unusable, such as an expression that gives nothing */
export function profileFilters(context: IPollFunctions) {
	const given = context.getNodeParameter('filters', {});
	const filters: IDataObject = isObject(given) ? given : {};
	const filter = <Value>(label: string, name: string, convert: Parse<Value>) => {
		if (!(name in filters)) return undefined;
		const given = filters[name];
		if (given === undefined) throw fieldError(context, label, absentValue());
		return usable(context, label, convert, given);
	};
	return {
		channel: filter('Channel Name or ID', 'channel', trimmedText) ?? '',
		groups: filter('Group Names or IDs', 'groupIds', idSet) ?? [],
		tags: filter('Tag Names or IDs', 'tagIds', idSet) ?? [],
	};
}

/** Whether a profile passes the filters for groups and tags. It asks the tenant if the record does not tell. */
export async function passesFilters(
	context: RunContext,
	{ record, writtenId }: Pick<FeedRecord, 'record' | 'writtenId'>,
	filters: Record<'groups' | 'tags', RecordId[]>,
): Promise<boolean> {
	for (const name of ['groups', 'tags'] as const) {
		if (filters[name].length === 0) continue;
		const own = record[name];
		const url = `/profiles/${encodeURIComponent(writtenId)}/${name}`;
		const isListed = Array.isArray(own) && own.every(isObject);
		const elements = isListed
			? own
			: await unlessDeleted(context, { writtenId }, name, wholeList(context.api, url), []);
		const ids = objectsOf(elements).map(({ id }) => recordId(id));
		if (!filters[name].some((id) => ids.includes(id))) return false;
	}
	return true;
}
