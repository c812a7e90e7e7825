import path from 'node:path';

import { execa } from 'execa';

const projectFolder = path.resolve(import.meta.dirname, '../..');

/** What jest does with the environment of a test file that leaves a timer for a moment. */
const SCRIPT = `
	const Environment = require('./test/jest/nodeEnvironment.js');
	const projectConfig = { globals: {}, testEnvironmentOptions: {} };
	const environment = new Environment({ globalConfig: {}, projectConfig }, { console });
	setTimeout(() => {}, 20);
	environment.teardown().then(() => console.log('results'));
`;

it('a test file that leaves a timer for a moment has results, where nothing else keeps the process', async () => {
	const { stdout } = await execa(process.execPath, ['--eval', SCRIPT], { cwd: projectFolder });
	expect(stdout).toBe('results');
});
