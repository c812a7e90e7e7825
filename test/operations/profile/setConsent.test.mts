import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { labelOf } from '../../description/labels.mts';
import { ScriptedTenant } from '../../engine/scriptedTenant.mts';
import { byId } from '../../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const CONSENT = 'POST /profiles/5/marketing-opt-in';
const PROFILE = { id: 5, name: 'Jo Doe' };

beforeEach(() =>
	tenant.answer({
		[CONSENT]: () => ({ data: PROFILE }),
		'PATCH /profiles/5': () => ({ data: PROFILE }),
		'POST /customers/bulk-import': () => ({ data: {} }),
	}),
);

const consent = (optIn?: unknown): INodeParameters => ({
	...{ resource: 'profile', operation: 'setConsent', profileId: byId(5) },
	...(optIn !== undefined && ({ optIn } as INodeParameters)),
});

it.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	['={{ true }}', true],
	['={{ false }}', false],
	['={{ 1 }}', true],
	['={{ 0 }}', false],
	['={{ "yes" }}', true],
	['={{ "no" }}', false],
	['={{ "Ja" }}', true],
	['={{ "NEIN" }}', false],
	['={{ "on" }}', true],
	['={{ "off" }}', false],
	['={{ " true " }}', true],
	['={{ "False" }}', false],
])('%j is recorded as %s, and the profile comes out', async (optIn, opt_in) => {
	const { items, error } = await tenant.run(consent(optIn));
	expect(error).toBeUndefined();
	expect(tenant.arrived).toEqual([{ request: CONSENT, body: { opt_in } }]);
	expect(items).toEqual([{ json: expect.objectContaining({ id: 5 }), pairedItem: { item: 0 } }]);
});

it.each<unknown>([undefined, ''])(
	'with %j, as a new node has it, the workflow does not run',
	async (optIn) => {
		// What n8n says before the run.
		await expect(tenant.run(consent(optIn))).rejects.toThrow(await labelOf('optIn'));
		expect(tenant.requests).toEqual([]);
	},
);

const NEITHER = [
	'undefined',
	'null',
	'$json.optIn',
	'""',
	'" "',
	'"maybe"',
	'2',
	'-1',
	'NaN',
	'[]',
	'[false]',
];

it.each([...NEITHER, '{}', '"undefined"', '"null"', '"truee"'])(
	'%s neither gives nor withdraws consent',
	async (value) => {
		const { error } = await tenant.run(consent(`={{ ${value} }}`));
		expect(error?.message).toContain(await labelOf('optIn'));
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(tenant.requests).toEqual([]);
	},
);

it.each([
	['Given', true],
	['withdrawn', false],
])('the own word %s is what it says, or an error', async (word, opt_in) => {
	const { error } = await tenant.run(consent(`={{ "${word}" }}`));
	expect(tenant.bodies(CONSENT)).toEqual(error ? [] : [{ opt_in }]);
});

it('a model gives true or false, and nothing else is recorded', async () => {
	const call = await tenant.tool(consent("={{ $fromAI('consent', '', 'boolean') }}"), {});
	for (const given of [undefined, null, '', 'perhaps', {}, []])
		await expect(call({ consent: given } as IDataObject)).rejects.toThrow();
	expect(tenant.requests).toEqual([]);
	for (const given of [true, false]) await call({ consent: given });
	expect(tenant.bodies(CONSENT)).toEqual([{ opt_in: true }, { opt_in: false }]);
});

describe.each<[string, (fields: INodeParameters) => INodeParameters]>([
	[
		'Profile: Update',
		(updateFields) => ({ resource: 'profile', operation: 'update', profileId: byId(5), updateFields }),
	],
	[
		'Customer: Create or Update',
		(additionalFields) => ({
			...{ resource: 'customer', operation: 'upsert', displayId: '+49 170 0000001', name: 'Jo' },
			additionalFields,
		}),
	],
])('the consent of %s', (_operation, parameters) => {
	it.each(['"maybe"', '2', '{}', '"" + undefined'])('that is %s is no withdrawal', async (value) => {
		const { error } = await tenant.run(parameters({ marketingOptIn: `={{ ${value} }}` }));
		expect(error?.message).toMatch(/\w+ \w+/);
		expect(tenant.requests).toEqual([]);
	});

	it.each(['undefined', 'null', '""'])('that is %s is not sent', async (value) => {
		await tenant.run(parameters({ marketingOptIn: `={{ ${value} }}`, address: 'Berlin' }));
		expect(JSON.stringify(tenant.arrived)).not.toContain('opt_in');
	});
});
