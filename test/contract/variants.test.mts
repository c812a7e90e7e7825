import { VARIANTS, type VariantName } from '../../sandbox/choices.mts';
import { TestTenant } from '../engine/tenant.mts';
import { exchanged } from './exchanged.mts';
import { caseNames, type Reached, runCase } from './runCase.mts';

/** Less than the demo data has of most kinds: lists have several pages. */
const PAGE_SIZE = 2;

/** Ids that a tenant writes as text stand for the same records. */
const withNumbers = (text: string) => text.replace(/"(\d+)"/g, '$1');

/** What a case changed at the tenant and gave back. How it gets through a list is its own matter. */
function outcome(tenant: TestTenant, reached: Reached) {
	const { requests, items } = exchanged(tenant, {
		...reached,
		requests: reached.requests.filter(({ method }) => method !== 'GET'),
	});
	return { writes: requests.map(withNumbers), items: items.map(withNumbers) };
}

/** What the cases did with the tenant that makes the sandbox's own choices. */
const plain = new Map<string, ReturnType<typeof outcome>>();

describe('the plain tenant', () => {
	const tenant = TestTenant.inEachTest({ pageSize: PAGE_SIZE });

	it.each(caseNames)('%s', async (name) => {
		const reached = await runCase(tenant, name);
		expect(reached.requests.length).toBeGreaterThan(0);
		plain.set(name, outcome(tenant, reached));
	});
});

const variants = Object.keys(VARIANTS).filter((name) => name !== 'plain') as VariantName[];

it('there are at least six variants', () => {
	expect(variants.length).toBeGreaterThanOrEqual(6);
});

describe.each(variants)('with the variant %s the node does and gives the same', (variant) => {
	const tenant = TestTenant.inEachTest({ choices: VARIANTS[variant], pageSize: PAGE_SIZE });

	it.each(caseNames)('%s', async (name) => {
		expect(outcome(tenant, await runCase(tenant, name))).toEqual(plain.get(name));
	});
});
