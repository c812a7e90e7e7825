import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** At most so many names are printed: a list of hundreds hides what it is about. */
const MAX_PRINTED = 20;

/** Takes out of the lists what no longer fails; it never adds anything. */
const shrinks = process.env.SHRINK_OPEN_FAILURES === '1';

/** The file of a list, from the root of the project. */
export const fileOf = (list: string) => `test/openFailures/${list}.txt`;

const pathOf = (list: string) => path.resolve(import.meta.dirname, '../..', fileOf(list));

/** The names in the text of a list; empty lines and those that begin with # are for people. */
export function namesIn(text: string): string[] {
	return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

function printed(names: string[], lineOf: (name: string) => string): string {
	const more = names.length > MAX_PRINTED ? [`… and ${names.length - MAX_PRINTED} more`] : [];
	return [...names.slice(0, MAX_PRINTED).map(lineOf), ...more].join('\n');
}

/**
 * Holds what an instrument found against the list of what is known to fail. The list has to name exactly that, so that
 * nothing new fails unseen and nothing that was mended can fail again.
 *
 * @param list name of the list in `test/openFailures`; without a file nothing may fail
 * @param found what fails, by a name that stays the same from run to run, with the reason
 * @throws Error that names what is new and what is mended
 */
export function expectOnlyOpenFailures(list: string, found: ReadonlyMap<string, string>): void {
	const file = pathOf(list);
	const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
	const open = new Set(namesIn(text));
	const fresh = [...found.keys()].filter((name) => !open.has(name));
	const mended = [...open].filter((name) => !found.has(name));
	if (shrinks && mended.length > 0) {
		const kept = text.split('\n').filter((line) => !mended.includes(line));
		writeFileSync(file, kept.join('\n'));
	}
	const problems = [
		...(fresh.length > 0
			? [`${fresh.length} new failures:\n${printed(fresh, (name) => `${name}\n    ${found.get(name)}`)}`]
			: []),
		...(mended.length > 0 && !shrinks
			? [
					`${mended.length} are mended; take them out of ${fileOf(list)} (SHRINK_OPEN_FAILURES=1 does it):\n${printed(mended, (name) => name)}`,
				]
			: []),
	];
	if (problems.length > 0) throw new Error(problems.join('\n\n'));
}
