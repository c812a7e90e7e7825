import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expectNone } from '../engine/expectNone.mts';
import { storedParameters } from './storedParameters.mts';

const FILE = path.join(import.meta.dirname, 'storedParameters.txt');

const SAID = 'test/compatibility/storedParameters.txt';

it('what saved workflows rely on is as it was released', async () => {
	const committed = readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
	const now = await storedParameters();
	expectNone([
		...committed
			.filter((line) => !now.includes(line))
			.map((line) => `${SAID}: saved workflows rely on "${line}", which is gone; put it back`),
		...now
			.filter((line) => !committed.includes(line))
			.map((line) => `${SAID}: "${line}" is new; run npm run generate`),
	]);
	expect(now).toEqual(committed);
});
