import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { limitedView } from '../../nodes/CustomerMessaging/core/hints.ts';
import { cut } from '../../nodes/CustomerMessaging/values/text.ts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SAM = { id: 5, name: 'Sam Service', email: 'sam@example.com', roles: ['agent'], permissions: [] };
const TOLD = 'Sam Service sees only the customers attached to them.';

describe('what the account shows of the user behind the token', () => {
	it.each<[string, unknown, string]>([
		['a role that is not admin', SAM, TOLD],
		[
			'no name',
			{ ...SAM, name: null },
			'The user behind the access token sees only the customers attached to them.',
		],
	])('is said where it has %s', (_what, user, told) => {
		expect(limitedView({ redact: cut }, user)).toBe(told);
	});

	it.each<[string, unknown]>([
		['the role admin', { ...SAM, roles: ['agent', 'admin'] }],
		['a role that may be another name of admin', { ...SAM, roles: ['Tenant-Administrator'] }],
		['an admin by another member', { ...SAM, is_admin: true }],
		['no role', { ...SAM, roles: [] }],
		['no roles', { ...SAM, roles: undefined }],
		['roles that are no texts', { ...SAM, roles: [{ id: 1 }] }],
		['roles as one text', { ...SAM, roles: 'agent' }],
		['no user', undefined],
	])('claims nothing where it has %s', (_what, user) => {
		expect(limitedView({ redact: cut }, user)).toBeUndefined();
	});
});

describe('a list of all customers or profiles', () => {
	const list = (resource: string, more: INodeParameters = {}) => ({
		...{ resource, operation: 'getAll', returnAll: true },
		...more,
	});
	const run = async (
		parameters: INodeParameters,
		me: unknown = { data: SAM },
		items: IDataObject[] = [{}],
	) => {
		tenant.answer({
			'GET /me': () => me,
			'GET /customers': () => ({ data: [{ id: 1 }] }),
			'GET /profiles': () => ({ data: [{ id: 2 }] }),
			'GET /tags': () => ({ data: [{ id: 3 }] }),
		});
		const ran = await tenant.run(parameters, { items: items.map((json) => ({ json })) });
		expect(ran.error).toBeUndefined();
		return {
			ids: ran.items.map(({ json }) => json.id),
			hints: ran.run.data.resultData.runData.Node[0].hints ?? [],
		};
	};

	it.each([
		['customer', 1, 'GET /customers'],
		['profile', 2, 'GET /profiles?per_page=100'],
	])(
		'says once that the user sees only some, whatever the number of items: %s',
		async (resource, id, request) => {
			const { ids, hints } = await run(list(resource), undefined, [{}, {}]);
			expect(ids).toEqual([id, id]);
			expect(hints).toEqual([{ message: TOLD, location: 'outputPane', type: 'info' }]);
			expect(tenant.requests).toEqual([request, request, 'GET /me']);
		},
	);

	it.each<[string, unknown]>([
		['an admin', { data: { ...SAM, roles: ['admin'] } }],
		['a user without roles', { data: { id: 5, name: 'Sam' } }],
		['something else', 'Welcome'],
	])('is as it was, without a hint, where the token is that of %s', async (_whose, me) => {
		expect(await run(list('customer'), me)).toEqual({ ids: [1], hints: [] });
	});

	it.each<[string, INodeParameters]>([
		['a list with a Limit', list('customer', { returnAll: false })],
		['another list', list('tag')],
	])('is the only one for which the user is asked for, not %s', async (_what, parameters) => {
		expect((await run(parameters)).hints).toEqual([]);
		expect(tenant.requests).not.toContain('GET /me');
	});
});
