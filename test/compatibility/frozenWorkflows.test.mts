import { comparison } from './freeze.mts';
import { type FrozenNode, frozenVersions, numberOfNodes, readFrozen } from './frozenFiles.mts';
import { FrozenTenant } from './frozenTenant.mts';

/** Runs that were wrong when their version was released, by version and node, each with the reason for what they do now. */
const MENDED: Record<string, string> = {};

const tenant = new FrozenTenant();

beforeAll(async () => await tenant.start());

afterAll(async () => await tenant.stop());

it('there are frozen workflows', () => {
	expect(frozenVersions()).toContain('0.1.0');
});

it.each(frozenVersions())('all nodes that %s has frozen are here', (version) => {
	expect(readFrozen(version).length).toBe(numberOfNodes(version));
});

/** A version that changed nothing has frozen nothing. */
const versions = frozenVersions().filter((version) => numberOfNodes(version) > 0);

describe.each(versions)('a saved workflow of %s sends and gives what it did', (version) => {
	const nodes = readFrozen(version);
	const isMended = ({ name }: FrozenNode) => `${version} ${name}` in MENDED;
	const unchanged = nodes.filter((node) => !isMended(node));

	it.each(unchanged.map((node) => [node.name, node] as const))('%s', async (_name, node) => {
		const { before, now } = await comparison(node, tenant);
		expect(now).toEqual(before);
	});

	it('but for those that were mended', async () => {
		for (const node of nodes.filter(isMended)) {
			const { before, now } = await comparison(node, tenant);
			expect({ name: node.name, now }).not.toEqual({ name: node.name, now: before });
		}
		const known = frozenVersions().flatMap((one) => readFrozen(one).map(({ name }) => `${one} ${name}`));
		expect(known).toEqual(expect.arrayContaining(Object.keys(MENDED)));
	});
});
