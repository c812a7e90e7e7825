type Names = Partial<Record<string, string>>;

const namers = new WeakMap<object, () => Names>();

/** A longer path is no member of a request. */
const MAX_PATH = 200;

const plain = (path: string) => path.replace(/[_-]/g, '').toLowerCase();

/**
 * Tells under which names the editor shows the members that the requests of a context write.
 *
 * @param names returns the names by member. It is called only for an error
 */
export function nameFields(context: object, names: () => Names): void {
	namers.set(context, names);
}

/**
 * Returns the editor's name of a field that the service names, e.g. "Phone Number" for `customers.3.display_id`, with its
 * place in a list; the service's own name if the editor shows no such field.
 */
export function fieldName(context: object, path: string): string {
	const names = path.length > MAX_PATH ? {} : (namers.get(context)?.() ?? {});
	const byPath = new Map(Object.entries(names).map(([member, name]) => [plain(member), name]));
	const steps = path.split(/[./[\]]+/).filter((step) => step !== '');
	const isPlace = (step: string) => /^\d+$/.test(step);
	const place = steps.findIndex(isPlace);
	const entry = place < 0 ? '' : ` (entry ${Number(steps[place]) + 1})`;
	for (let start = 0; start < steps.length; start++) {
		for (let end = steps.length; end > start; end--) {
			const part = steps.slice(start, end);
			const exact = byPath.get(plain(part.join('.')));
			if (exact !== undefined) return start <= place && place < end ? exact : `${exact}${entry}`;
			const name = byPath.get(plain(part.filter((step) => !isPlace(step)).join('.')));
			if (name !== undefined) return `${name}${entry}`;
		}
	}
	return path;
}
