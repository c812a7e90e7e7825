import { readFileSync } from 'node:fs';
import path from 'node:path';

import { storedParameters } from './storedParameters.mts';

const FILE = path.join(import.meta.dirname, 'storedParameters.txt');

it('what saved workflows rely on is as it was released (npm run stored:parameters writes it)', async () => {
	const committed = readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
	const now = await storedParameters();
	const changed = [
		...committed.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
		...now.filter((line) => !committed.includes(line)).map((line) => `+ ${line}`),
	];
	expect(changed.slice(0, 20)).toEqual([]);
	expect(now).toEqual(committed);
});
