import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';

import { type RunContext, withApi } from '../api/client';
import { nodeErrorOf } from '../api/errors';
import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { numericOf } from '../values/numbers';
import { differences, floorOf, pause } from './differences';
import { idsOf, type Memory, type News, readMemory, writeMemory } from './memory';
import { passesFilters, type Settings, settingsOf } from './settings';
import { writtenTime } from './times';

/** How many of the newest records *Fetch Test Event* looks at, and of how many the first poll reads the consent. */
const MAX_SAMPLES = 20;
const MAX_FIRST_CONSENTS = 100;

/** A poll reads no further page once it has found so many differences. The next one goes on there. */
const MAX_CHANGES = 1000;

/** What n8n gives a poll where it does not say it. */
const USUAL_BUDGET_MS = 300_000;

type Context = RunContext<IPollFunctions>;

/** Tells an event of a difference, and which fields changed; null if their old values are not known. */
function eventOf({ watch, choice }: Settings, { record, content, old }: News): IDataObject {
	const at = writtenTime(record, watch.times);
	const values = (field: string) => ({ field, old: old?.[field] ?? null, new: content?.[field] ?? null });
	const fields = Object.keys({ ...content, ...old }).map(values);
	const changed = fields.filter((one) => JSON.stringify(one.old) !== JSON.stringify(one.new));
	return {
		...(at !== undefined && { at }),
		...(watch.changes && { changes: old ? changed : null }),
		...(choice.id !== undefined && { [`${watch.needs}_id`]: choice.id }),
	};
}

/** Returns what a difference tells since a time, if its record passes the filters. */
async function toldOf(context: Context, settings: Settings, news: News, since: number, memory: Memory) {
	const { name, watch } = settings;
	const expanded = await watch.expand?.(context, news, since, memory);
	const events = expanded ?? [{ time: news.key, event: eventOf(settings, news) }];
	if (events.length === 0 || !(await passesFilters(context, news, settings))) return [];
	return events.map(({ time, event }) => {
		const json: IDataObject = { ...news.record, event: { name, ...event } };
		return { time, id: numericOf(news.id) || 0, json };
	});
}

/** Reads on from where the memory says, and changes the memory. Returns the items, the oldest first. */
async function readOn(context: Context, settings: Settings, memory: Memory): Promise<IDataObject[]> {
	const { watch } = settings;
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : USUAL_BUDGET_MS;
	// The other half is for the last page, and the requests for its records.
	const end = performance.now() + budget / 2;
	const isFirst = !memory.isBegun;
	const told: Awaited<ReturnType<typeof toldOf>> = [];
	let found = 0;
	for await (const news of differences(context, settings, memory)) {
		const { date = 0, isLast = true } = memory.scan ?? {};
		const isMeant = ({ kind, record }: News) =>
			kind === 'came' ? watch.comes?.(record) : kind === 'gone' || watch.changes;
		const since = floorOf(memory, date);
		const items = news
			.filter(isMeant)
			.map(async (one) => await toldOf(context, settings, one, since, memory));
		told.push(...(await Promise.all(items)).flat());
		found += items.length;
		if (isLast || (found < MAX_CHANGES && performance.now() < end)) continue;
		const words = 'has more to read than fits in one poll. The next poll goes on with it';
		context.logger.info(`"${context.getNode().name}" ${words}`);
		pause(memory);
		break;
	}
	if (isFirst && memory.isBegun && memory.by !== '') {
		// What changed shortly before the first poll must not be taken for something that comes late.
		const since = floorOf(memory, memory.newest);
		const marks = [...memory.known].flatMap(([mark, { key }]) => (key >= since ? mark : []));
		for (const id of idsOf(marks).slice(-MAX_FIRST_CONSENTS))
			await watch.expand?.(context, { kind: 'changed', id, record: {} }, since, memory);
	}
	return told.sort((a, b) => a.time - b.time || a.id - b.id).map(({ json }) => json);
}

/** Polls once. If the list cannot be read on from where the last poll ended, it is read from the beginning. */
async function pollOnce(context: Context, settings: Settings, staticData: IDataObject) {
	const recall = () => readMemory(staticData, settings.of, settings.watch.by ? undefined : '');
	const readWith = async (memory: Memory) => ({ items: await readOn(context, settings, memory), memory });
	if (!recall().scan) return await readWith(recall());
	return await readWith(recall()).catch(async () => await readWith({ ...recall(), scan: undefined }));
}

/** Returns the item for *Fetch Test Event*: the newest record that passes the filters. */
async function sample(context: Context, settings: Settings): Promise<IDataObject> {
	const { watch } = settings;
	const memory = { ...readMemory({}, settings.of, watch.by ? undefined : ''), isBegun: true };
	const { value } = await differences(context, settings, memory).next();
	const newest = ((value ?? []) as News[]).sort((a, b) => b.key - a.key).slice(0, MAX_SAMPLES);
	for (const one of newest) {
		const last = (await toldOf(context, settings, { ...one, kind: 'changed' }, 0, memory)).at(-1);
		if (last) return last.json;
	}
	const words = watch.expand ? 'change of consent' : watch.noun;
	const isEmpty = newest.length === 0;
	const description = isEmpty
		? 'The list of your account is empty. Create a record there, then fetch again.'
		: `None of the ${newest.length} newest records fits. Make a change in your account or remove a filter, then fetch again.`;
	throw new NodeOperationError(context.getNode(), `There is no ${words} to show yet`, { description });
}

const polling = new ProcessMemory<true>('polling');

/**
 * Polls the service for a node, unless an earlier poll goes on. *Fetch Test Event* returns a sample, and remembers nothing.
 *
 * @returns null if nothing has happened
 * @throws NodeApiError or NodeOperationError when a poll fails. The next poll then reads the same again
 */
export async function poll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const context = withApi(node);
	const isManual = context.getMode() === 'manual';
	const key = nodeKey(context);
	if (!isManual && polling.get(key)) {
		context.logger.info(`"${context.getNode().name}" did not poll, because its last poll goes on`);
		return null;
	}
	if (!isManual) polling.set(key, true);
	try {
		const settings = await settingsOf(context);
		if (isManual) return [[{ json: await sample(context, settings) }]];
		const staticData = context.getWorkflowStaticData('node');
		const { items, memory } = await pollOnce(context, settings, staticData);
		writeMemory(staticData, memory);
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (error) {
		// Nothing more is sent.
		context.api.end();
		throw nodeErrorOf(context, error);
	} finally {
		if (!isManual) polling.delete(key);
	}
}
