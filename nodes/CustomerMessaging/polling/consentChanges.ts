import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { Failure, isRefusedWith } from '../api/errors';
import { readMap, orUndefinedIfForbidden } from '../api/records';
import { pagesOf } from '../api/pages';
import type { RecordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import { quote } from '../values/text';
import type { FeedRecord } from './feeds';
import { comparePlaces, markOf, type Place } from './pollState';
import { CREATED, timeOf, writtenTime } from './times';

interface FoundChange {
	source: FeedRecord;
	isIn: boolean;
	time: number;
	/** What the item tells of it. */
	event: IDataObject;
}

interface ConsentChange extends FoundChange {
	/** Tells the change from all others, whether an activity tells of it or the consent. */
	mark: string;
}

/** The activities that a change of consent generates ("Events" 2 of the interface). */
const OPT_IN = 'marketing_opt_in';
const OPT_OUT = 'marketing_opt_out';

export const BEGINNING_OF_TIME: Place = { key: 0, id: null };

/** Returns something else for a profile that was deleted meanwhile. If it is there, the log says what cannot be read of it. */
export async function unlessDeleted<T>(
	context: RunContext,
	{ writtenId }: Pick<FeedRecord, 'writtenId'>,
	what: string,
	reading: Promise<T>,
	otherwise: T,
): Promise<T> {
	return await reading.catch(async (error: unknown) => {
		if (!isRefusedWith(error, 404)) throw error;
		const profile = readMap(context.api, 'GET /profiles/{id}', { path: { id: writtenId } });
		if ((await orUndefinedIfForbidden(profile)) !== undefined)
			context.logger.warn(
				`"${context.getNode().name}" cannot see the ${what} of profile ${quote(writtenId)}: the service does not have it`,
			);
		return otherwise;
	});
}

const secondOf = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** Matches a status that refuses this one request. After 401, 408 and 429, another request would fare no better. */
const REFUSED = /^(4(?!01|08|29)\d\d|501)$/;

const change = (source: FeedRecord, isIn: boolean, at: unknown, activity?: RecordId): FoundChange => ({
	source,
	isIn,
	time: timeOf(at) ?? 0,
	event: {
		name: 'consentChanged',
		is_opted_in: isIn,
		at: at as string,
		...(activity !== undefined && { activity_id: activity }),
	},
});

async function lastChanges(context: RunContext, profile: FeedRecord): Promise<FoundChange[]> {
	const path = { id: profile.writtenId };
	const consent = await readMap(context.api, 'GET /profiles/{id}/marketing-opt-in', { path });
	if (!consent) return [];
	return [change(profile, true, consent.latest_opt_in_at), change(profile, false, consent.latest_opt_out_at)];
}

/** Reads the changes since a time from the activities; undefined if the tenant does not tell their times. */
async function activitiesSince(
	context: RunContext,
	profile: FeedRecord,
	since: number,
): Promise<FoundChange[] | undefined> {
	const changes: FoundChange[] = [];
	const url = `/profiles/${encodeURIComponent(profile.writtenId)}/activities`;
	for await (const { records } of pagesOf(context.api, { url })) {
		const activities = objectsOf(records);
		const times = activities.map((activity) => timeOf(writtenTime(activity, CREATED)));
		for (const activity of activities) {
			if (activity.type !== OPT_IN && activity.type !== OPT_OUT) continue;
			const at = writtenTime(activity, CREATED);
			if (at === undefined) return undefined;
			changes.push(change(profile, activity.type === OPT_IN, at, activity.id as RecordId | undefined));
		}
		const isFalling = times.every((time, index) => index === 0 || (time ?? 0) <= (times[index - 1] ?? 0));
		if (isFalling && secondOf(times[times.length - 1] ?? since) < secondOf(since)) break;
	}
	return changes;
}

function marked(changes: FoundChange[]): ConsentChange[] {
	// Activities of the same moment come in the order of their IDs.
	const byAge = (a: FoundChange, b: FoundChange) =>
		a.time - b.time || numericOf(a.event.activity_id) - numericOf(b.event.activity_id) || 0;
	const counts = new Map<string, number>();
	return changes.sort(byAge).map((one) => {
		// The consent has no ID of an activity, and may have a time of another precision.
		const moment = `${one.isIn} ${secondOf(one.time)}`;
		const count = counts.get(moment) ?? 0;
		counts.set(moment, count + 1);
		return { ...one, mark: markOf(one.source.id, moment, count) };
	});
}

/** Returns the changes of consent of a profile since a place in the list, the oldest first. */
export async function consentChangesOf(
	context: RunContext,
	profile: FeedRecord,
	since: Place,
): Promise<ConsentChange[]> {
	const isSince = ({ time }: ConsentChange) =>
		time > 0 && comparePlaces({ key: time, id: profile.id }, since) >= 0;
	const activities = await activitiesSince(context, profile, since.key).catch((error: unknown) => {
		if (error instanceof Failure && REFUSED.test(String(error.told.status))) return undefined;
		throw error;
	});
	const last = async () =>
		await unlessDeleted(context, profile, 'marketing consent', lastChanges(context, profile), []);
	return marked(activities ?? (await last())).filter(isSince);
}
