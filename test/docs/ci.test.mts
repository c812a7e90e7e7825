import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { load } from 'js-yaml';

import packageJson from '../../package.json';
import suites from '../../scripts/suites.json';
import { expectNone } from '../engine/expectNone.mts';
import { folders } from '../mutation/folders.mts';
import { projectFolder, readDocument } from './markdown.mts';

const scripts: Record<string, string> = packageJson.scripts;
const projectsOf: Record<string, string[]> = suites;

const { projects: jestProjects } = createRequire(import.meta.filename)('../../jest.config.js') as {
	projects: Array<{ displayName: string }>;
};
const all = jestProjects.map(({ displayName }) => displayName).sort();

interface Run {
	projects: string[];
	/** Patterns of the files that are run; none for all of them. */
	patterns: string[];
}

/** The projects of jest that a command runs, with the files that it chooses among their tests. */
function runOf(command: string): Run {
	const [, name, given = ''] = /npm (?:run )?([\w:]+)(?: -- (.+))?$/.exec(command) ?? [];
	const suite = /^node scripts\/test\.mjs (\w+)$/.exec(scripts[name] ?? '')?.[1];
	if (suite === undefined) return { projects: [], patterns: [] };
	const args = given.split(' ').filter(Boolean);
	const named = args.filter((one) => projectsOf[suite].includes(one));
	return { projects: named.length > 0 ? named : projectsOf[suite], patterns: args.slice(named.length) };
}

/** The projects that some of these commands run with all of their tests. */
const runWhole = (commands: string[]) =>
	[...new Set(commands.map(runOf).flatMap((run) => (run.patterns.length > 0 ? [] : run.projects)))].sort();

const script = readDocument('.ci/run');
/** The commands of all steps, by name. */
const commandOf = new Map(
	[...script.matchAll(/^\t\[(\w+)\]='(.+)'$/gm)].map(([, name, command]) => [name, command]),
);
const [taken, begun, finished] = [
	/^step (?!finished )(\S+)$/gm,
	/^beside (\S+)/gm,
	/^step finished (\S+)$/gm,
].map((line) => [...script.matchAll(line)].map(([, text]) => text));
const commands = [...taken, ...begun].flatMap((name) => commandOf.get(name) ?? []);

describe('CI', () => {
	it('executes every project of jest as a whole', () => {
		expect(runWhole(commands)).toEqual(all);
	});

	it('repeats no project', () => {
		expect(commands.flatMap((command) => runOf(command).projects).sort()).toEqual(all);
	});

	it('executes every test script, but for what is made of others or belongs to the night', () => {
		const ofOthers = ['test:all', 'test:mutation'];
		expectNone(
			[...Object.keys(scripts).filter((name) => name.startsWith('test')), 'scan']
				.filter((name) => !ofOthers.includes(name))
				.filter((name) => !commands.some((one) => new RegExp(`npm (run )?${name}( --.*)?$`).test(one)))
				.map((name) => `.ci/run: npm run ${name} is missing`),
		);
	});

	it('leaves no step out, and waits for what runs beside the steps', () => {
		expect(commands.sort()).toEqual([...commandOf.values()].sort());
		expect(begun.length).toBeGreaterThan(0);
		expect([...begun].sort()).toEqual([...finished].sort());
	});
});

describe('the hosted CI', () => {
	it('executes the same steps', () => {
		const workflow = readDocument('.github/workflows/ci.yml');
		const hosted = workflow.matchAll(/^ +- (?:\{ name: (\w+)|run: bash \.ci\/run (\w+)$)/gm);
		expect([...hosted].map(([, suite, plain]) => suite ?? plain).sort()).toEqual(
			[...commandOf.keys()].sort(),
		);
	});

	it('cancels no run on main, neither one that runs nor one that waits', () => {
		const { concurrency } = load(readDocument('.github/workflows/ci.yml')) as {
			concurrency: Record<string, string>;
		};
		expect(concurrency).toEqual({
			group: expect.stringContaining("github.ref == 'refs/heads/main' && github.sha || github.ref"),
			'cancel-in-progress': "${{ github.ref != 'refs/heads/main' }}",
		});
	});

	it('mutates each folder within a week, a day each', () => {
		const nightly = readFileSync(path.join(projectFolder, '.github/workflows/nightly.yml'), 'utf8');
		const days = /folders=\(([\w ]+)\)/.exec(nightly)?.[1].split(' ') ?? [];
		expect(days).toHaveLength(7);
		expect([...new Set(days)].sort()).toEqual(Object.keys(folders).sort());
	});
});
