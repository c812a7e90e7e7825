import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expectNone } from '../engine/expectNone.mts';
import equivalents from './equivalents.json';
import { folders } from './folders.mts';
import { mutantsOf, staleEntries, verdict } from './verdict.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A report of StrykerJS about one line of a file. */
const reportOf = (...statuses: string[]) => ({
	files: {
		'nodes/one.ts': {
			source: "first();\nif (isOpen && isOwn) send('x');\n",
			mutants: statuses.map((status) => ({
				status,
				location: { start: { line: 2, column: 5 }, end: { line: 2, column: 20 } },
				replacement: 'true',
			})),
		},
	},
});

const ENTRY = { file: 'nodes/one.ts', original: 'isOpen && isOwn', replacement: 'true' };

describe('a mutant', () => {
	it('is told by its file, the text it replaces and what stands there instead', () => {
		expect(mutantsOf(reportOf('Killed'))).toEqual([{ ...ENTRY, line: 2, status: 'Killed' }]);
	});

	it.each([
		['Killed', 1, 0],
		['Survived', 1, 1],
		['NoCoverage', 1, 1],
		['Timeout', 1, 1],
		// Not in the sample, or a text for people.
		['CompileError', 0, 0],
		['Ignored', 0, 0],
	])('that StrykerJS calls %s counts %d times, and %d times as unnoticed', (status, counted, unnoticed) => {
		const result = verdict(mutantsOf(reportOf(status)), []);
		expect([result.counted, result.unnoticed.length]).toEqual([counted, unnoticed]);
	});

	it('that is listed as equivalent does not count, and hides no second one', () => {
		const result = verdict(mutantsOf(reportOf('Survived', 'Timeout', 'Killed')), [ENTRY]);
		expect([result.counted, result.unnoticed.map(({ status }) => status)]).toEqual([2, ['Timeout']]);
	});
});

describe('an entry of equivalents.json', () => {
	it.each([
		['of another text', { ...ENTRY, original: 'isOpen' }],
		['of another replacement', { ...ENTRY, replacement: 'false' }],
	])('%s is stale', (_what, entry) => {
		expect(staleEntries(mutantsOf(reportOf('Killed')), [ENTRY, entry])).toEqual([entry]);
	});

	it('that stands there more often than its mutant is stale', () => {
		expect(staleEntries(mutantsOf(reportOf('Survived')), [ENTRY, ENTRY])).toEqual([ENTRY]);
	});

	it('is not stale where its mutant is noticed or not in the sample, or where its file was not mutated', () => {
		const entries = [ENTRY, ENTRY, { ...ENTRY, file: 'nodes/other.ts' }];
		expect(staleEntries(mutantsOf(reportOf('Killed', 'CompileError')), entries)).toEqual([]);
	});

	it('names code that is there, and a reason', () => {
		const textOf = (file: string) =>
			existsSync(path.join(ROOT, file)) ? readFileSync(path.join(ROOT, file), 'utf8') : '';
		expectNone(
			equivalents
				.filter(({ file, original, reason }) => reason === '' || !textOf(file).includes(original))
				.map(({ file, original }) => `test/mutation/equivalents.json: ${file} has no ${original}`),
		);
	});
});

it('every pattern of the folders that are mutated finds sources or tests', () => {
	const finds = (pattern: string) =>
		execFileSync('git', ['ls-files', '--', `:(glob)${pattern}`], { cwd: ROOT, encoding: 'utf8' }) !== '';
	const patterns = Object.values(folders).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
	expectNone(
		[...new Set(patterns.map((pattern) => pattern.replace('!', '')))]
			.filter((pattern) => !finds(pattern))
			.map((pattern) => `test/mutation/folders.mts: ${pattern} finds nothing`),
	);
});
