import type { INodeExecutionData } from 'n8n-workflow';

import { customerResource } from '../../nodes/CustomerMessaging/operations/customer.ts';
import { TenantInMemory } from '../context/tenantInMemory.mts';

const tenant = TenantInMemory.inEachTest();

const COUNT = 100_000;

/** Every tenth row has no number, and every tenth one that of the row before. */
const rows = Array.from({ length: COUNT }, (_, row): INodeExecutionData => {
	const number = row % 10 === 9 ? '' : String(491_700_000_000 + row - (row % 10 === 8 ? 1 : 0));
	return { json: { phone: number, name: `Row ${row}`, email: `row${row}@mail.example` } };
});

async function imported(output: string): Promise<INodeExecutionData[]> {
	const { run } = customerResource.operations.bulkImport;
	if (!('all' in run)) throw new Error('The import takes all items together');
	const parameters = {
		...{ resource: 'customer', operation: 'bulkImport', options: { output } },
		columns: { mappingMode: 'autoMapInputData', value: null },
	};
	return await run.all(tenant.batch({ items: rows, node: { parameters } }));
}

beforeEach(() => {
	tenant.answer(({ body }) => ({
		body: { data: { created_count: (body as { customers: unknown[] }).customers.length } },
	}));
});

it('of 100,000 rows each has its item, in the order of the list', async () => {
	const items = await imported('rows');
	expect(tenant.asked).toHaveLength(160);
	expect(items.map(({ json }) => json.row)).toEqual(rows.map((_, row) => row + 2));
	expect(items.every(({ json }, row) => json.input === rows[row].json)).toBe(true);
	const countOf = (result: string) => items.filter(({ json }) => json.result === result).length;
	expect(['created or updated', 'skipped', 'not imported'].map(countOf)).toEqual([80_000, 10_000, 10_000]);
});

it('100,000 rows are summed up in one item', async () => {
	const [{ json }, ...others] = await imported('summary');
	expect(others).toEqual([]);
	expect(json).toMatchObject({ requests: 160, created_count: 80_000, skipped_count: 20_000 });
	expect(json.findings).toHaveLength(20_000);
});
