import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import { Failure } from '../api/errors';
import { pagesOf } from '../api/pages';
import { readMap } from '../api/records';
import type { RecordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import { hash, type Memory, timeOf } from './memory';

/** The activities that a change of consent generates ("Events" 2 of the interface). */
const TYPES = ['marketing_opt_out', 'marketing_opt_in'];

/** Whether the service refuses this one request. After 401, 408 and 429, another request would fare no better. */
export const isRefusal = (error: unknown) =>
	error instanceof Failure && /^(4(?!01|08|29)\d\d|501)$/.test(String(error.told.status));

export const profileUrl = (id: RecordId) => `/profiles/${encodeURIComponent(id)}`;

const changeTo = (isIn: boolean, at: unknown, activity?: unknown) => ({
	time: timeOf(at) ?? 0,
	event: { is_opted_in: isIn, at, ...(activity !== undefined && { activity_id: activity }) } as IDataObject,
});

async function lastChanges({ api }: RunContext, id: RecordId) {
	const last = await readMap(api, 'GET /profiles/{id}/marketing-opt-in', { path: { id } });
	return [changeTo(false, last?.latest_opt_out_at), changeTo(true, last?.latest_opt_in_at)];
}

/** Reads the changes since a time from the activities; undefined if the service does not tell their times. */
async function activitiesSince({ api }: RunContext, id: RecordId, since: number) {
	const changes: Array<ReturnType<typeof changeTo>> = [];
	for await (const { records } of pagesOf(api, { url: `${profileUrl(id)}/activities` })) {
		const all = objectsOf(records);
		const times = all.map(({ created_at: at }) => timeOf(at) ?? 0);
		const own = all.filter(({ type }) => TYPES.includes(stringOf(type)));
		changes.push(...own.map((one) => changeTo(one.type === TYPES[1], one.created_at, one.id)));
		if (changes.some(({ time }) => time === 0)) return undefined;
		const isFalling = times.every((time, index) => index === 0 || time <= times[index - 1]);
		if (isFalling && (times.at(-1) ?? 0) < since) break;
	}
	return changes;
}

/** Returns the changes of consent of a profile that are new and not known, the oldest first. */
export async function consentChanges(context: RunContext, memory: Memory, id: RecordId) {
	const { by, known, floor = 0 } = memory;
	const activities = await activitiesSince(context, id, floor).catch((error: unknown) =>
		isRefusal(error) ? undefined : Promise.reject(error),
	);
	const all = activities ?? (await lastChanges(context, id));
	// Activities of the same moment come in the order of their IDs.
	const idOf = ({ event }: { event: IDataObject }) => numericOf(event.activity_id) || 0;
	const counted = all.filter(({ time }) => time > 0 && time >= floor);
	counted.sort((a, b) => a.time - b.time || idOf(a) - idOf(b));
	// Without a time of the profile, only its last change can be the new one.
	return counted.slice(by === '' ? -1 : 0).filter(({ time, event }) => {
		const mark = hash(id, event.is_opted_in, event.activity_id ?? time);
		const isNew = !known.has(mark);
		known.set(mark, { key: by === '' ? 0 : time, print: '' });
		return isNew;
	});
}
