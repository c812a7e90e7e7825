import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { Failure, isRefusedWith } from '../api/errors';
import { pagesOf } from '../api/pages';
import { readMap } from '../api/records';
import type { RecordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import { quote, stringOf } from '../values/text';
import { hash, type Memory, type News } from './memory';
import { CREATED, timeOf, writtenTime } from './times';

interface ConsentChange {
	time: number;
	event: IDataObject;
}

/** The activities that a change of consent generates ("Events" 2 of the interface). */
const TYPES = ['marketing_opt_out', 'marketing_opt_in'];

/** Matches a status that refuses this one request. After 401, 408 and 429, another request would fare no better. */
const REFUSED = /^(4(?!01|08|29)\d\d|501)$/;

/** Whether the service has a record no longer. One that it does not show (403) has not gone. */
export const isGone = async ({ api }: RunContext, url: string): Promise<boolean> =>
	await api.send({ url }).then(
		() => false,
		(error: unknown) => (isRefusedWith(error, 403, 404) ? isRefusedWith(error, 404) : Promise.reject(error)),
	);

export const profileUrl = (id: RecordId) => `/profiles/${encodeURIComponent(id)}`;

/** Returns nothing for a profile that was deleted meanwhile. If it is there, the log says what cannot be read of it. */
export async function unlessDeleted<T>(
	context: RunContext,
	id: RecordId,
	what: string,
	reading: Promise<T[]>,
) {
	return await reading.catch(async (error: unknown) => {
		if (!isRefusedWith(error, 404)) throw error;
		const told = `cannot see the ${what} of profile ${quote(id)}: the service does not have it`;
		if (!(await isGone(context, profileUrl(id)))) context.logger.warn(`"${context.getNode().name}" ${told}`);
		return [];
	});
}

const secondOf = (milliseconds = 0) => Math.floor(milliseconds / 1000);

const changeTo = (isIn: boolean, at: unknown, activity?: unknown): ConsentChange => ({
	time: timeOf(at) ?? 0,
	event: { is_opted_in: isIn, at, ...(activity !== undefined && { activity_id: activity }) } as IDataObject,
});

async function lastChanges({ api }: RunContext, id: RecordId): Promise<ConsentChange[]> {
	const consent = await readMap(api, 'GET /profiles/{id}/marketing-opt-in', { path: { id } });
	return [changeTo(false, consent?.latest_opt_out_at), changeTo(true, consent?.latest_opt_in_at)];
}

/** Reads the changes since a time from the activities; undefined if the service does not tell their times. */
async function activitiesSince({ api }: RunContext, id: RecordId, since: number) {
	const changes: ConsentChange[] = [];
	for await (const { records } of pagesOf(api, { url: `${profileUrl(id)}/activities` })) {
		const all = objectsOf(records).map((one) => ({ ...one, at: writtenTime(one, CREATED) }) as IDataObject);
		const own = all.filter(({ type }) => TYPES.includes(stringOf(type)));
		if (own.some(({ at }) => at === undefined)) return undefined;
		changes.push(...own.map(({ type, at, id: activity }) => changeTo(type === TYPES[1], at, activity)));
		const seconds = all.map(({ at }) => secondOf(timeOf(at)));
		const isFalling = seconds.every((second, index) => index === 0 || second <= seconds[index - 1]);
		if (isFalling && (seconds.at(-1) ?? 0) < secondOf(since)) break;
	}
	return changes;
}

/** Returns the changes of consent of a profile since a time that are not known, the oldest first. */
export async function consentChanges(
	context: RunContext,
	{ kind, id, record }: Pick<News, 'id' | 'kind' | 'record'>,
	since: number,
	{ by, known }: Memory,
): Promise<ConsentChange[]> {
	// The consent of a new profile was not withdrawn.
	if (by === '' && kind === 'came' && numericOf(record.marketing_opt_in) !== 1) return [];
	const activities = await activitiesSince(context, id, since).catch((error: unknown) => {
		if (error instanceof Failure && REFUSED.test(String(error.told.status))) return undefined;
		throw error;
	});
	const all = activities ?? (await unlessDeleted(context, id, 'marketing consent', lastChanges(context, id)));
	// Activities of the same moment come in the order of their IDs.
	const idOf = ({ event }: ConsentChange) => numericOf(event.activity_id) || 0;
	const counted = all.filter(({ time }) => time > 0 && time >= since);
	counted.sort((a, b) => a.time - b.time || idOf(a) - idOf(b));
	// Without a time of the profile, only its last change can be the new one.
	return counted.slice(by === '' ? -1 : 0).filter(({ time, event }) => {
		const mark = hash(id, event.is_opted_in, event.activity_id ?? secondOf(time));
		const isNew = !known.has(mark);
		known.set(mark, { key: by === '' ? 0 : time, print: '' });
		return isNew;
	});
}
