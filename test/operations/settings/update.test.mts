import { ScriptedTenant } from '../../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

it('free fields keep the type that an expression gives, and win over JSON', async () => {
	tenant.answer({ 'PATCH /settings/general': ({ body }) => ({ data: body }) });
	const { items } = await tenant.run({
		...{ resource: 'settings', operation: 'update', category: 'general' },
		options: {
			otherFields: {
				field: [
					{ name: 'locale', value: 'de' },
					{ name: 'seats', value: '={{ 5 }}' },
					{ name: 'logo', value: '={{ null }}' },
					{ name: 'slogan', value: '' },
				],
			},
			fieldsJson: '{ "locale": "en", "flags": { "beta": true } }',
			emptyCells: 'clear',
		},
	});
	const written = { locale: 'de', flags: { beta: true }, seats: 5, logo: null, slogan: '' };
	expect(tenant.arrived).toEqual([{ request: 'PATCH /settings/general', body: written }]);
	expect(items).toEqual([{ json: written, pairedItem: { item: 0 } }]);
});
