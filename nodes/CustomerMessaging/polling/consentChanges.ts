import { type IDataObject, NodeApiError } from 'n8n-workflow';

import { readRecord } from '../transport/records';
import type { RequestContext } from '../transport/context';
import { pagesOf } from '../transport/pages';
import type { RecordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import type { FeedRecord } from './feeds';
import { comparePlaces, markOf, type Place } from './pollState';
import { CREATED, timeOf, writtenTime } from './times';

/** A change of the marketing consent of a profile. */
export interface ConsentChange {
	source: FeedRecord;
	/** Tells the change from all others. */
	mark: string;
	time: number;
	/** What the item tells of it. */
	event: IDataObject;
}

/** The activities that a change of consent generates ("Events" 2 of the interface). */
const OPT_IN = 'marketing_opt_in';
const OPT_OUT = 'marketing_opt_out';

/** Returns something else for a profile that was deleted meanwhile. */
export async function unlessDeleted<T>(reading: Promise<T>, otherwise: T): Promise<T> {
	return await reading.catch((error: unknown) => {
		if (error instanceof NodeApiError && error.httpCode === '404') return otherwise;
		throw error;
	});
}

const change = (source: FeedRecord, isIn: boolean, at: unknown, activity?: RecordId): ConsentChange => ({
	source,
	mark: markOf(source.id, isIn, activity ?? timeOf(at)),
	time: timeOf(at) ?? 0,
	event: {
		name: 'consentChanged',
		is_opted_in: isIn,
		at: at as string,
		...(activity !== undefined && { activity_id: activity }),
	},
});

/** Reads the last change to each state, which the interface documents. */
async function lastChanges(context: RequestContext, profile: FeedRecord): Promise<ConsentChange[]> {
	const path = { id: profile.writtenId };
	const consent = await readRecord(context, 'GET /profiles/{id}/marketing-opt-in', { path });
	return [change(profile, true, consent.latest_opt_in_at), change(profile, false, consent.latest_opt_out_at)];
}

/** Reads the changes since a time from the activities; undefined if the tenant does not tell their times. */
async function activitiesSince(
	context: RequestContext,
	profile: FeedRecord,
	since: number,
): Promise<ConsentChange[] | undefined> {
	const changes: ConsentChange[] = [];
	const url = `/profiles/${encodeURIComponent(profile.writtenId)}/activities`;
	for await (const { records } of pagesOf(context, { url })) {
		const activities = objectsOf(records);
		const times = activities.map((activity) => timeOf(writtenTime(activity, CREATED)));
		for (const activity of activities) {
			if (activity.type !== OPT_IN && activity.type !== OPT_OUT) continue;
			const at = writtenTime(activity, CREATED);
			if (at === undefined) return undefined;
			changes.push(change(profile, activity.type === OPT_IN, at, activity.id as RecordId | undefined));
		}
		const isFalling = times.every((time, index) => index === 0 || (time ?? 0) <= (times[index - 1] ?? 0));
		if (isFalling && (times[times.length - 1] ?? since) < since) break;
	}
	return changes;
}

export const BEGINNING_OF_TIME: Place = { key: 0, id: null };

/**
 * Reads the changes of consent of a profile from a place in the list on, the oldest first: all of them from the activities,
 * or the last change to each state if these have no times.
 */
export async function consentChangesOf(
	context: RequestContext,
	profile: FeedRecord,
	since: Place,
): Promise<ConsentChange[]> {
	const read = async () =>
		(await activitiesSince(context, profile, since.key)) ?? (await lastChanges(context, profile));
	const changes = await unlessDeleted(read(), []);
	// Activities of the same moment come in the order of their IDs.
	const byAge = (a: ConsentChange, b: ConsentChange) =>
		a.time - b.time || numericOf(a.event.activity_id) - numericOf(b.event.activity_id) || 0;
	const isSince = ({ time }: ConsentChange) =>
		time > 0 && comparePlaces({ key: time, id: profile.id }, since) >= 0;
	return changes.filter(isSince).sort(byAge);
}
