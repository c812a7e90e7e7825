import { DateTime } from 'luxon';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { oneOf, upTo } from '../engine/chance.mts';
import { byId } from '../engine/tenant.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

/** None of them is the zone of the process, and in one of them it is mostly another day than in UTC. */
const ZONES = [
	'Europe/Berlin',
	'America/Los_Angeles',
	'Asia/Tokyo',
	'Australia/Adelaide',
	'Pacific/Kiritimati',
];

const PERSON = { displayId: '={{ $json.to }}', name: 'Nora' };
const VALUE = '={{ $json.value }}';

const mapper = (value: IDataObject, schema: IDataObject[] = []) =>
	({ mappingMode: 'defineBelow', value, schema }) as unknown as INodeParameters;
const described = (format: string): IDataObject => ({
	id: 'seen',
	displayName: 'Seen',
	type: 'string',
	valueType: format,
});

const imports = { resource: 'customer', operation: 'bulkImport' };
const profile = { resource: 'profile', operation: 'update', profileId: byId(102), simple: false };
const settings = { resource: 'settings', operation: 'update' };
const template = {
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '={{ $json.to }}', agentId: byId(11) },
	...{ templateName: byId('welcome'), templateLanguage: 'en_US' },
};

/** Where a value goes: its parameters, and the one place of the request in which it stands. */
const PLACES: Record<string, Array<[INodeParameters, RegExp]>> = {
	date: [
		[{ ...imports, columns: mapper({ ...PERSON, dateOfBirth: VALUE }) }, /"date_of_birth":"([^"]+)"/],
		[{ ...imports, columns: mapper({ ...PERSON, seen: VALUE }, [described('date')]) }, /"seen":"([^"]+)"/],
		[{ ...profile, updateFields: { dateOfBirth: VALUE } }, /"date_of_birth":"([^"]+)"/],
		[{ ...settings, tenantFields: mapper({ seen: VALUE }, [described('date')]) }, /"seen":"([^"]+)"/],
	],
	moment: [
		[{ ...imports, columns: mapper({ ...PERSON, custom1: VALUE }) }, /"custom_1":"([^"]+)"/],
		[
			{ ...imports, columns: mapper({ ...PERSON, seen: VALUE }, [described('date-time')]) },
			/"seen":"([^"]+)"/,
		],
		[{ ...profile, updateFields: { custom1: VALUE } }, /"custom_1":"([^"]+)"/],
		[{ ...profile, fields: { field: [{ name: 'seen', value: VALUE }] } }, /"seen":"([^"]+)"/],
		[{ ...settings, tenantFields: mapper({ seen: VALUE }, [described('date-time')]) }, /"seen":"([^"]+)"/],
		[
			{
				...template,
				...{ variablesMode: 'components', bodyVariables: { variable: [{ name: '1', text: VALUE }] } },
			},
			/"text":"([^"]+)"/,
		],
		[{ ...template, variablesMode: 'form', variables: mapper({ body_1: VALUE }) }, /"text":"([^"]+)"/],
	],
};

const place = ([parameters]: [INodeParameters, RegExp], index: number) =>
	`${String(parameters.resource)}: ${String(parameters.operation)}, place ${index + 1}`;

/** A moment in months in which no clock changes, and not midnight in UTC, which is a day of databases. */
const someMoment = () =>
	Date.UTC(2020 + upTo(5), oneOf([0, 5, 6, 11]), 1, 0, 0, 0, 1 + upTo(30 * 86_400_000));

/** A moment in all forms that expressions and databases give it. */
const formsOf = (at: number, zone: string, isTyped: boolean): unknown[] => [
	new Date(at),
	...['utc', zone, oneOf(ZONES)].map((one) => DateTime.fromMillis(at, { zone: one })),
	DateTime.fromMillis(at, { zone: oneOf(ZONES) }).toISO(),
	new Date(at).toISOString(),
	// Without a zone, where the field is a point in time: elsewhere it is a text.
	...(isTyped ? [DateTime.fromMillis(at, { zone }).toISO({ includeOffset: false })] : []),
];

/** What stands in the requests of a run with an item for each form of a moment, in any order. */
async function sentOf([parameters, pattern]: [INodeParameters, RegExp], at: number, timezone: string) {
	const values = formsOf(at, timezone, /"valueType"|dateOfBirth/.test(JSON.stringify(parameters)));
	const items = values.map((value, index) => ({ json: { value, to: `4917100000${index}` } as IDataObject }));
	tenant.arrived.splice(0);
	const { error } = await tenant.run(parameters, { items, timezone });
	expect(error?.message).toBeUndefined();
	const bodies = JSON.stringify(tenant.arrived.map(({ body }) => body));
	const sent = [...bodies.matchAll(new RegExp(pattern, 'g'))].map(([, one]) => one);
	expect(sent).toHaveLength(values.length);
	return sent;
}

beforeEach(() => {
	const record = () => ({ data: { id: 102 } });
	tenant.answer({
		...{ 'POST /customers/bulk-import': () => ({ data: { id: 1 } }), 'PATCH /profiles/102': record },
		...{ 'PATCH /settings/general': record, 'POST /chatapp/send-template': record },
	});
});

describe("a moment of an expression is the day in the workflow's time zone, whatever its form", () => {
	it.each(PLACES.date.map((one, index) => [place(one, index), one] as const))('%s', async (_place, one) => {
		const zone = oneOf(ZONES);
		const day = DateTime.fromMillis(someMoment(), { zone }).startOf('day');
		// In UTC, it is the day before, or the one after.
		for (const at of [day.plus({ minutes: 1 + upTo(59) }), day.endOf('day').minus({ minutes: upTo(60) })]) {
			const sent = await sentOf(one, at.toMillis(), zone);
			expect({ at: at.toISO(), zone, sent }).toEqual({
				...{ at: at.toISO(), zone, sent: sent.map(() => day.toISODate()) },
			});
		}
	});
});

describe('a moment of an expression stays that moment, whatever its form', () => {
	it.each(PLACES.moment.map((one, index) => [place(one, index), one] as const))('%s', async (_place, one) => {
		const [at, zone] = [someMoment(), oneOf(ZONES)];
		const sent = await sentOf(one, at, zone);
		expect({ zone, sent: sent.map((text) => Date.parse(text)), as: sent }).toEqual({
			...{ zone, sent: sent.map(() => at), as: sent },
		});
	});
});
