import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

const hashOf = (item: unknown) => createHash('md5').update(String(item)).digest('base64');

const contextOf = (scope: DeduplicationScope, { node, workflow }: ICheckProcessedContextData) =>
	`${workflow.id} ${scope === 'node' ? `n:${node?.id}` : ''}`;

/**
 * n8n's store of processed data, with lists in memory instead of rows of its database. As there, a list is read, changed
 * and written as a whole, and nothing keeps two writers apart.
 */
export class ProcessedData implements IDataDeduplicator {
	readonly lists = new Map<string, string>();

	/** How often the store was called, by function. */
	readonly calls: Record<string, number> = {};

	/** Fails a call where it throws. It comes between reading and writing. */
	meanwhile: (call: string, number: number) => Promise<void> | void = () => {};

	/** Milliseconds between reading and writing. */
	delay = 2;

	private constructor() {}

	/** The entries of the only list. */
	get entries(): string[] {
		const [list = '[]'] = this.lists.values();
		return JSON.parse(list) as string[];
	}

	/** Takes part of the store in the engine, empty before each test. */
	static inEachTest(): ProcessedData {
		const store = new ProcessedData();
		beforeEach(() => {
			store.lists.clear();
			for (const name of Object.keys(store.calls)) delete store.calls[name];
			store.meanwhile = () => {};
			Reflect.set(DataDeduplicationService, 'instance', undefined);
			void DataDeduplicationService.init(store);
		});
		return store;
	}

	private async read(call: string, context: string): Promise<string[] | undefined> {
		const list = this.lists.get(context);
		this.calls[call] = (this.calls[call] ?? 0) + 1;
		await setTimeout(this.delay);
		await this.meanwhile(call, this.calls[call]);
		return list === undefined ? undefined : (JSON.parse(list) as string[]);
	}

	async checkProcessedAndRecord(
		items: string[],
		scope: DeduplicationScope,
		data: ICheckProcessedContextData,
		{ maxEntries }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const context = contextOf(scope, data);
		const before = await this.read('check', context);
		if (!before && this.lists.has(context)) throw new Error('UNIQUE constraint failed: processed_data');
		const list = before ?? [];
		const known = new Set(list);
		const isKnown = (item: string) => known.has(hashOf(item));
		const added = items.filter((item) => !isKnown(item));
		list.push(...added.map(hashOf));
		if (maxEntries) list.splice(0, list.length - maxEntries);
		this.lists.set(context, JSON.stringify(list));
		return { new: added, processed: items.filter(isKnown) };
	}

	async removeProcessed(
		items: string[],
		scope: DeduplicationScope,
		data: ICheckProcessedContextData,
	): Promise<void> {
		const context = contextOf(scope, data);
		const list = (await this.read('remove', context)) ?? [];
		const removed = new Set(items.map(hashOf));
		this.lists.set(context, JSON.stringify(list.filter((entry) => !removed.has(entry))));
	}

	async clearAllProcessedItems(): Promise<void> {
		this.lists.clear();
	}

	async getProcessedDataCount(scope: DeduplicationScope, data: ICheckProcessedContextData): Promise<number> {
		return ((await this.read('count', contextOf(scope, data))) ?? []).length;
	}
}
