import { editorOf } from '../../engine/engine.mts';
import { byId, TestTenant } from '../../engine/tenant.mts';

/** The sandbox's words for a template that waits for approval are those that the node understands. */
describe('a template that waits for approval', () => {
	const tenant = TestTenant.inEachTest({ templateReview: { approveAfter: 60_000 } });

	beforeEach(async () => {
		await tenant.tell('/templates', {
			name: 'spring_sale',
			language: 'en_US',
			components: [{ type: 'BODY', text: 'Spring is here' }],
		});
	});

	const listed = async (typed: string) => {
		const { methods, context } = await editorOf({
			parameters: { resource: 'message', operation: 'sendTemplate' },
			credentials: tenant.credentials,
		});
		const { results } = (await methods.listSearch?.searchTemplates.call(context, typed)) ?? { results: [] };
		return results.map(({ name }) => name);
	};

	const send = () =>
		tenant.run({
			resource: 'message',
			operation: 'sendTemplate',
			phoneNumber: '+49 171 1234567',
			agentId: byId(tenant.sandbox.store.agents.list('chatapp').records[0].id),
			templateName: byId('spring_sale'),
			templateLanguage: 'en_US',
		});

	it('is left out of the list, which says so, until it is approved', async () => {
		expect(await listed('spring')).toEqual([expect.stringContaining('Not approved, so hidden: pending')]);
		expect(await listed('pending')).toEqual(['spring_sale · English (US) (en_US) · pending']);
		tenant.sandbox.store.clock.advance(60_000);
		expect(await listed('spring')).toEqual(['spring_sale · English (US) (en_US)']);
	});

	it('cannot be sent until it is approved', async () => {
		const { error } = await send();
		expect(`${error?.message} ${error?.description}`).toContain('its status is pending');
		tenant.sandbox.store.clock.advance(60_000);
		const { items } = await send();
		expect(items).toMatchObject([{ json: { status: 'created' } }]);
	});
});
