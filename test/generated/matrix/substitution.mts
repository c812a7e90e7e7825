import type { Kind } from './kinds.mts';

/** What a sample looks like on the wire. */
function wireOf(kind: Kind, sample: unknown): string {
	if (kind === 'phone') return String(sample).replace(/\D/g, '');
	return String(Array.isArray(sample) ? sample[0] : sample);
}

/** One element of a set, made from the element that stands for the sample. */
function elementFor(
	kind: Kind,
	element: unknown,
	sample: string,
	member: unknown,
	titles: string[],
): unknown {
	const known = kind === 'tag titles' ? titles.indexOf(String(member)) : -1;
	// A title that the tenant has goes out as the ID of its tag.
	if (known >= 0) return { id: known + 1, title: null };
	return replaced(element, sample, member, false);
}

const holds = (value: unknown, sample: string) => JSON.stringify(value)?.includes(sample) ?? false;

const withinText = (value: unknown) => (value === null || typeof value !== 'object' ? String(value) : '');

/** A value with what stands for the sample replaced, wherever it is; a key that is the sample is renamed. */
function replaced(value: unknown, sample: string, other: unknown, inPath: boolean): unknown {
	if (value === sample) return typeof other === 'number' && inPath ? String(other) : other;
	if (typeof value === 'number' && String(value) === sample) return other;
	if (typeof value === 'string') {
		if (!value.includes(sample)) return value;
		const text = withinText(other);
		return value.replaceAll(sample, inPath ? encodeURIComponent(text) : text);
	}
	if (Array.isArray(value)) return value.map((element) => replaced(element, sample, other, inPath));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name === sample ? withinText(other) : name,
			replaced(member, sample, other, inPath),
		]),
	);
}

/** A value in which the elements of a set that stand for the sample are replaced by others. */
function replacedElements(
	kind: Kind,
	value: unknown,
	sample: string,
	members: unknown[],
	titles: string[],
): unknown {
	if (Array.isArray(value)) {
		const made = value.flatMap((element: unknown) => {
			if (!holds(element, sample)) return [element];
			const isElement =
				typeof element !== 'object' ||
				element === null ||
				Object.values(element).some((member) => String(member) === sample);
			return isElement
				? members.map((member) => elementFor(kind, element, sample, member, titles))
				: [replacedElements(kind, element, sample, members, titles)];
		});
		return made.filter(
			(element, index) =>
				made.findIndex((other) => JSON.stringify(other) === JSON.stringify(element)) === index,
		);
	}
	if (typeof value === 'string') return value === sample ? members.join(',') : value;
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, member]) => [
			name,
			replacedElements(kind, member, sample, members, titles),
		]),
	);
}

/** Whether the sample of a parameter can be found in what went out or came back. */
export const shows = (kind: Kind, sample: unknown, parts: object[]) => holds(parts, wireOf(kind, sample));

/**
 * What would go out if the parameter had another value, made from what goes out for its sample.
 *
 * @param parts requests or items of the exchange in which the parameter has its sample
 * @param other the value as it should stand on the wire, or the members of a set
 * @param titles of the tenant's tags, in the order of their IDs
 */
export function substituted<T extends object>(
	kind: Kind,
	sample: unknown,
	parts: T[],
	other: unknown,
	titles: string[],
): T[] {
	const wire = wireOf(kind, sample);
	const members = kind === 'id set' || kind === 'tag titles' ? (other as unknown[]) : undefined;
	return parts.map((part) => {
		const inside = members
			? replacedElements(kind, part, wire, members, titles)
			: replaced(part, wire, other, false);
		return {
			...(inside as T),
			...('path' in part && { path: replaced(part.path, wire, other, true) }),
		};
	});
}
