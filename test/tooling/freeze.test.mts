import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { comparison, freeze } from '../compatibility/freeze.mts';
import { readFrozen } from '../compatibility/frozenFiles.mts';
import type { Specimens } from '../compatibility/frozenNodes.mts';
import { FrozenTenant } from '../compatibility/frozenTenant.mts';

const VERSION = '999.0.0';
const CREATE = 'tag: create';

const chosen = async (specimens: Specimens) =>
	await specimens.some((name) => [CREATE, 'file: download'].includes(name));

/** What is frozen of a version: operations, and what goes on where n8n has kept something. */
const NAMES = [
	...[CREATE, 'file: download', 'Failure 1', 'Send once 1'],
	...[expect.stringMatching(/^Poll/), expect.stringMatching(/^Webhook/)],
];

let place: string;

beforeAll(async () => {
	place = mkdtempSync(path.join(tmpdir(), 'freeze-'));
	expect(await freeze(VERSION, place, chosen)).toEqual({ earlier: 0, kept: 0, frozen: NAMES });
});

afterAll(() => rmSync(place, { recursive: true }));

it('what a version does is written as workflows beside their runs, and is what the nodes do', async () => {
	const nodes = readFrozen(VERSION, place);
	expect(nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMES));
	const index = JSON.parse(readFileSync(path.join(place, VERSION, 'index.json'), 'utf8')) as unknown;
	expect(index).toMatchObject({ version: VERSION, nodes: { tag: 1, file: 1, memory: 1, failures: 1 } });
	const tenant = new FrozenTenant();
	await tenant.start();
	for (const node of nodes) {
		const { before, now } = await comparison(node, tenant);
		expect({ name: node.name, now }).toEqual({ name: node.name, now: before });
	}
	await tenant.stop();
});

it('freezing the same version again keeps what holds, and writes anew what does not', async () => {
	expect(await freeze(VERSION, place, chosen)).toEqual({ earlier: 0, kept: NAMES.length, frozen: [] });
	const file = path.join(place, VERSION, 'tag.runs.json');
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, text.replaceAll('/tags"', '/labels"'));
	expect(await freeze(VERSION, place, chosen)).toEqual({
		...{ earlier: 0, kept: NAMES.length - 1, frozen: [CREATE] },
	});
	expect(readFileSync(file, 'utf8')).toContain('POST http://tenant/third-party/v1/tags"');
});

it('the version after it freezes only what no earlier one has, and shows that it was looked at', async () => {
	expect(await freeze('999.1.0', place, chosen)).toEqual({ earlier: NAMES.length, kept: 0, frozen: [] });
	expect(readFrozen('999.1.0', place)).toEqual([]);
	expect(JSON.parse(readFileSync(path.join(place, '999.1.0', 'index.json'), 'utf8'))).toEqual({
		...{ version: '999.1.0', nodes: {} },
	});
});
