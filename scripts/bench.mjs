// npm run bench: the package beside n8n's own nodes.
import { installN8n } from './install.mjs';
import { checkInstalled, endWith } from './installed.mjs';
import { build, runTool } from './tools.mjs';

try {
	checkInstalled();
	await installN8n();
	await build();
	const { isDone } = await runTool(['tsx', 'test/bench/main.mts', ...process.argv.slice(2)]);
	if (!isDone) process.exitCode = 1;
} catch (error) {
	endWith(error);
}
