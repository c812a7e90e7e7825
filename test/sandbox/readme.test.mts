import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { execa } from 'execa';

import { CHOICES, ENVELOPES, VARIANTS } from '../../sandbox/choices.mts';
import { FAULT_KINDS } from '../../sandbox/faults.mts';
import { useTenant } from './tenant.mts';

const README = readFileSync(join(import.meta.dirname, '..', '..', 'sandbox', 'README.md'), 'utf8');
const read = (file: string) => readFileSync(join(import.meta.dirname, '..', '..', 'docs', file), 'utf8');
const RULES = read('maintainers/sandbox-rules.md');
const REFERENCE = read('sandbox.md');

describe("the sandbox's documents", () => {
	const rows = [...RULES.matchAll(/^\|[^|]*\| `([\w-]+\.test\.mts)`: (.+) \|$/gm)].map(([, file, name]) => ({
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

	test('every variant is named with what it chooses, and every choice with its values', () => {
		const table = (heading: string) => REFERENCE.split(`| ${heading} `)[1].split('\n\n')[0];
		for (const [name, choices] of Object.entries(VARIANTS)) {
			const chosen = Object.entries(choices).map(([choice, value]) => `\`${choice}=${value}\``);
			const [, row] = new RegExp(`^\\| \`${name}\` +\\| (.*?) +\\|$`, 'm').exec(table('Variant')) ?? [];
			expect([name, row]).toEqual([name, chosen.join(', ') || 'nothing otherwise']);
		}
		for (const [choice, values] of Object.entries(CHOICES)) {
			if (choice === 'envelope') continue;
			const [row] = new RegExp(`^\\| \`${choice}\` .*$`, 'm').exec(table('Choice')) ?? [''];
			expect(values.filter((value) => !row.includes(`\`${value}\``))).toEqual([]);
		}
	});

	test('every envelope and every kind of fault is named', () => {
		for (const name of [...ENVELOPES, ...FAULT_KINDS]) expect(REFERENCE).toContain(`\`${name}\``);
	});
});

describe("the sandbox's README", () => {
	const tenant = useTenant();

	test('its requests work one after another, as they are printed', async () => {
		const printed = [...README.matchAll(/^```sh\n(curl [^]*?)```/gm)].map(([, command]) => command);
		const answers: unknown[] = [];
		for (const command of printed) {
			const here = command
				.replace('curl ', 'curl --silent ')
				.replace('localhost:4010', new URL(tenant.url).host);
			answers.push(JSON.parse((await execa('sh', ['-c', here])).stdout));
		}
		expect(answers).toMatchObject([
			{ data: { name: 'Ada Admin' } },
			{ data: { status: 'created' } },
			{ data: { to: '4915112345678', template: 'opening_hours' } },
		]);
	});
});
