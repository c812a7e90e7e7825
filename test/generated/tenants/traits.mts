/** What is asked of a tenant; each has a space of its own. */
export type Group =
	| 'list of pages'
	| 'list at once'
	| 'read'
	| 'record'
	| 'message'
	| 'set'
	| 'deletion'
	| 'import'
	| 'mark all read';

/** Refusals are the same for all that lists, all that reads and all that writes. */
const REFUSAL_GROUPS: Partial<Record<Group, string>> = {
	'list of pages': 'list',
	'list at once': 'list',
	read: 'read',
};

/** Whether a dimension is about refusals. */
export const isAboutRefusals = (dimension: string) => dimension.startsWith('refused');

/** The name of one value of one dimension. */
export function traitName(group: Group, dimension: string, value: number | string): string {
	const shown = isAboutRefusals(dimension) ? (REFUSAL_GROUPS[group] ?? 'write') : group;
	return `${shown}: ${dimension}: ${value}`;
}

/** Each value of each dimension of a space by itself, with everything else as in the plainest one. */
export function singleValues<Space extends object>(
	space: Space,
	plainest: Space,
): Array<{ dimension: keyof Space & string; value: number | string; part: Space }> {
	const dimensions = Object.entries(space) as Array<[keyof Space & string, Array<number | string>]>;
	return dimensions.flatMap(([dimension, values]) =>
		values.map((value) => ({ dimension, value, part: { ...plainest, [dimension]: [value] } })),
	);
}
