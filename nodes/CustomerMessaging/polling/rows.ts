import type { IDataObject } from 'n8n-workflow';

import type { RequestContext } from '../transport/context';
import { unreadableList } from '../transport/pages';
import { recordId, type RecordId } from '../values/ids';
import { isObject } from '../values/json';
import type { Feed } from './feeds';
import { markOf } from './memory';
import { CREATED, timeOf, writtenTime } from './times';

/** A record of a list with its place. */
export interface Row {
	record: IDataObject;
	id: RecordId;
	/** The time or number by which the list is ordered; 0 without one. */
	key: number;
	/** The time of the event in milliseconds since 1970, if the tenant tells it. */
	time?: number;
	/**
	 * One for the record and its state. Before it, one for the record alone, if its time does not tell whether it is new
	 * or changed.
	 */
	marks: string[];
}

/** Whether a record that was not known is new, and not changed. */
export const isNew = ({ marks }: Row, seen: Set<string>) => marks.length > 1 && !seen.has(marks[0]);

/**
 * Finds the place of a record.
 *
 * @param member the member that orders the records; empty if there is none
 * @throws NodeApiError when the record has no ID
 */
export function placed(context: RequestContext, feed: Feed, member: string, value: unknown): Row {
	const id = isObject(value) ? recordId(value[feed.id]) : undefined;
	if (!isObject(value) || id === undefined) throw unreadableList(context);
	const key = member === 'id' ? Number(id) : timeOf(value[member]);
	const content = feed.content.map((name) => value[name] ?? null);
	const time = timeOf(writtenTime(value, feed.times));
	const place = { record: value, id, key: key !== undefined && key > 0 ? key : 0, time };
	if (content.length === 0) return { ...place, marks: [markOf(id)] };
	const mayBeNew = member === '' || timeOf(writtenTime(value, CREATED)) === key;
	return { ...place, marks: [...(mayBeNew ? [markOf(id)] : []), markOf(id, key, content)] };
}
