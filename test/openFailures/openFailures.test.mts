import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expectOnlyOpenFailures, fileOf, namesIn } from './openFailures.mts';

const projectFolder = path.resolve(import.meta.dirname, '../..');
const git = (...words: string[]) => execFileSync('git', words, { cwd: projectFolder, encoding: 'utf8' });
const lists = readdirSync(import.meta.dirname)
	.filter((name) => name.endsWith('.txt'))
	.map((name) => path.basename(name, '.txt'));

/** The names of a list as they are now, and as they were in each commit that changed it, the newest first. */
function versionsOf(list: string): Array<{ commit: string; names: Set<string> }> {
	const file = fileOf(list);
	const commits = git('log', '--first-parent', '--format=%h', '--diff-filter=AM', '--', file)
		.split('\n')
		.filter(Boolean);
	return [
		{ commit: 'the working copy', text: readFileSync(path.join(projectFolder, file), 'utf8') },
		...commits.map((commit) => ({ commit, text: git('show', `${commit}:${file}`) })),
	].map(({ commit, text }) => ({ commit, names: new Set(namesIn(text)) }));
}

it('the lists have only become shorter since they were first committed', () => {
	const grown = lists.flatMap((list) => {
		const versions = versionsOf(list);
		return versions.slice(0, -1).flatMap(({ commit, names }, index) => {
			const before = versions[index + 1].names;
			return [...names].filter((name) => !before.has(name)).map((name) => `${list}: ${commit} adds ${name}`);
		});
	});
	expect(grown.slice(0, 20)).toEqual([]);
});

it('the lists name each failure once, in order', () => {
	for (const list of lists) {
		const names = namesIn(readFileSync(path.join(projectFolder, fileOf(list)), 'utf8'));
		expect({ list, names }).toEqual({ list, names: [...new Set(names)].sort() });
	}
});

it('a failure that is on no list fails, with its reason', () => {
	expect(() => expectOnlyOpenFailures('none', new Map([['profile: get', 'no request']]))).toThrow(
		'1 new failures:\nprofile: get\n    no request',
	);
	expect(() => expectOnlyOpenFailures('none', new Map())).not.toThrow();
});
