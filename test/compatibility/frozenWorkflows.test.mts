import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ACTION_NODE } from '../engine/engine.mts';
import { comparison } from './freeze.mts';
import {
	FROZEN_FOLDER,
	type FrozenNode,
	frozenVersions,
	numberOfNodes,
	readFrozen,
	writeFrozen,
} from './frozenFiles.mts';
import { CREDENTIAL, type Exchange, FrozenTenant } from './frozenTenant.mts';

/** Runs that were wrong when their version was released, by version and node, each with the reason for what they do now. */
const MENDED: Record<string, string> = {};

const TAG = { id: 42, title: 'Newsletter', colour: 'green' };

/** What a node sent and what a tenant answered, in the form that a release writes down. */
const exchange = (request: string, body: object | undefined, answer: object): Exchange => [
	...([
		`${request.replace(' ', ' http://tenant/third-party/v1')}`,
		`Bearer ${CREDENTIAL.accessToken}`,
	] as const),
	...(body ? (['application/json', { json: body }] as const) : (['', ''] as const)),
	...([200, 'application/json', { json: answer }] as const),
];

const node = (parameters: FrozenNode['node']['parameters']) => ({
	type: ACTION_NODE,
	typeVersion: 1,
	parameters: { resource: 'tag', ...parameters },
});

/** A version that nobody has, so that there is something to read before the first release too. */
const MADE_UP: FrozenNode[] = [
	{
		...{ name: 'tag: get', file: 'tag' },
		node: node({ operation: 'get', tagId: { __rl: true, mode: 'id', value: 42 } }),
		runs: [
			{
				exchanges: [exchange('GET /tags/42', undefined, { data: TAG })],
				output: [{ json: TAG, pairedItem: { item: 0 } }],
			},
		],
	},
	{
		...{ name: 'tag: create', file: 'tag', items: [{ json: { title: 'Newsletter' } }] },
		node: node({ operation: 'create', title: '={{ $json.title }}' }),
		runs: [
			{
				exchanges: [exchange('POST /tags', { title: 'Newsletter' }, TAG)],
				output: [{ json: TAG, pairedItem: { item: 0 } }],
			},
		],
	},
];

const tenant = new FrozenTenant();
const madeUp = mkdtempSync(path.join(tmpdir(), 'frozen-'));
writeFrozen('0.0.1', MADE_UP, madeUp);

beforeAll(async () => await tenant.start());

afterAll(async () => {
	await tenant.stop();
	rmSync(madeUp, { recursive: true });
});

/** Each version that has frozen something: one that changed nothing has not. */
const versions = [madeUp, FROZEN_FOLDER].flatMap((place) =>
	frozenVersions(place)
		.filter((version) => numberOfNodes(version, place) > 0)
		.map((version) => ({ version, place })),
);

describe.each(versions)('a saved workflow of $version sends and gives what it did', ({ version, place }) => {
	const nodes = readFrozen(version, place);
	const isMended = ({ name }: FrozenNode) => `${version} ${name}` in MENDED;
	const unchanged = nodes.filter((one) => !isMended(one));

	it('with all nodes that were frozen', () => {
		expect(nodes.length).toBe(numberOfNodes(version, place));
	});

	it.each(unchanged.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
		const { before, now } = await comparison(one, tenant);
		expect(now).toEqual(before);
	});

	it('but for those that were mended', async () => {
		for (const one of nodes.filter(isMended)) {
			const { before, now } = await comparison(one, tenant);
			expect({ name: one.name, now }).not.toEqual({ name: one.name, now: before });
		}
	});
});

it('every run that was mended is one of a version', () => {
	const known = frozenVersions().flatMap((one) => readFrozen(one).map(({ name }) => `${one} ${name}`));
	expect(known).toEqual(expect.arrayContaining(Object.keys(MENDED)));
});

describe('a run that is another one than then is found', () => {
	const [get, create] = MADE_UP;

	it.each([
		['by its request', get, [exchange('GET /tags/43', undefined, { data: TAG })], get.runs[0].output],
		['by its body', create, [exchange('POST /tags', { title: 'News' }, TAG)], create.runs[0].output],
		[
			'by a request that is no more',
			get,
			[...get.runs[0].exchanges, ...create.runs[0].exchanges],
			get.runs[0].output,
		],
		[
			'by its items',
			get,
			get.runs[0].exchanges,
			[{ json: { ...TAG, colour: 'red' }, pairedItem: { item: 0 } }],
		],
		['by the links of its items', get, get.runs[0].exchanges, [{ json: TAG, pairedItem: { item: 1 } }]],
	])('%s', async (_how, one, exchanges, output) => {
		const { before, now } = await comparison({ ...one, runs: [{ exchanges, output }] }, tenant);
		expect(now).not.toEqual(before);
	});

	it('by its failure', async () => {
		const failing = { ...get.runs[0], output: [], failed: true as const };
		const { before, now } = await comparison({ ...get, runs: [failing] }, tenant);
		expect(now).not.toEqual(before);
	});
});
