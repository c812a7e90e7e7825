import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { editorOf } from '../engine/engine.mts';
import { leaksIn } from '../engine/leaks.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { TRIGGER_NODE } from '../engine/arrival.mts';

/** What the editor offers for the filters of the trigger. */
const tenant = OddTenant.inEachTest();

async function optionsOf(
	method: string,
	filters: IDataObject,
	settings = {},
): Promise<INodePropertyOptions[]> {
	const { methods, context } = await editorOf({
		type: TRIGGER_NODE,
		credentials: tenant.credentials,
		parameters: { filters: filters as never },
		settings,
	});
	return (await methods.loadOptions?.[method].call(context)) ?? [];
}

describe.each([
	['getMessageFrom', 'from', 'agent'],
	['getMessageSource', 'source', 'automation'],
	['getMessageStatus', 'status', 'created'],
])('%s', (method, name, known) => {
	const withoutCredential = { credentials: {} };

	it('offers what is known, without a credential', async () => {
		const values = (await optionsOf(method, {}, withoutCredential)).map(({ value }) => value);
		expect(values).toEqual(expect.arrayContaining(['', known]));
		expect(values).not.toContain('seen, read');
		expect(tenant.asked).toEqual([]);
	});

	it.each(['delivered', 'seen, read', 'CREATED', ' x ', '5', '__proto__'])(
		'keeps the stored value %j, once',
		async (stored) => {
			const options = await optionsOf(method, { [name]: stored }, withoutCredential);
			const values = options.map(({ value }) => value);
			expect(values).toEqual(expect.arrayContaining(['', known, stored]));
			expect(new Set(values).size).toBe(values.length);
			for (const option of options) expect(option.name).toMatch(/\S/);
		},
	);

	it.each(['={{ $json.x }}', '', null, 5, ['a'], {}])('does not fail for the stored %j', async (stored) => {
		const options = await optionsOf(method, { [name]: stored } as IDataObject, withoutCredential);
		for (const option of options) expect(typeof option.name).toBe('string');
	});
});

describe('getTemplates', () => {
	const listed = async (...data: IDataObject[]) => {
		tenant.answer(() => ({ data }));
		return await optionsOf('getTemplates', { templates: { chosen: { templateIds: [] } } });
	};

	it('offers templates by name and language, and takes IDs of both kinds', async () => {
		const known = { name: 'a', status: 'APPROVED' };
		expect(
			await listed({ ...known, id: 5, language: 'de' }, { ...known, id: 't-6', language: 'en' }),
		).toEqual([
			expect.objectContaining({ name: 'a · de', value: 5 }),
			expect.objectContaining({ name: 'a · en', value: 't-6' }),
		]);
	});

	it('has no nonsense in the names of templates that have none', async () => {
		const options = await listed({ id: 1 }, { id: 2, name: 'b' }, { id: 3, name: 'c', language: null }).catch(
			(error: Error) => error,
		);
		if (options instanceof Error) return expect(options.message).toMatch(/list that cannot be read/);
		expect(options.map(({ name }) => name).join()).not.toMatch(/undefined|null|\[object/);
	});

	it('says in a sentence why it cannot list them, without the token', async () => {
		tenant.answer(
			async (request, reply) => await reply.code(403).send({ message: `${request.headers.authorization}` }),
		);
		const error = await optionsOf('getTemplates', { templates: { chosen: { templateIds: [] } } }).catch(
			(thrown: unknown) => thrown,
		);
		expect(error).toBeInstanceOf(Error);
		expect(leaksIn(error, String(tenant.credentials.accessToken))).toEqual([]);
	});
});
