import { ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { TestTenant } from '../../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();
const sandboxed = TestTenant.inEachTest();

it.each(['crm', 'general', 'thirdParty'])(
	'settings have what workflows have stored as their fields (%s)',
	async (category) => {
		const update = { resource: 'settings', operation: 'update', category };
		const fields = { field: [{ name: 'title', value: 'x' }] };
		const tenantFields = { mappingMode: 'defineBelow', value: { locale: 'de' } };
		await sandboxed.run({ ...update, fields });
		await sandboxed.run({ ...update, fields, tenantFields });
		expect(sandboxed.sent().map(({ body }) => body)).toEqual([
			'{"title":"x"}',
			'{"locale":"de","title":"x"}',
		]);
	},
);

it('free fields keep the type that an expression gives, and win over JSON', async () => {
	tenant.answer({ 'PATCH /settings/general': ({ body }) => ({ data: body }) });
	const { items } = await tenant.run({
		...{ resource: 'settings', operation: 'update', category: 'general' },
		fields: {
			field: [
				{ name: 'locale', value: 'de' },
				{ name: 'seats', value: '={{ 5 }}' },
				{ name: 'logo', value: '={{ null }}' },
				{ name: 'slogan', value: '' },
			],
		},
		options: { fieldsJson: '{ "locale": "en", "flags": { "beta": true } }', emptyCells: 'clear' },
	});
	const written = { locale: 'de', flags: { beta: true }, seats: 5, logo: null, slogan: '' };
	expect(tenant.arrived).toEqual([{ request: 'PATCH /settings/general', body: written }]);
	expect(items).toEqual([{ json: written, pairedItem: { item: 0 } }]);
});
