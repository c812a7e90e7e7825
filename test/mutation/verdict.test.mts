import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { expectNone } from '../engine/expectNone.mts';
import equivalents from './equivalents.json';
import { folders } from './folders.mts';

const ROOT = path.resolve(import.meta.dirname, '../..');

it('an entry of equivalents.json names code that is there, and a reason', () => {
	const textOf = (file: string) =>
		existsSync(path.join(ROOT, file)) ? readFileSync(path.join(ROOT, file), 'utf8') : '';
	expectNone(
		equivalents
			.filter(({ file, original, reason }) => reason === '' || !textOf(file).includes(original))
			.map(({ file, original }) => `test/mutation/equivalents.json: ${file} has no ${original}`),
	);
});

it('every pattern of the folders that are mutated finds sources or tests', () => {
	const patterns = Object.values(folders).flatMap(({ mutate, tests }) => [...mutate, ...tests]);
	const given = patterns.map((pattern) => `:(glob)${pattern.replace('!', '')}`);
	const { stderr } = spawnSync('git', ['ls-files', '--error-unmatch', '--', ...given], { cwd: ROOT });
	expect(stderr.toString()).toBe('');
});
