// npm run freeze:workflows [-- VERSION]: freezes what the nodes of a version do, before it is released (docs/compatibility.md).
import '../test/jest/engineSettings.js';

import { readFileSync } from 'node:fs';
import path from 'node:path';

import { freeze } from '../test/compatibility/freeze.mts';

const root = path.resolve(import.meta.dirname, '..');
const { version: current } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
	version: string;
};
const [version = current] = process.argv.slice(2);

freeze(version).then(
	({ earlier, kept, frozen }) => {
		console.log(`${version}: ${frozen.length} nodes frozen, ${kept} kept, ${earlier} of earlier versions.`);
		for (const name of frozen) console.log(`  ${name}`);
	},
	(error: Error) => {
		console.error(error.message);
		process.exitCode = 1;
	},
);
