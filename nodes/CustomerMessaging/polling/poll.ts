import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { beginAttempt, nodeRunOf } from '../transport/nodeRun';
import { BEGINNING, readPage } from '../transport/pages';
import type { Conversion } from '../values/conversion';
import { idSet, listed } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { trimmedText } from '../values/text';
import { belongs, filterOf, type Wanted } from './belongs';
import { BEGINNING_OF_TIME, consentChangesOf } from './consentChanges';
import { type EventName, type Feed, feedOf, PROFILE_FIELDS } from './feeds';
import { KnownValues } from './fieldChanges';
import { keep, markOf, type Memory, recall } from './memory';
import { findOrder } from './order';
import { afterwards, type Changes, MAX_CHANGES, readChanges } from './readChanges';
import { isNew, placed, type Row } from './rows';
import { isLocal, writtenTime } from './times';

const MS_PER_DAY = 86_400_000;

/** A record may appear late, because its transaction took long, or because the clock of the tenant was set back. */
const OVERLAP_MS = 60_000;

/** A clock without a zone goes back by an hour in autumn. */
const LOCAL_OVERLAP_MS = 3_660_000;

/** Numbers of records are given out in order, but not always become visible in order. */
const OVERLAP_NUMBERS = 50;

/** Maximum number of records among which a sample is looked for. */
const MAX_SAMPLES = 20;

/** The parameters of the node. */
interface Settings {
	event: EventName;
	feed: Feed;
	/** Fields of a profile whose changes count. */
	fields: readonly string[];
	wanted: Wanted;
	/** Milliseconds. */
	catchUp: number;
	/** Tells what is read, so that the memory of something else does not count. */
	of: string;
}

async function settingsOf(context: IPollFunctions): Promise<Settings> {
	const event = context.getNodeParameter('event', 'newCustomer') as EventName;
	const isOfProfiles = event !== 'newNotification';
	const given = isOfProfiles ? context.getNodeParameter('filters', {}) : {};
	const filters = isObject(given) ? given : {};
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const names = event === 'profileChanged' ? listed(context.getNodeParameter('fields', '')) : [];
	const chosen = names.map((name) => String(name).trim()).filter((name) => name !== '');
	const fields = chosen.length > 0 ? [...new Set(chosen)] : PROFILE_FIELDS;
	const filter = <Value>(label: string, name: string, convert: Conversion<Value>) =>
		filterOf(context, label, filters, name, convert);
	const channel = filter('Channel Name or ID', 'channel', trimmedText) ?? '';
	const { baseUrl } = await nodeRunOf(context);
	const days = Number(options.catchUpDays) > 0 ? Number(options.catchUpDays) : 7;
	return {
		event,
		feed: feedOf(event, channel, fields),
		fields,
		wanted: {
			groups: filter('Group Names or IDs', 'groupIds', idSet) ?? [],
			tags: filter('Tag Names or IDs', 'tagIds', idSet) ?? [],
		},
		catchUp: days * MS_PER_DAY,
		of: markOf(event, baseUrl, channel, event === 'profileChanged' ? fields : []),
	};
}

/** Finds out what orders the records, as far as they show it. */
async function discover(context: IPollFunctions, feed: Feed) {
	const { records, next } = await readPage(context, feed.list, BEGINNING);
	const found = objectsOf(records);
	const member = found.length > 0 ? (feed.memberOf(found) ?? '') : undefined;
	const isLong = next() !== 'end';
	return { member, isLong, records: found };
}

function overlapOf(member: string, records: IDataObject[]): number {
	if (member === 'id') return OVERLAP_NUMBERS;
	return records.some((record) => isLocal(record[member])) ? LOCAL_OVERLAP_MS : OVERLAP_MS;
}

/** A change that starts the workflow, before the filters that ask the tenant. */
interface Happening {
	row: Row;
	event: IDataObject;
}

/** One poll: what is new, and what to remember of it. */
class Poll {
	constructor(
		private readonly context: IPollFunctions,
		private readonly settings: Settings,
	) {}

