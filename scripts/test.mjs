// npm test, npm run test:all, test:n8n and test:queue. Plain JavaScript up to the point where everything is installed.
//
//   node scripts/test.mjs <suite> [projects of the suite] [arguments of jest]
//
// Where a suite checks style or types too, it does so beside its tests. Named projects of a suite are run alone, without that.
import { readFileSync } from 'node:fs';

import { installN8n, installProject } from './install.mjs';
import { checkInstalled, endWith, SetupProblem } from './installed.mjs';
import { build, jest, runTool, types } from './tools.mjs';

/** The projects of jest (jest.config.js) that each suite runs. */
const SUITES = JSON.parse(readFileSync(new URL('suites.json', import.meta.url), 'utf8'));

/** Projects beside which more is checked: style and types, or the types of what is installed for them alone. */
const CHECKED_BESIDE = {
	quick: { what: 'Style and types', failed: 'style or types', by: () => ['node', 'scripts/lint.mjs'] },
	e2e: { what: 'Types', failed: 'types', by: types },
};

/** Where n8n itself has to be there. */
const NEEDS_N8N = ['e2e', 'browser', 'queue'];

async function installWithN8n() {
	checkInstalled();
	await installN8n();
}

/** Runs a check in the background. Its words come as one block, and last on a screen that jest writes over. */
function checkBeside({ what, by }) {
	console.log(`${what} are checked beside the tests.`);
	const checked = runTool(by(), {
		all: true,
		env: { ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
	}).then(({ isDone, output }) => ({ isDone, block: `\n${output.trim()}\n` }));
	if (process.stderr.isTTY) return async () => print(await checked);
	const printed = checked.then(print);
	return async () => await printed;
}

function print({ isDone, block }) {
	console.log(block);
	return isDone;
}

async function test([suite, ...given]) {
	const projects = SUITES[suite];
	const needsN8n = projects.some((one) => NEEDS_N8N.includes(one));
	const firstOther = given.findIndex((one) => !projects.includes(one));
	const named = firstOther === -1 ? given : given.slice(0, firstOther);
	const chosen = ['--selectProjects', ...(named.length > 0 ? named : projects)];

	await (needsN8n ? installWithN8n() : installProject());
	const beside = (named.length === 0 || needsN8n) && CHECKED_BESIDE[named[0] ?? projects[0]];
	const isClean = beside ? checkBeside(beside) : async () => true;
	const failed = [];
	try {
		await build();
		const { isDone } = await runTool(jest(...given.slice(named.length), ...chosen));
		if (!isDone) failed.push('tests');
	} finally {
		if (!(await isClean())) failed.push(beside.failed);
	}
	if (failed.length > 0) throw new SetupProblem(`Failed: ${failed.join(', and ')} (see above).`);
}

try {
	await test(process.argv.slice(2));
} catch (error) {
	endWith(error);
}
