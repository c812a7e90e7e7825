import type { IDataObject, OnError } from 'n8n-workflow';

import { runNode } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();

const REFUSAL = { message: 'The title is taken.' };
const create = { resource: 'tag', operation: 'create', title: '={{ $json.title }}' };
const titles = ['One', 'Two', 'Three'].map((title) => ({ json: { title } }));

/** Refuses the second of three tags. */
function refuseTwo(status = 409) {
	odd.answer(async (request, reply) => {
		const { title } = request.body as { title: string };
		return title === 'Two' ? await reply.code(status).send(REFUSAL) : { id: 1, title };
	});
}

const run = async (parameters: object, onError?: OnError, items = titles) =>
	await runNode({
		parameters: { ...parameters, requestLimits: { maximumTries: 1 } },
		items,
		onError,
		credentials: odd.credentials,
	});

describe('with Continue', () => {
	it('a refused item comes out with its error, linked, and the others as they are', async () => {
		refuseTwo();
		const { items, error } = await run(create, 'continueRegularOutput');
		expect(error).toBeUndefined();
		expect(items).toEqual([
			{ json: { id: 1, title: 'One' }, pairedItem: { item: 0 } },
			{
				json: {
					error: 'The title is taken.',
					details: {
						description:
							'The service refused the change (HTTP 409).\nChange the value that is in conflict and try again.',
					},
				},
				pairedItem: { item: 1 },
			},
			{ json: { id: 1, title: 'Three' }, pairedItem: { item: 2 } },
		]);
	});

	it('an item whose value is wrong comes out with its error, and nothing is sent for it', async () => {
		odd.answer(() => ({ data: { id: 1 } }));
		const { items } = await run(
			{ resource: 'user', operation: 'update', userId: byId(1), updateFields: { pin: '={{ $json.title }}' } },
			'continueRegularOutput',
		);
		expect(items).toHaveLength(3);
		for (const [item, { json, pairedItem }] of items.entries()) {
			expect(json).toEqual({
				error: 'PIN does not have exactly six digits',
				details: { description: 'Enter six digits, e.g. 012345.' },
			});
			expect(pairedItem).toEqual({ item });
		}
		expect(odd.asked).toEqual([]);
	});

	it('an item that may be done says so', async () => {
		refuseTwo(500);
		const { items } = await run(create, 'continueRegularOutput');
		expect((items[1].json.details as IDataObject).outcome).toBe('unknown');
		expect((items[0].json.details as IDataObject | undefined)?.outcome).toBeUndefined();
	});
});

describe('with the error output', () => {
	it('a refused item leaves there, with its own fields and the error', async () => {
		refuseTwo();
		const { items, errorItems } = await run(create, 'continueErrorOutput');
		expect(items.map(({ json }) => json.title)).toEqual(['One', 'Three']);
		expect(errorItems).toHaveLength(1);
		expect(errorItems[0].json).toMatchObject({ title: 'Two', error: 'The title is taken.' });
		expect(errorItems[0].pairedItem).toEqual({ item: 1 });
	});
});

describe('without', () => {
	it('the first failed item stops the run, and the error names it', async () => {
		refuseTwo();
		const { error } = await run(create);
		expect(error).toMatchObject({ message: 'The title is taken.', context: { itemIndex: 1 } });
	});
});

describe('what goes out of a body', () => {
	let sent: unknown;
	beforeEach(() => {
		sent = undefined;
		odd.answer((request) => {
			sent = request.body;
			return { data: { id: 1 } };
		});
	});

	it('is without what was added and left empty, and with what clears a field', async () => {
		await run(
			{
				resource: 'user',
				operation: 'update',
				userId: byId(1),
				updateFields: {
					name: 'Jo',
					email: '',
					externalId: '={{ null }}',
					externalGroup: '={{ undefined ?? "" }}',
				},
			},
			undefined,
			[titles[0]],
		);
		expect(sent).toEqual({ name: 'Jo', external_id: null });
	});

	it('is as it was given below the first level', async () => {
		await run(
			{
				resource: 'group',
				operation: 'create',
				fieldsJson: '{ "name": "A", "deep": { "empty": "", "none": null } }',
			},
			undefined,
			[titles[0]],
		);
		expect(sent).toEqual({ name: 'A', deep: { empty: '', none: null } });
	});
});

describe('empty parts of a query', () => {
	it('are not asked for', async () => {
		odd.answer(() => ({ data: [] }));
		await run(
			{ resource: 'profile', operation: 'getAll', filters: { search: '', channel: 'chatapp' } },
			undefined,
			[titles[0]],
		);
		expect(odd.asked).toEqual(['GET /third-party/v1/profiles?channel=chatapp&per_page=50']);
	});
});