	/** Returns the items of the changes since the last poll, and the memory for the next one. */
	async run(staticData: IDataObject): Promise<{ items: IDataObject[]; memory: Memory }> {
		const { context, settings } = this;
		const { feed } = settings;
		const before = recall(staticData, settings.of);
		const isFirst = before === undefined;
		const memory = { ...(before ?? { of: settings.of, overlap: 0, seen: [], told: [], values: [] }) };
		if (memory.member === undefined) {
			const { member, isLong, records } = await discover(context, feed);
			// There was never a record. The first one will be new.
			if (member === undefined) return { items: [], memory };
			memory.member = member;
			memory.overlap = overlapOf(member, records);
			if (isLong) memory.order = await this.orderOf(member);
		}
		const question = {
			feed,
			memory: { ...memory, member: memory.member },
			isFirst,
			catchUp: settings.catchUp,
		};
		const changes = await readChanges(context, question);
		this.tell(changes, isFirst);
		const after: Memory = { ...memory, ...afterwards(question, changes) };
		if (memory.order && !changes.isSorted) after.order = '';
		else if (memory.order === undefined && changes.pages > 1) after.order = await this.orderOf(memory.member);
		const happenings = await this.happeningsOf(changes, isFirst, memory, after);
		const passes = await Promise.all(
			happenings.map(async ({ row }) => await belongs(context, row, settings.wanted)),
		);
		const items = happenings.filter((_, index) => passes[index]);
		return { items: items.map(({ row, event }) => ({ ...row.record, event })), memory: after };
	}

	/** Returns items for *Fetch Test Event*: the newest record that passes the filters. */
	async sample(): Promise<IDataObject[]> {
		const { context, settings } = this;
		const { feed, event } = settings;
		const { member = '', isLong, records } = await discover(context, feed);
		const order = isLong && feed.isSortable && member !== '' ? await findOrder(context, feed, member) : '';
		const newest = order
			? (await readPage(context, { ...feed.list, qs: { ...feed.list.qs, order_by: order } }, BEGINNING))
					.records
			: records;
		const rows = newest
			.map((record) => placed(context, feed, member, record))
			.sort((a, b) => b.key - a.key)
			.slice(0, MAX_SAMPLES);
		for (const row of rows) {
			if (!(await belongs(context, row, settings.wanted))) continue;
			const consent =
				event === 'consentChanged'
					? (await consentChangesOf(context, row, BEGINNING_OF_TIME)).pop()
					: undefined;
			if (event !== 'consentChanged' || consent)
				return [{ ...row.record, event: consent?.event ?? this.eventOf(row, null) }];
		}
		const words =
			event === 'consentChanged' ? 'change of consent' : event === 'profileChanged' ? 'profile' : feed.noun;
		throw new NodeOperationError(context.getNode(), `There is no ${words} to show yet`, {
			description:
				rows.length === 0
					? 'The list of the tenant is empty. Create a record in your tenant, then fetch again.'
					: `None of the ${rows.length} newest records fits. Make a change in your tenant or remove a filter, then fetch again.`,
		});
	}

	/** Finds out whether the tenant sorts the list. */
	private async orderOf(member: string): Promise<string | undefined> {
		const { feed } = this.settings;
		return feed.isSortable && member !== '' ? await findOrder(this.context, feed, member) : '';
	}

	/** Tells in the log what a person should know of a poll. */
	private tell({ pages, isSorted, late, isCut }: Changes, isFirst: boolean): void {
		const { context, settings } = this;
		const { name } = context.getNode();
		const { noun, isSortable } = settings.feed;
		const plural = `${noun}s`;
		if (isFirst && isSortable && pages > 1 && !isSorted)
			context.logger.warn(
				`"${name}" reads all ${plural} in each poll, ${pages} requests now, because the tenant does not sort them`,
			);
		if (late > 0)
			context.logger.warn(
				`"${name}" left out ${late} changes of ${plural} that are older than Catch Up (Days)`,
			);
		if (isCut)
			context.logger.info(
				`"${name}" found more than ${MAX_CHANGES} changes. The next poll goes on with them`,
			);
	}

	/** What an item tells of a new or changed record. */
	private eventOf({ record }: Row, changes: IDataObject[] | null): IDataObject {
		const { event, feed } = this.settings;
		const at = writtenTime(record, feed.times);
		return {
			name: event,
			...(at !== undefined && { at }),
			...(event === 'profileChanged' && { changes }),
		};
	}

