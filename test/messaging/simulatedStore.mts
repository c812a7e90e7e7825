/** n8n's store for one node, without hashes and without time. */
export function simulatedStore() {
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
			const known = new Set(list);
			const added = given.map(String).filter((entry) => !known.has(entry));
			for (const entry of added) list.push(entry);
			if (options.maxEntries) list.splice(0, list.length - options.maxEntries);
			return { new: added, processed: given.map(String).filter((entry) => known.has(entry)) };
		},
		async removeProcessed(given: unknown[]) {
			const removed = new Set(given.map(String));
			list = list.filter((entry) => !removed.has(entry));
		},
		async getProcessedDataCount() {
			return list.length;
		},
	};
}
