import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { fileOf, namesIn } from '../openFailures/openFailures.mts';

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

/** The name under which one value of one dimension is known to fail. It stays the same from run to run. */
export function traitName(group: Group, dimension: string, value: number | string): string {
	const shown = isAboutRefusals(dimension) ? (REFUSAL_GROUPS[group] ?? 'write') : group;
	return `${shown}: ${dimension}: ${value}`;
}

/** The traits of which it is known that tenants with them are not served well. */
export function openTraits(): ReadonlySet<string> {
	const file = path.resolve(import.meta.dirname, '../..', fileOf('tenants'));
	return new Set(existsSync(file) ? namesIn(readFileSync(file, 'utf8')) : []);
}

/** A space without the values of which it is known that they fail. */
export function holdingPart<Space extends object>(group: Group, space: Space): Space {
	const open = openTraits();
	const holding = Object.entries(space).map(([dimension, values]: [string, Array<number | string>]) => [
		dimension,
		values.filter((value) => !open.has(traitName(group, dimension, value))),
	]);
	return Object.fromEntries(holding) as Space;
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
