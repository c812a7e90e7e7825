import { createRequire } from 'node:module';

import packageJson from '../../package.json';
import { readDocument } from './markdown.mts';

/** Scripts of package.json that print figures for a person and hold nothing. */
const MEASURES = /^(bench|mutation|.*:(measure|mutation))$/;

/** Scripts that make something, or ask a tenant. Those whose result is committed have tests of their own. */
const MAKERS =
	/^(start|sandbox|build|package|format|schemas|matrix|stored:parameters|freeze:workflows|docs:operations|contract:types|tenant:check|tenant:proxy|jest)$/;

const scripts: Record<string, string> = packageJson.scripts;

/** The commands that CI executes, with those that they are made of. */
function executed(command: string, seen = new Set<string>()): Set<string> {
	for (const [, name] of command.matchAll(/npm (?:run )?(test\b(?!:)|[\w:]+)/g)) {
		if (seen.has(name) || !(name in scripts)) continue;
		seen.add(name);
		executed(scripts[name], seen);
	}
	return seen;
}

const { projects: jestProjects } = createRequire(import.meta.filename)('../../jest.config.js') as {
	projects: Array<{ displayName: string }>;
};

/** The projects of jest that a command runs, each with all of its tests. */
const wholeProjects = (command: string): string[] =>
	/npm run jest -- (?:--maxWorkers=\S+ )?--selectProjects ([\w ]+)$/.exec(command)?.[1].split(' ') ?? [];

const steps = [...readDocument('.ci/run').matchAll(/^(?:step|beside) (.+)$/gm)].map(([, step]) => step);

it('CI executes every suite that CONTRIBUTING names', () => {
	const table = readDocument('CONTRIBUTING.md').split('\n## Suites\n')[1].split('\n## ')[0];
	const named = [...table.matchAll(/^\| `npm (?:run )?([\w:]+)`/gm)].map(([, name]) => name);
	expect(named).toEqual(expect.arrayContaining(['test', 'test:e2e', 'test:fresh', 'scan']));
	const inCi = executed(steps.join('\n'));
	// A command that only runs a project of jest is also executed where another one runs that project as a whole.
	const whole = new Set([...inCi].flatMap((name) => wholeProjects(scripts[name])));
	const isExecuted = (name: string) =>
		inCi.has(name) || wholeProjects(scripts[name]).some((project) => whole.has(project));
	const missing = named.filter((name) => !MEASURES.test(name) && !MAKERS.test(name) && !isExecuted(name));
	expect(missing).toEqual([]);
});

it('CONTRIBUTING names every suite', () => {
	const document = readDocument('CONTRIBUTING.md');
	const suites = Object.keys(scripts).filter((name) => /^test/.test(name));
	expect(
		suites.filter((name) => !document.includes(`npm ${name === 'test' ? '' : 'run '}${name}\``)),
	).toEqual([]);
});

it('CI executes every project of jest, and on both generations what the documents say of both', () => {
	const commands = steps.flatMap((step) => [step, ...[...executed(step)].map((name) => scripts[name])]);
	const projects = new Set(commands.flatMap(wholeProjects));
	expect([...projects].sort()).toEqual(jestProjects.map(({ displayName }) => displayName).sort());
	expect(steps.filter((step) => step.includes('N8N_GENERATION=1'))).toHaveLength(2);
});

it('CI leaves no step out', () => {
	const conditional = readDocument('.ci/run')
		.split('\n')
		.filter((line) => /\bstep npm\b|\bstep env\b/.test(line) && !line.startsWith('step '));
	expect(conditional).toEqual([]);
	// What runs beside the steps counts as well.
	const [begun, ended] = [/^beside /gm, /^step wait_for_beside$/gm].map(
		(line) => [...readDocument('.ci/run').matchAll(line)].length,
	);
	expect(begun).toBe(ended);
});
