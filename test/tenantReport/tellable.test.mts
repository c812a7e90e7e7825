import { HIDDEN, Tellable } from '../../scripts/tenantReport/tellable.mts';

const tell = (name: string, isDescribed = true, values: unknown = []) => {
	const tellable = new Tellable();
	tellable.addValues(values);
	return tellable.tell(name, isDescribed);
};

it.each(['email', 'displayId', 'per_page', 'PerPage', 'next-cursor', 'message'])(
	'%s is a name that the contract or an envelope has: told wherever it stands',
	(name) => {
		expect(tell(name, false)).toBe(name);
	},
);

it.each(['loyalty_points', 'loyaltyPoints', 'address_2', 'vip'])(
	'%s looks like a member of a record',
	(name) => {
		expect([tell(name), tell(name, false)]).toEqual([name, HIDDEN]);
	},
);

it.each([
	'4915112345678',
	'+49 151 12345678',
	'number_4915112345678',
	'mira@mail.example',
	'Mira Example',
	'Mira',
	'2026-11-22',
	'0b0f6a4c-9a59-4c2e-8a55-2f5f8a1f0c11',
	'a1b2c3d4',
	'müller',
	'x'.repeat(41),
	'',
	'__proto__',
])('%p could be a datum', (name) => {
	expect(tell(name)).toBe(HIDDEN);
});

it('a name that is a word of any value is none to tell, however it is written', () => {
	expect(tell('mira', true, { data: [{ name: 'Mira Example' }] })).toBe(HIDDEN);
	expect(tell('summer_sale', true, ['summer-sale'])).toBe(HIDDEN);
	expect(tell('mira', true, { data: [{ name: 'Jonas' }] })).toBe('mira');
});
