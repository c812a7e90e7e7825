import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVELOPES } from '../../sandbox/choices';
import { FAULT_KINDS } from '../../sandbox/faults';

const README = readFileSync(join(__dirname, '..', '..', 'sandbox', 'README.md'), 'utf8');

describe("the sandbox's README", () => {
	const rows = [...README.matchAll(/^\|[^|]*\| `([\w-]+\.test\.ts)`: (.+) \|$/gm)].map(([, file, name]) => ({
		file,
		name: name.trim(),
	}));

	test('every test that the table of rules names exists', () => {
		const missing = rows.filter(
			({ file, name }) => !readFileSync(join(__dirname, file), 'utf8').includes(name),
		);
		expect(missing).toEqual([]);
		expect(rows.length).toBeGreaterThan(70);
	});

	test('every envelope and every kind of fault is named', () => {
		for (const name of [...ENVELOPES, ...FAULT_KINDS]) expect(README).toContain(`\`${name}\``);
	});
});
