import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { projectFolder, readDocument } from './markdown.mts';

const table = readDocument('docs/maintainers/attacks.md');
const rows = [...table.matchAll(/^\| [^|]+ \| [^|]+ \| `([\w./-]+\.test\.mts)`: ([^|]+) \|$/gm)].map(
	([, file, name]) => ({ file, name: name.trim() }),
);

it('every attack names a test that exists', () => {
	expect(rows.length).toBeGreaterThan(15);
	expect(rows.length).toBe(table.split('\n').filter((line) => line.startsWith('| ')).length - 2);
	const missing = rows.filter(({ file, name }) => {
		const found = path.join(projectFolder, file);
		return !existsSync(found) || !readFileSync(found, 'utf8').includes(name);
	});
	expect(missing).toEqual([]);
});
