import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { withApi } from '../api/client';
import type { RunContext } from '../api/client';

import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { nodeErrorOf } from '../api/errors';
import { BEGINNING, readPage, unreadableList } from '../api/pages';
import { readRecord } from '../api/records';
import { comparableTitle, listed, type RecordId } from '../values/ids';
import { objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import { BEGINNING_OF_TIME, consentChangesOf } from './consentChanges';
import { eventName } from './description';
import {
	type Feed,
	feedOf,
	type FeedRecord,
	feedRecords,
	fieldOf,
	isMeant,
	isNew,
	PROFILE_EVENTS,
	PROFILE_FIELDS,
	requireFields,
} from './feeds';
import { KnownValues, markOf, type PollState, readState, writeState } from './pollState';
import { chosenId, passesFilters, profileFilters, usable } from './profileFilters';
import {
	afterwards,
	type Changes,
	findOrder,
	LOCAL_OVERLAP_MS,
	MAX_CHANGES,
	ordered,
	readChanges,
	unshown,
} from './readChanges';
import { isLocal, writtenTime } from './times';

/** A record may appear late, because its transaction took long, or because the clock of the tenant was set back. */
const OVERLAP_MS = 60_000;

/** Numbers of records are given out in order, but not always become visible in order. */
const OVERLAP_RECORDS = 50;

const MAX_SAMPLES = 20;

const NO_FILTERS = { channel: '', groups: [], tags: [] };

type Settings = Awaited<ReturnType<typeof settingsOf>>;

/** Reads the chosen tag. One that was deleted fails the poll. */
async function tagOf(context: RunContext<IPollFunctions>, id: RecordId) {
	const { title } = await readRecord(context.api, 'GET /tags/{id}', { path: { id } });
	return { id, title: comparableTitle(stringOf(title)) };
}

async function settingsOf(context: RunContext<IPollFunctions>) {
	const event = usable(context, 'Event', eventName, context.getNodeParameter('event', 'newCustomer'));
	const names = event === 'profileChanged' ? listed(context.getNodeParameter('fields', '')) : [];
	const chosen = names.map((name) => fieldOf(stringOf(name).trim())).filter((name) => name !== '');
	const fields: readonly string[] = chosen.length > 0 ? [...new Set(chosen)] : PROFILE_FIELDS;
	const filters = PROFILE_EVENTS.includes(event) ? profileFilters(context) : NO_FILTERS;
	const group = event === 'joinedGroup' ? chosenId(context, 'Group', 'groupId') : undefined;
	const tag = event === 'tagAdded' ? await tagOf(context, chosenId(context, 'Tag', 'tagId')) : undefined;
	const compared = event === 'profileChanged' ? fields : listed(group ?? tag?.id);
	const { baseUrl } = await context.api.settings();
	return {
		event,
		feed: feedOf(event, { channel: filters.channel, fields, group, tag }),
		fields,
		filters,
		/** Tells what is read, so that the state of something else does not count. */
		of: markOf(event, baseUrl, filters.channel, compared),
	};
}

async function discover(context: RunContext<IPollFunctions>, feed: Feed) {
	const { records, next } = await readPage(context.api, feed.list, BEGINNING);
	const found = objectsOf(records);
	const member = records.length > 0 ? (feed.memberOf(found) ?? '') : undefined;
	return { member, isLong: next !== 'end', found, records };
}

function overlapOf(member: string, records: IDataObject[]): number {
	if (member === 'id') return OVERLAP_RECORDS;
	return records.some((record) => isLocal(record[member])) ? LOCAL_OVERLAP_MS : OVERLAP_MS;
}

function eventOf(
	{ event, feed }: Settings,
	{ record }: Pick<FeedRecord, 'record'>,
	changes: IDataObject[] | null = null,
): IDataObject {
	const at = writtenTime(record, feed.times);
	const more = event === 'profileChanged' ? { changes } : feed.more?.(record);
	return { name: event, ...(at !== undefined && { at }), ...more };
}

interface States {
	before: PollState;
	after: PollState;
	isFirst: boolean;
}

/** Tells in the log what a person should know of a poll. */
function log(
	context: RunContext<IPollFunctions>,
	{ feed }: Settings,
	changes: Changes,
	isFirst: boolean,
): void {
	const { pages, isSorted, isCut } = changes;
	const { name } = context.getNode();
	if (isFirst && feed.isSortable && pages > 1 && !isSorted)
		context.logger.warn(
			`"${name}" reads all ${feed.noun}s in each poll, ${pages} requests now, because the service does not sort them`,
		);
	if (isCut)
		context.logger.info(`"${name}" found more than ${MAX_CHANGES} changes. The next poll goes on with them`);
}

function profileEvents(settings: Settings, { changed, known }: Changes, { before, after, isFirst }: States) {
	const values = new KnownValues(before.values, settings.fields);
	if (isFirst) for (const { id, record } of [...known].reverse()) values.learn(id, record);
	const seen = new Set(before.seen);
	const events = changed.flatMap((source) => {
		const fields = values.changesOf(source.id, source.record);
		values.learn(source.id, source.record);
		if (fields ? fields.length === 0 : isNew(source, seen)) return [];
		return [{ source, event: eventOf(settings, source, fields ?? null) }];
	});
	after.values = values.entries();
	return events;
}

async function consentEvents(
	context: RunContext<IPollFunctions>,
	{ changed, known }: Changes,
	{ before, after, isFirst }: States,
) {
	const isCompared = before.member === '';
	// From the floor on, the first poll notes what has happened already.
	const profiles = isFirst
		? known.filter(({ key }) => !isCompared && key >= (after.floor?.key ?? 0))
		: changed;
	const since = (isFirst ? after.floor : before.floor) ?? BEGINNING_OF_TIME;
	const seen = new Set(before.seen);
	const read = await Promise.all(
		profiles.map(async (profile) => {
			// The consent of a new profile was not withdrawn.
			const isNone = isCompared && isNew(profile, seen) && numericOf(profile.record.marketing_opt_in) !== 1;
			const found = isNone ? [] : await consentChangesOf(context, profile, since);
			// Without a time of the profile, only its last change can be the new one.
			return isCompared ? found.slice(-1) : found;
		}),
	);
	const announced = new Set(before.announced);
	const found = read.flat().filter(({ mark }) => !announced.has(mark));
	found.sort((a, b) => a.time - b.time);
	after.announced = [...before.announced, ...found.map(({ mark }) => mark)];
	return isFirst ? [] : found;
}

async function pollOnce(context: RunContext<IPollFunctions>, settings: Settings, staticData: IDataObject) {
	const { feed, event } = settings;
	const stored = readState(staticData, settings.of);
	const isFirst = stored === undefined;
	const none: PollState = { of: settings.of, overlap: 0, seen: [], announced: [], values: [] };
	const before = stored ?? none;
	if (before.member === undefined) {
		const { member, isLong, found } = await discover(context, feed);
		// There was never a record. The first one will be new.
		if (member === undefined) return { items: [], state: before };
		if (event === 'profileChanged') requireFields(context, settings.fields, found);
		before.member = member;
		before.overlap = overlapOf(member, found);
		if (isLong) before.order = await findOrder(context, feed, member);
	}
	const { member } = before;
	const query = { feed, state: { ...before, member }, isFirst };
	const changes = await readChanges(context, query);
	const after: PollState = { ...before, ...afterwards(query, changes) };
	if (before.order && !changes.isSorted) after.order = '';
	else if (before.order === undefined && changes.pages > 1)
		after.order = await findOrder(context, feed, member);
	const states = { before, after, isFirst };
	log(context, settings, changes, isFirst);
	const events =
		event === 'consentChanged'
			? await consentEvents(context, changes, states)
			: event === 'profileChanged'
				? profileEvents(settings, changes, states)
				: changes.changed.map((source) => ({ source, event: eventOf(settings, source) }));
	const items = await Promise.all(
		events.map(async ({ source, event: told }) => {
			const passes = await passesFilters(context, source, settings.filters);
			return passes ? [{ ...source.record, event: told }] : [];
		}),
	);
	return { items: items.flat(), state: after };
}

/** Returns the item for *Fetch Test Event*: the newest record that passes the filters. */
async function sample(context: RunContext<IPollFunctions>, settings: Settings): Promise<IDataObject> {
	const { feed, event, filters } = settings;
	const { member = '', isLong, found: known, records } = await discover(context, feed);
	if (event === 'profileChanged') requireFields(context, settings.fields, known);
	if (feed.shows && known.length > 0 && !known.some(feed.shows.isIn)) throw unshown(context, feed);
	const order = isLong ? await findOrder(context, feed, member) : '';
	const newest = order ? (await readPage(context.api, ordered(feed, order), BEGINNING)).records : records;
	const found = feedRecords(feed, member, newest)
		.sort((a, b) => b.key - a.key)
		.slice(0, MAX_SAMPLES);
	if (found.length === 0 && newest.some((one) => isMeant(feed, one))) throw unreadableList();
	for (const source of found) {
		if (!(await passesFilters(context, source, filters))) continue;
		if (event !== 'consentChanged') return { ...source.record, event: eventOf(settings, source) };
		const change = (await consentChangesOf(context, source, BEGINNING_OF_TIME)).pop();
		if (change) return { ...source.record, event: change.event };
	}
	const words = event === 'consentChanged' ? 'change of consent' : feed.noun;
	throw new NodeOperationError(context.getNode(), `There is no ${words} to show yet`, {
		description:
			newest.length === 0
				? 'The list of your account is empty. Create a record there, then fetch again.'
				: `None of the ${found.length || newest.length} newest records fits. Make a change in your account or remove a filter, then fetch again.`,
	});
}

/** Does work that is one run of the node. If it fails, the run sends nothing more. */
async function inOneRun<T>(
	context: RunContext<IPollFunctions>,
	work: (settings: Settings) => Promise<T>,
): Promise<T> {
	const { api } = context;
	return await settingsOf(context)
		.then(work)
		.catch((error: unknown) => {
			api.end();
			throw nodeErrorOf(context, error);
		});
}

const polling = new ProcessMemory<true>('polling');

/**
 * Polls the tenant for a node, unless an earlier poll goes on. *Fetch Test Event* returns a sample, and remembers
 * nothing.
 *
 * @returns null if nothing has happened
 * @throws NodeApiError or NodeOperationError when a poll fails. The next poll then reads the same again
 */
export async function poll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const context = withApi(node);
	if (context.getMode() === 'manual') {
		const json = await inOneRun(context, async (settings) => await sample(context, settings));
		return [[{ json }]];
	}
	const key = nodeKey(context);
	if (polling.get(key)) {
		context.logger.info(`"${context.getNode().name}" did not poll, because its last poll goes on`);
		return null;
	}
	polling.set(key, true);
	try {
		const staticData = context.getWorkflowStaticData('node');
		const { items, state } = await inOneRun(
			context,
			async (settings) => await pollOnce(context, settings, staticData),
		);
		writeState(staticData, state);
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} finally {
		polling.delete(key);
	}
}
