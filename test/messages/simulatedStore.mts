/**
 * n8n's store for one node, without hashes. As there, each call reads the list, changes it and writes it as a whole.
 *
 * @param meanwhile what goes on between reading and writing; nothing if it is left out
 */
export function simulatedStore(meanwhile?: () => Promise<unknown>) {
	let list: string[] = [];
	return {
		get size() {
			return list.length;
		},
		fill(count: number) {
			list = Array.from({ length: count }, (_, index) => `old ${index}`);
		},
		has: (entry: string) => list.includes(entry),
		async checkProcessedAndRecord(given: unknown[], _scope: string, options: { maxEntries?: number }) {
			const read = [...list];
			const known = new Set(read);
			const added = given.map(String).filter((entry) => !known.has(entry));
			for (const entry of added) read.push(entry);
			if (options.maxEntries) read.splice(0, read.length - options.maxEntries);
			if (meanwhile) await meanwhile();
			list = read;
			return { new: added, processed: given.map(String).filter((entry) => known.has(entry)) };
		},
		async removeProcessed(given: unknown[]) {
			const removed = new Set(given.map(String));
			const read = list.filter((entry) => !removed.has(entry));
			if (meanwhile) await meanwhile();
			list = read;
		},
		async getProcessedDataCount() {
			return list.length;
		},
	};
}