	/** Returns what has happened to the changed records, and notes in the memory what happened. */
	private async happeningsOf(
		changes: Changes,
		isFirst: boolean,
		before: Memory,
		after: Memory,
	): Promise<Happening[]> {
		const { event } = this.settings;
		if (event === 'consentChanged') return await this.consents(changes, isFirst, before, after);
		if (event !== 'profileChanged')
			return changes.changed.map((row) => ({ row, event: this.eventOf(row, null) }));
		const values = new KnownValues(before.values, this.settings.fields);
		if (isFirst) for (const row of [...changes.known].reverse()) values.learn(row);
		const seen = new Set(before.seen);
		const happenings = changes.changed.flatMap((row) => {
			const fields = values.changesOf(row);
			values.learn(row);
			if (fields ? fields.length === 0 : isNew(row, seen)) return [];
			return [{ row, event: this.eventOf(row, fields ?? null) }];
		});
		after.values = values.entries();
		return happenings;
	}

	/** Reads the changes of consent of the changed profiles. */
	private async consents(
		{ changed, known }: Changes,
		isFirst: boolean,
		before: Memory,
		after: Memory,
	): Promise<Happening[]> {
		const { context } = this;
		const isCompared = before.member === '';
		// From the floor on, the first poll notes what has happened already.
		const rows = isFirst ? known.filter(({ key }) => !isCompared && key >= (after.floor?.key ?? 0)) : changed;
		const since = (isFirst ? after.floor : before.floor) ?? BEGINNING_OF_TIME;
		const seen = new Set(before.seen);
		const read = await Promise.all(
			rows.map(async (row) => {
				// The consent of a new profile was not withdrawn.
				const isNone = isCompared && isNew(row, seen) && Number(row.record.marketing_opt_in) !== 1;
				const found = isNone ? [] : await consentChangesOf(context, row, since);
				// Without a time of the profile, only its last change can be the new one.
				return isCompared ? found.slice(-1) : found;
			}),
		);
		const told = new Set(before.told);
		const found = read
			.flat()
			.filter(({ mark }) => !told.has(mark))
			.sort((a, b) => a.time - b.time);
		after.told = [...before.told, ...found.map(({ mark }) => mark)];
		return isFirst ? [] : found;
	}
}

const itemsOf = (records: IDataObject[]) => records.map((json) => ({ json }));

/** Does work that is one run of the node. If it fails, the run sends nothing more. */
async function inOneRun<T>(context: IPollFunctions, work: (poll: Poll) => Promise<T>): Promise<T> {
	const run = await nodeRunOf(context);
	beginAttempt(context, run);
	let isDone = false;
	try {
		const result = await work(new Poll(context, await settingsOf(context)));
		isDone = true;
		return result;
	} finally {
		if (!isDone) run.end();
	}
}

/** The nodes whose poll goes on in this process. */
const polling = new ProcessMemory<true>('polling');

/**
 * Polls the tenant for a node. While an earlier poll of the node goes on, it does nothing.
 *
 * Called by *Fetch Test Event*, it returns the newest record as a sample, and remembers nothing.
 *
 * @returns null if nothing has happened
 * @throws NodeApiError or NodeOperationError when a poll fails. The next poll then reads the same again
 */
export async function poll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	// n8n uses the same context for all polls of a workflow. The transport keeps what belongs to one run by its context.
	const context = Object.create(node) as IPollFunctions;
	if (context.getMode() === 'manual')
		return [itemsOf(await inOneRun(context, async (one) => await one.sample()))];
	const key = nodeKey(context);
	if (polling.get(key)) {
		context.logger.info(`"${context.getNode().name}" did not poll, because its last poll goes on`);
		return null;
	}
	polling.set(key, true);
	try {
		const staticData = context.getWorkflowStaticData('node');
		const { items, memory } = await inOneRun(context, async (one) => await one.run(staticData));
		keep(staticData, memory);
		return items.length > 0 ? [itemsOf(items)] : null;
	} finally {
		polling.delete(key);
	}
}
