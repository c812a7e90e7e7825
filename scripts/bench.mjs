// npm run bench: the package beside n8n's own nodes. `npm run bench -- queue` measures this alone, and
// `-- smoke` a little of it beside the last release.
import { installN8n } from './install.mjs';
import { checkInstalled, endWith } from './installed.mjs';
import { build, runTool } from './tools.mjs';

const MEASURES = {
	queue: 'test/n8n/queue/measure.mts',
	smoke: 'test/bench/smoke.mts',
};

try {
	const given = process.argv.slice(2);
	const isNamed = Object.hasOwn(MEASURES, given[0] ?? '');
	checkInstalled();
	await installN8n();
	await build();
	const { isDone } = await runTool(
		isNamed ? ['tsx', MEASURES[given[0]], ...given.slice(1)] : ['tsx', 'test/bench/main.mts', ...given],
	);
	if (!isDone) process.exitCode = 1;
} catch (error) {
	endWith(error);
}
