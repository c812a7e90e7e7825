// npm run release calls this: freezes what the nodes of a version do, before it is released (docs/maintainers/node-versions.md). Of a
// pre-release it freezes nothing: what that promises is still tried.
import '../test/jest/engineSettings.js';

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { freeze } from '../test/compatibility/freeze.mts';

const root = path.resolve(import.meta.dirname, '..');
const { version: current } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	version: string;
};
const [version = current] = process.argv.slice(2);

const frozen = version.includes('-') ? Promise.resolve(undefined) : freeze(version);
frozen.then(
	(done) => {
		if (!done) return console.log(`${version} is a pre-release: nothing is frozen.`);
		const { earlier, kept, frozen: names } = done;
		console.log(`${version}: ${names.length} nodes frozen, ${kept} kept, ${earlier} of earlier versions.`);
		for (const name of names) console.log(`  ${name}`);
	},
	(error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	},
);
