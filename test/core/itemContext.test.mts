import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { DateTime } from 'luxon';

import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const CREATE = {
	resource: 'customer',
	operation: 'create',
	displayId: '={{ $json.number }}',
	name: '={{ $json.name }}',
};

/** What a run sends and gives back: as the node reads its parameters, and as n8n's routing engine reads them. */
async function bothOutcomes(parameters: INodeParameters, items: INodeExecutionData[]) {
	const outcomes: object[] = [];
	for (const byRoutingEngine of [false, true]) {
		tenant.arrived.splice(0);
		tenant.answer({
			'POST /customers': ({ body }) => ({ id: 1, ...(body as object) }),
			'GET /profiles/2001': () => ({ data: { id: 2001, name: 'Nora' } }),
		});
		const { items: given, error } = await tenant.run(parameters, { items, byRoutingEngine });
		outcomes.push({
			sent: [...tenant.arrived],
			given: given.map(({ json, pairedItem }) => ({ json, pairedItem })),
			error: error && { message: error.message, description: error.description },
		});
	}
	return outcomes;
}

describe('the values of parameters', () => {
	const values: Array<[string, IDataObject[string] | undefined | DateTime]> = [
		['text', 'Nora'],
		['text that looks like an expression', '={{ 1 + 1 }}'],
		['text in braces', '{{ $json.number }}'],
		['empty text', ''],
		['a number', 12.5],
		['a boolean', false],
		['null', null],
		['nothing', undefined],
		['an object', { first: 'Nora' }],
		['a list', ['Nora', 1]],
		['a date and time', DateTime.fromISO('2026-03-01T12:00:00Z')],
	];

	it.each(values)('are those that n8n reads: %s', async (_what, value) => {
		const items = [{ json: { number: '491710000001', name: value, 'a b': { name: value } } as IDataObject }];
		for (const name of [
			'={{ $json.name }}',
			'={{$json["name"]}}',
			"={{ $json['a b'].name }}",
			'=Dear {{ $json.name }}',
			'={{ $json.name ?? "none" }}',
		]) {
			const [ours, theirs] = await bothOutcomes({ ...CREATE, name }, items);
			expect({ name, ...ours }).toEqual({ name, ...theirs });
		}
	});

	it.each([
		['a fixed ID', byId('2001')],
		['an ID by expression', byId('={{ $json.id }}')],
		['an ID by a longer expression', byId('={{ $json.id + 0 }}')],
		['an expression for the whole', '={{ $json.id }}'],
		['a field that is not there', byId('={{ $json.missing }}')],
		['the name of a property of all objects', byId('={{ $json.constructor }}')],
	])('are read from resource locators as n8n does: %s', async (_what, profileId) => {
		const parameters = { resource: 'profile', operation: 'get', profileId };
		const [ours, theirs] = await bothOutcomes(parameters as INodeParameters, [{ json: { id: 2001 } }]);
		expect(ours).toEqual(theirs);
	});
});

describe('an expression that fails', () => {
	const parameters = { ...CREATE, name: '={{ $json.name.trim() }}' };
	const items = ['a', 5, 'c'].map((name, index) => ({ json: { number: `49171000000${index}`, name } }));
	beforeEach(() => tenant.answer({ 'POST /customers': ({ body }) => body }));

	it('stops the run with the error of its item', async () => {
		const { error } = await tenant.run(parameters, { items });
		expect(error).toMatchObject({ context: { itemIndex: 1 } });
	});

	it('fails its own item only, with Continue', async () => {
		const { items: given } = await tenant.run(parameters, { items, onError: 'continueRegularOutput' });
		expect(given.map(({ json, pairedItem }) => [json.name, 'error' in json, pairedItem])).toEqual([
			['a', false, { item: 0 }],
			[undefined, true, { item: 1 }],
			['c', false, { item: 2 }],
		]);
		expect(tenant.bodies('POST /customers').map(({ name }) => name)).toEqual(['a', 'c']);
	});
});
