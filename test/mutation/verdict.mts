/** A change of a source: what tells it from others when lines move. */
export interface Change {
	file: string;
	original: string;
	replacement: string;
}

/** A change as StrykerJS has tried it. */
export interface Mutant extends Change {
	line: number;
	status: string;
}

interface Place {
	line: number;
	column: number;
}

/** What is read of a report of StrykerJS. */
export interface MutationReport {
	files: Record<
		string,
		{
			source: string;
			mutants: Array<{ status: string; location: { start: Place; end: Place }; replacement?: string }>;
		}
	>;
}

/** How StrykerJS calls a mutant that a test noticed. One that only made tests wait may be slow, and nothing else. */
const NOTICED = ['Killed'];
const UNNOTICED = ['Survived', 'NoCoverage', 'Timeout'];

const isTried = ({ status }: Mutant) => [...NOTICED, ...UNNOTICED].includes(status);

const isSame = (one: Change) => (other: Change) =>
	other.file === one.file && other.original === one.original && other.replacement === one.replacement;

/** Takes each entry for one mutant, so that it hides no other one of the same text. */
function matcher<T extends Change>(equivalents: T[]) {
	const unused = [...equivalents];
	const isListed = (mutant: Change) => {
		const index = unused.findIndex(isSame(mutant));
		return index >= 0 && unused.splice(index, 1).length > 0;
	};
	return { isListed, unused };
}

/** The text that a mutant replaces. */
function replacedText(source: string, { start, end }: { start: Place; end: Place }): string {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	lines.push(lines.pop()?.slice(0, end.column - 1) ?? '');
	lines[0] = lines[0].slice(start.column - 1);
	return lines.join('\n');
}

/** Each mutant of a report of StrykerJS but those of texts, with what tells it from others when lines move. */
export function mutantsOf({ files }: MutationReport): Mutant[] {
	return Object.entries(files).flatMap(([file, { source, mutants }]) =>
		mutants
			.filter(({ status }) => status !== 'Ignored')
			.map(({ status, location, replacement = '' }) => ({
				file,
				line: location.start.line,
				original: replacedText(source, location),
				replacement,
				status,
			})),
	);
}

/**
 * What the tests make of mutants.
 *
 * @param chosen the mutants that count: all of them, or a sample
 * @param equivalents mutants that no test can tell from the original
 */
export function verdict(chosen: Mutant[], equivalents: Change[]) {
	const tried = chosen.filter(isTried);
	const { isListed } = matcher(equivalents);
	const counted = tried.filter((mutant) => NOTICED.includes(mutant.status) || !isListed(mutant));
	return { counted: counted.length, unnoticed: counted.filter(({ status }) => UNNOTICED.includes(status)) };
}

/** The entries that name no mutant of the files that were mutated: their code is another one or gone. */
export function staleEntries<T extends Change>(mutants: Mutant[], equivalents: T[]): T[] {
	const mutated = new Set(mutants.map(({ file }) => file));
	const { isListed, unused } = matcher(equivalents.filter(({ file }) => mutated.has(file)));
	for (const mutant of mutants) isListed(mutant);
	return unused;
}
