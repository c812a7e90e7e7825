import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../api/context';
import { readRecord, unlessHidden } from '../api/records';
import { recordId } from '../values/ids';
import { stringOf } from '../values/text';
import type { Feed, FeedRecord } from './feeds';
import type { PollState } from './pollState';
import { passesFilters } from './profileFilters';
import { tooLong } from './readChanges';

const MAX_MEMBERS = 60_000;

/** Maximum number of missing profiles that one poll asks for. The next poll goes on with the rest. */
const MAX_MISSING = 200;

export type Departed = Pick<FeedRecord, 'record' | 'writtenId'>;

/** Reads a profile that is missing in the list; undefined if it is still in its group or has its tag. */
async function departed(context: RunContext, feed: Feed, writtenId: string): Promise<Departed | undefined> {
	const reading = readRecord(context.api, 'GET /profiles/{id}', { path: { id: writtenId } });
	const profile = (await unlessHidden(reading)) as IDataObject | undefined;
	if (!profile) return { record: { id: recordId(writtenId) }, writtenId };
	const one = { record: profile, writtenId };
	// A list whose records move while it is read may miss one.
	return feed.sets && (await passesFilters(context, one, feed.sets)) ? undefined : one;
}

/** Returns the profiles that were in a list and are no longer, and notes who is in it. Fails if these are too many. */
export async function departures(
	context: RunContext,
	feed: Feed,
	present: FeedRecord[],
	{ before, after }: { before: PollState; after: PollState },
): Promise<Departed[]> {
	const now = new Set(present.map(({ writtenId }) => writtenId));
	const known: string[] = Array.isArray(before.members) ? before.members.map(stringOf) : [];
	const missing = known.filter((id) => !now.has(id));
	const read = await Promise.all(
		missing.slice(0, MAX_MISSING).map(async (id) => ({ id, one: await departed(context, feed, id) })),
	);
	const stayed = read.flatMap(({ id, one }) => (one ? [] : [id]));
	after.seen = [];
	after.members = [...now, ...stayed, ...missing.slice(MAX_MISSING)];
	if (JSON.stringify(after.members).length > MAX_MEMBERS) throw tooLong(context, feed);
	return read.flatMap(({ one }) => one ?? []);
}
