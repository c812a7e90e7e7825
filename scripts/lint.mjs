// npm run lint: everything that is found without running the code. Each tool has its say, also after another one has failed.
import { checkInstalled, endWith, SetupProblem } from './installed.mjs';
import { CACHE, runTool, types, typesOfPackage } from './tools.mjs';

/** What is checked, and the tool for it. The caches go by the content of files, which a checkout does not change. */
const CHECKS = {
	types: types(),
	'types of the package, without those of a browser': typesOfPackage,
	"n8n's rules": ['n8n-node', 'lint'],
	'rules for all other files': [
		...['eslint', '--config', 'scripts/eslint.tools.config.mjs', '--max-warnings', '0'],
		...['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/eslint/`, '.'],
	],
	'format (mended by `npm run format`)': [
		...['prettier', '--check', '--log-level', 'warn'],
		...['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/prettier/cache`, '.'],
	],
};

async function lint() {
	const failed = [];
	for (const [what, tool] of Object.entries(CHECKS)) {
		const started = performance.now();
		const { isDone } = await runTool(tool);
		const seconds = ((performance.now() - started) / 1000).toFixed(1);
		console.log(`${isDone ? 'Checked' : 'FAILED'}: ${what} (${seconds} s)`);
		if (!isDone) failed.push(what);
	}
	if (failed.length > 0) throw new SetupProblem(`Lint failed: ${failed.join(', ')}.`);
}

try {
	checkInstalled();
	await lint();
} catch (error) {
	endWith(error);
}
