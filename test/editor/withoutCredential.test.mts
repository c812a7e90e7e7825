import type { INodeParameters } from 'n8n-workflow';

import { ACTION_NODE, editorOf } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { POLLING_NODE } from '../engine/polling.mts';
import { byId } from '../engine/tenant.mts';

const tenant = OddTenant.inEachTest();

/** What n8n gets of everything that the editor asks for a node without a credential. */
async function allOf(type: string, parameters: INodeParameters) {
	const settings = { credentials: undefined };
	const { methods, context } = await editorOf({ type, parameters, settings });
	const kinds = [methods.listSearch, methods.loadOptions, methods.resourceMapping];
	const asked = kinds.flatMap((some = {}) => Object.entries(some as Record<string, () => unknown>));
	return await Promise.all(asked.map(async ([name, ask]) => [name, await ask.call(context)] as const));
}

const entriesIn = (given: unknown) => (Array.isArray(given) ? given : Object.values(given as object).flat());

it.each<[type: string, parameters: INodeParameters, filled: string[]]>([
	[
		ACTION_NODE,
		{ resource: 'profile', operation: 'getActivity', profileId: byId(5) },
		['getSortFields', 'getImportColumns'],
	],
	[ACTION_NODE, { resource: 'settings', operation: 'update' }, []],
	[ACTION_NODE, { resource: 'message', operation: 'sendTemplate' }, []],
	[POLLING_NODE, {}, []],
])(
	'a new %s has no error and no words about a credential in its lists: %j',
	async (type, parameters, filled) => {
		const all = await allOf(type, parameters);
		expect(all.length).toBeGreaterThan(10);
		for (const [, given] of all) expect(JSON.stringify(given)).not.toMatch(/credential|token/i);
		const known = all.filter(([, given]) => entriesIn(given).length > 0).map(([name]) => name);
		expect(known).toEqual(expect.arrayContaining(filled));
		const empty = ['getTags', 'getCustomers', 'getLanguages', 'searchTags', 'searchTenantFields'];
		for (const name of empty) expect(known).not.toContain(name);
		expect(tenant.asked).toEqual([]);
	},
);

it('a node whose credential is unusable says why', async () => {
	const credentials = { ...tenant.credentials, tenantDomain: '' };
	const { methods, context } = await editorOf({ parameters: {}, credentials });
	await expect(methods.loadOptions?.getTags.call(context)).rejects.toThrow('The Tenant Domain is empty');
	await expect(methods.listSearch?.searchTags.call(context)).rejects.toThrow('The Tenant Domain is empty');
});
