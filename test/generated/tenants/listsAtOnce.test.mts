import { AMOUNT } from '../amount.mts';
import { listTenants, readFromAll, UNPAGED_SPACE } from './listTenants.mts';
import { UNPAGED_LISTS } from './operations.mts';
import { TenantServer } from './tenantServer.mts';

const server = TenantServer.inEachFile();

const tenants = listTenants(UNPAGED_SPACE);

describe.each(UNPAGED_LISTS)('$name', (operation) => {
	it('gives all that was asked for, or says why not, whatever form the list has', async () => {
		const tally = await readFromAll(server, operation, tenants);
		expect(tally.ofSeveralPages).toBe(0);
		expect(tally.readWhole).toBeGreaterThan(AMOUNT / 2);
		expect(tally.refused).toBeGreaterThan(AMOUNT / 50);
	});
});
