import type { INodeListSearchItems } from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { TestTenant } from '../engine/tenant.mts';
import { http } from '../http.mts';

const PEOPLE = 5000;

const tenant = TestTenant.inEachTest();

beforeEach(async () => {
	await http.post(`${tenant.sandbox.url}/sandbox/seed`, { profiles: PEOPLE });
	tenant.sandbox.clearRequests();
});

/** Searches, and reads on as n8n does once the list can be scrolled. */
async function found(method: string, filter: string, isScrolled = false): Promise<INodeListSearchItems[]> {
	const { methods, context } = await editorOf({ parameters: {}, credentials: tenant.credentials });
	const all: INodeListSearchItems[] = [];
	let token: string | undefined;
	do {
		const part = await methods.listSearch?.[method].call(context, filter, token);
		all.push(...(part?.results ?? []));
		token = part?.paginationToken as string | undefined;
	} while (token && isScrolled);
	return all;
}

describe.each(['searchCustomers', 'searchProfiles'])('%s among 5,000 customers', (method) => {
	it('finds a name and a number in any writing, with one request each', async () => {
		const { store } = tenant.sandbox;
		const customer = store.customers.byDisplayId('chatapp', String(4_915_200_000_000 + PEOPLE - 1));
		const profile = customer && store.profiles.ofCustomer(customer.id);
		if (!customer || !profile) throw new Error('Nobody was seeded');
		const { id } = method === 'searchCustomers' ? customer : profile;
		const { display_id: digits, name } = customer;
		const inParts = `00${digits.slice(0, 2)} ${digits.slice(2, 6)}/${digits.slice(6)}`;
		for (const typed of [name, digits, `+${digits}`, inParts, digits.slice(-6)]) {
			tenant.sandbox.clearRequests();
			expect(await found(method, typed)).toContainEqual({ name: `${name} (+${digits})`, value: id });
			expect(tenant.sent().length).toBe(1);
		}
	});

	it('finds all who have one name, each with the own number', async () => {
		const names = (await found(method, 'Hugo Lindholm')).map(({ name }) => name);
		expect(names.length).toBeGreaterThan(5);
		expect(new Set(names).size).toBe(names.length);
		for (const name of names) expect(name).toMatch(/^Hugo Lindholm \(\+49152\d+\)$/);
	});
});

it('those beyond the first page of a search are found too, once each', async () => {
	const values = (await found('searchCustomers', 'Hugo', true)).map(({ value }) => value);
	const { data } = await tenant.ask<{ data: Array<{ customer_id: number }> }>(
		'/profiles?search=Hugo&per_page=1000',
	);
	expect(new Set(values).size).toBe(values.length);
	expect(values).toEqual(expect.arrayContaining(data.map(({ customer_id }) => customer_id)));
});
