import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENVELOPES } from '../../sandbox/choices.mts';
import { FAULT_KINDS } from '../../sandbox/faults.mts';

const README = readFileSync(join(import.meta.dirname, '..', '..', 'sandbox', 'README.md'), 'utf8');

describe("the sandbox's README", () => {
	const rows = [...README.matchAll(/^\|[^|]*\| `([\w-]+\.test\.mts)`: (.+) \|$/gm)].map(([, file, name]) => ({
		file,
		name: name.trim(),
	}));

	test('every test that the table of rules names exists', () => {
		const missing = rows.filter(
			({ file, name }) => !readFileSync(join(import.meta.dirname, file), 'utf8').includes(name),
		);
		expect(missing).toEqual([]);
		expect(rows.length).toBeGreaterThan(70);
	});

	test('every envelope and every kind of fault is named', () => {
		for (const name of [...ENVELOPES, ...FAULT_KINDS]) expect(README).toContain(`\`${name}\``);
	});
});
