import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { changedSinceRelease, isReleased } from './released.mts';

it('the frozen workflows of every released version are as they were released', () => {
	expect(changedSinceRelease(path.resolve(import.meta.dirname, '../..'))).toEqual([]);
});

describe('in a project with a release', () => {
	let project: string;

	const git = (...args: string[]) =>
		execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@tenant.example', ...args], {
			cwd: project,
		});
	const write = (file: string, text: string) => {
		mkdirSync(path.dirname(path.join(project, file)), { recursive: true });
		writeFileSync(path.join(project, file), text);
	};
	const commit = (message: string) => {
		git('add', '--all');
		git('commit', '--quiet', '--message', message);
	};
	const FOLDER = 'test/compatibility/0.1.0';

	beforeEach(() => {
		project = mkdtempSync(path.join(tmpdir(), 'released-'));
		git('init', '--quiet');
		write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n- All of it\n');
		write(`${FOLDER}/tag.runs.json`, '{"frozen":"early"}\n');
		commit('Make it');
		write(`${FOLDER}/tag.runs.json`, '{"frozen":"at last"}\n');
		write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-05\n\n- All of it\n');
		commit('Release 0.1.0');
	});

	afterEach(() => rmSync(project, { recursive: true }));

	it('nothing is found where nothing was done, and what was done before its release does not count', () => {
		write('test/compatibility/0.2.0/tag.runs.json', '{}\n');
		commit('Go on');
		expect(changedSinceRelease(project)).toEqual([]);
		expect([isReleased(project, '0.1.0'), isReleased(project, '0.2.0')]).toEqual([true, false]);
	});

	it.each([
		['a change', () => write(`${FOLDER}/tag.runs.json`, '{"frozen":"anew"}\n')],
		[
			'a change in a commit',
			() => (write(`${FOLDER}/tag.runs.json`, '{"frozen":"anew"}\n'), commit('Change')),
		],
		['a file that is gone', () => rmSync(path.join(project, FOLDER), { recursive: true })],
	])('%s is found', (_what, act) => {
		act();
		expect(changedSinceRelease(project)).toEqual([
			`${FOLDER}/tag.runs.json is not as it was released: put it back`,
		]);
	});

	it('a file that was added is found', () => {
		write(`${FOLDER}/more.runs.json`, '{}\n');
		expect(changedSinceRelease(project)).toEqual([
			`${FOLDER}/more.runs.json is not as it was released: put it back`,
		]);
	});

	it('a pre-release needs none', () => {
		write('CHANGELOG.md', '# Changelog\n\n## [0.2.0-beta.0] - 2026-02-05\n\n## [0.1.0] - 2026-01-05\n');
		commit('Release 0.2.0-beta.0');
		expect(changedSinceRelease(project)).toEqual([]);
	});

	it('a release without frozen workflows is found', () => {
		write('CHANGELOG.md', '# Changelog\n\n## [0.2.0] - 2026-02-05\n\n## [0.1.0] - 2026-01-05\n');
		commit('Release 0.2.0');
		expect(changedSinceRelease(project)).toEqual([
			'test/compatibility/0.2.0 is missing: 0.2.0 was released without it',
		]);
	});
});
