import { comparison } from './freeze.mts';
import { frozenVersions, numberOfNodes, readFrozen } from './frozenFiles.mts';
import { FrozenTenant } from './frozenTenant.mts';

const tenant = new FrozenTenant();

beforeAll(async () => await tenant.start());

afterAll(async () => await tenant.stop());

it('there are frozen workflows', () => {
	expect(frozenVersions()).toContain('0.1.0');
});

describe.each(frozenVersions())('a saved workflow of %s sends and gives what it did', (version) => {
	const nodes = readFrozen(version);

	it('all of its nodes are here', () => {
		expect(nodes.length).toBe(numberOfNodes(version));
	});

	it.each(nodes.map((node) => [node.name, node] as const))('%s', async (_name, node) => {
		const { before, now } = await comparison(node, tenant);
		expect(now).toEqual(before);
	});
});
