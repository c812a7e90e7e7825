import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { Api } from '../api/client';
import { Failure, isRefusedWith, nodeErrorOf } from '../api/errors';
import { BEGINNING } from '../api/pages';
import { logLimitedView } from '../core/hints';
import { nodeKey, ProcessMemory } from '../n8nInternals/processMemory';
import { quote } from '../values/text';
import { differences } from './differences';
import { isRefusal } from './events';
import { idsFrom, type News, timeOf, writeMemory } from './memory';
import { passesFilters, type Poll, pollOf } from './settings';

/** How many of the newest records *Fetch Test Event* looks at, and of how many the first poll reads the consent. */
const MAX_SAMPLES = 20;
const MAX_FIRST_CONSENTS = 100;

/** A poll reads no further page once it has found so many differences. The next one goes on there. */
const MAX_CHANGES = 1000;

/** Tells an event of a difference, and which fields changed; null if their old values are not known. */
function eventOf({ watch, choice }: Poll, { record, content, old }: News): IDataObject {
	const at = record[watch.by === 'id' ? 'created_at' : (watch.by ?? '')];
	const values = (field: string) => ({ field, old: old?.[field] ?? null, new: content?.[field] ?? null });
	const isChanged = (one: IDataObject) => JSON.stringify(one.old) !== JSON.stringify(one.new);
	const fields = Object.keys({ ...content, ...old }).map(values);
	return {
		...(timeOf(at) !== undefined && { at }),
		...(content && { changes: old ? fields.filter(isChanged) : null }),
		...(choice.id !== undefined && { [`${watch.needs}_id`]: choice.id }),
	};
}

/** Returns what a difference tells, if its record passes the filters, and if the service still has what has to be asked for. */
async function toldOf(poll: Poll, news: News): Promise<Array<{ time: number; json: IDataObject }>> {
	const { context, name, watch, memory } = poll;
	const tell = async () => {
		const expanded = await watch.expand?.(context, memory, news.id);
		const events = expanded ?? [{ time: news.key, event: eventOf(poll, news) }];
		if (events.length === 0 || !(await passesFilters(poll, news))) return [];
		return events.map(({ time, event }) => ({ time, json: { ...news.record, event: { name, ...event } } }));
	};
	return await tell().catch((error: unknown) => {
		if (!isRefusedWith(error, 404)) throw error;
		context.logger.warn(`"${context.getNode().name}" left out profile ${quote(news.id)}: ${error.message}`);
		return [];
	});
}

/** Takes the consents of those who changed shortly before the first poll for told, so that none seems to come late. */
async function skipConsents(poll: Poll): Promise<void> {
	for (const id of idsFrom(poll.memory.floor ?? 0, poll.memory).slice(-MAX_FIRST_CONSENTS))
		await toldOf(poll, { kind: 'changed', id, key: 0, record: {} });
}

/** Reads on from where the memory says, and changes the memory. Returns the items, the oldest first. */
async function readOn(poll: Poll): Promise<IDataObject[]> {
	const { context, watch, memory } = poll;
	// If n8n names no budget, it is five minutes. Half of it is for the last page, and the requests for its records.
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : 300_000;
	const end = performance.now() + budget / 2;
	const isFirst = memory.floor === undefined;
	const told: Awaited<ReturnType<typeof toldOf>> = [];
	let found = 0;
	for await (const news of differences(poll)) {
		const counted = news.filter(({ kind, record }) => kind === 'changed' || (watch.comes?.(record) ?? true));
		told.push(...(await Promise.all(counted.map(async (one) => await toldOf(poll, one)))).flat());
		found += counted.length;
		if (!memory.scan?.isLast && (found >= MAX_CHANGES || performance.now() >= end)) break;
	}
	const hasBegun = isFirst && memory.floor !== undefined;
	if (hasBegun && (watch.isOfProfiles || watch.needs === 'group')) await logLimitedView(context);
	if (hasBegun && watch.expand) await skipConsents(poll);
	return told.sort((a, b) => a.time - b.time).map(({ json }) => json);
}

/** Polls once. If the list cannot be read on from where the last poll ended, it is read again from the beginning. */
async function pollOnce(context: Poll['context'], staticData: IDataObject): Promise<IDataObject[]> {
	let poll = await pollOf(context, staticData);
	const { scan } = poll.memory;
	const items = await readOn(poll).catch(async (error: unknown) => {
		if (!scan || (error instanceof Failure && error.told.status !== 200 && !isRefusal(error))) throw error;
		poll = await pollOf(context, staticData);
		poll.memory.scan = { ...scan, position: BEGINNING, page: [] };
		return await readOn(poll);
	});
	writeMemory(staticData, poll.memory);
	return items;
}

/** Returns the item for *Fetch Test Event*: the newest record that passes the filters. */
async function sample(context: Poll['context']): Promise<IDataObject> {
	const poll = await pollOf(context, {});
	// Everything is new.
	poll.memory.floor = 1;
	const { value = [] } = await differences(poll).next();
	const newest = (value as News[]).sort((a, b) => b.key - a.key).slice(0, MAX_SAMPLES);
	for (const one of newest) {
		const last = (await toldOf(poll, { ...one, kind: 'changed' })).at(-1);
		if (last) return last.json;
	}
	const words = poll.watch.expand ? 'change of consent' : poll.watch.noun;
	const description = `None of the ${newest.length} newest records fits. Make a change in your account or remove a filter, then fetch again.`;
	throw new NodeOperationError(context.getNode(), `There is no ${words} to show yet`, { description });
}

const polling = new ProcessMemory<true>();

/**
 * Polls the service for a node, unless an earlier poll goes on. *Fetch Test Event* returns a sample, and remembers nothing.
 *
 * @returns null if nothing has happened
 * @throws NodeApiError or NodeOperationError when a poll fails. The next poll then reads the same again
 */
export async function poll(node: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const { context } = new Api(node);
	const isManual = context.getMode() === 'manual';
	const key = nodeKey(context);
	if (!isManual && polling.get(key)) {
		context.logger.info(`"${context.getNode().name}" did not poll, because its last poll goes on`);
		return null;
	}
	if (!isManual) polling.set(key, true);
	try {
		if (isManual) return [[{ json: await sample(context) }]];
		const items = await pollOnce(context, context.getWorkflowStaticData('node'));
		return items.length > 0 ? [items.map((json) => ({ json }))] : null;
	} catch (error) {
		// Nothing more is sent.
		context.api.end();
		throw nodeErrorOf(context, error);
	} finally {
		if (!isManual) polling.delete(key);
	}
}
