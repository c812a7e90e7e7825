import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { CHOICES } from '../../sandbox/choices.mts';
import { FAULT_KINDS } from '../../sandbox/faults.mts';
import { useTenant } from './tenant.mts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8');

const tenant = useTenant();

test('every choice is named with its values, and every kind of fault', () => {
	const reference = read('docs/sandbox.md');
	for (const [choice, values] of Object.entries({ ...CHOICES, kind: FAULT_KINDS })) {
		const missing = [choice, ...values].filter((name) => !reference.includes(`\`${name}\``));
		expect([choice, missing]).toEqual([choice, []]);
	}
});

test('the requests of the README work one after another, as they are printed', async () => {
	const printed = [...read('sandbox/README.md').matchAll(/^```sh\n(curl [^]*?)```/gm)].map(
		([, command]) => command,
	);
	const answers: unknown[] = [];
	for (const command of printed) {
		const silent = command.replace('curl ', 'curl --silent ');
		const here = silent.replace('localhost:4010', new URL(tenant.url).host);
		answers.push(JSON.parse((await execa('sh', ['-c', here])).stdout));
	}
	expect(answers).toMatchObject([
		{ data: { name: 'Ada Admin' } },
		{ data: { status: 'created' } },
		{ data: { to: '4915112345678', template: 'opening_hours' } },
	]);
});
