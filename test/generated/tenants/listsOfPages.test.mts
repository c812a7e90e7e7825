import { AMOUNT } from '../amount.mts';
import { listTenants, PAGED_SPACE, readFromAll } from './listTenants.mts';
import { PAGED_LISTS } from './operations.mts';
import { TenantServer } from './tenantServer.mts';

const server = TenantServer.inEachFile();

const tenants = listTenants(PAGED_SPACE);

describe.each(PAGED_LISTS)('$name', (operation) => {
	it('gives all that was asked for, or says why not, whatever form the list has', async () => {
		const tally = await readFromAll(server, operation, tenants);
		expect(tally.ofSeveralPages).toBeGreaterThan(AMOUNT / 6);
		expect(tally.readWhole).toBeGreaterThan(AMOUNT / 3);
		expect(tally.limited).toBeGreaterThan(AMOUNT / 20);
		expect(tally.refused).toBeGreaterThan(AMOUNT / 50);
	});
});
