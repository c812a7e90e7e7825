import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { wordsProblem } from '../tenants/composedOperations.mts';
import type { Outcome } from '../tenants/composedRuns.mts';
import type { TenantServer } from '../tenants/tenantServer.mts';
import { columns, IMPORT } from './failing.mts';
import { runAgainst } from './itemRuns.mts';
import { ItemsTenant } from './itemsTenant.mts';

interface Person {
	/** Last digits of the number. */
	number: string;
	name: string;
	/** The setting that differs from item to item. */
	setting: string;
	birthday?: string;
}

/** What became of a person: the request that named them, and its setting for customers that exist. */
interface Imported {
	duplicates: string;
	hasBirthday: boolean;
}

/** Items with a setting of their own, and what has to become of their people; undefined for who is left out. */
interface SettingCase {
	name: string;
	parameter: 'duplicates' | 'invalidValues' | 'repeatedNumbers';
	people: Person[];
	expected: Record<string, Partial<Imported> | undefined>;
}

const WRONG = 'no date';

const person = (name: string, number: string, setting: string, birthday = '1990-05-17'): Person => ({
	name,
	number: `+49 171 000000${number}`,
	setting,
	birthday,
});

const one = (
	parameter: SettingCase['parameter'],
	what: string,
	people: Person[],
	expected: SettingCase['expected'],
): SettingCase => ({ name: `own setting of each item: ${parameter}: ${what}`, parameter, people, expected });

/** Each may also be refused as a whole, with a reason, before anything is sent. */
export const SETTING_CASES: SettingCase[] = [
	one('duplicates', 'override, then skip', [person('Ada', '1', 'override'), person('Bea', '2', 'skip')], {
		Ada: { duplicates: 'override' },
		Bea: { duplicates: 'skip' },
	}),
	one('duplicates', 'skip, then override', [person('Ada', '1', 'skip'), person('Bea', '2', 'override')], {
		Ada: { duplicates: 'skip' },
		Bea: { duplicates: 'override' },
	}),
	one(
		'invalidValues',
		'skip the value, then the row',
		[person('Ada', '1', 'skipValue', WRONG), person('Bea', '2', 'skipRow', WRONG)],
		{ Ada: { hasBirthday: false }, Bea: undefined },
	),
	one(
		'invalidValues',
		'skip the row, then the value',
		[person('Ada', '1', 'skipRow', WRONG), person('Bea', '2', 'skipValue', WRONG)],
		{ Ada: undefined, Bea: { hasBirthday: false } },
	),
	one(
		'invalidValues',
		'skip the value, then fail',
		[person('Ada', '1', 'skipValue'), person('Bea', '2', 'fail', WRONG)],
		{ Ada: {}, Bea: undefined },
	),
	one(
		'repeatedNumbers',
		'keep the first, then the last',
		[
			...[person('Ada', '1', 'first'), person('Bea', '1', 'first')],
			...[person('Cleo', '2', 'last'), person('Dora', '2', 'last')],
		],
		{ Ada: {}, Bea: undefined, Cleo: undefined, Dora: {} },
	),
	one(
		'repeatedNumbers',
		'keep the last, then the first',
		[
			...[person('Ada', '1', 'last'), person('Bea', '1', 'last')],
			...[person('Cleo', '2', 'first'), person('Dora', '2', 'first')],
		],
		{ Ada: undefined, Bea: {}, Cleo: {}, Dora: undefined },
	),
	one(
		'repeatedNumbers',
		'keep the last, then fail',
		[
			...[person('Ada', '1', 'last'), person('Bea', '1', 'last')],
			...[person('Cleo', '2', 'fail'), person('Dora', '2', 'fail')],
		],
		{ Ada: undefined, Bea: {}, Cleo: undefined, Dora: undefined },
	),
];

interface ImportBody {
	duplicates: string;
	customers: Array<{ name: string; profile?: IDataObject }>;
}

function importedBy({ applied }: ItemsTenant): Map<string, Imported> {
	const bodies = applied.map((request) => JSON.parse(request.slice(request.indexOf('{'))) as ImportBody);
	return new Map(
		bodies.flatMap(({ duplicates, customers }) =>
			customers.map(({ name, profile }): [string, Imported] => [
				name,
				{ duplicates, hasBirthday: profile?.date_of_birth !== undefined },
			]),
		),
	);
}

function importProblem(
	expected: SettingCase['expected'],
	imported: ReadonlyMap<string, Imported>,
): string | undefined {
	for (const [name, wanted] of Object.entries(expected)) {
		const got = imported.get(name);
		if ((got === undefined) !== (wanted === undefined)) return `${name} was ${got ? '' : 'not '}imported`;
		const members = Object.entries(wanted ?? {}) as Array<[keyof Imported, unknown]>;
		const wrong = members.find(([member, value]) => got?.[member] !== value);
		if (wrong) return `${name} was imported with ${wrong[0]} ${String(got?.[wrong[0]])}`;
	}
	return undefined;
}

/** Imports items that have a setting of their own. */
export async function meetSettings(
	server: TenantServer,
	{ parameter, people, expected }: SettingCase,
): Promise<Outcome> {
	const tenant = new ItemsTenant();
	const parameters: INodeParameters = {
		...IMPORT,
		columns: columns({
			...{ displayId: '={{ $json.number }}', name: '={{ $json.name }}' },
			dateOfBirth: '={{ $json.birthday }}',
		}),
		[parameter]: '={{ $json.setting }}',
	};
	const items = people.map((json) => ({ json: { ...json } }));
	const { error } = await runAgainst(server, tenant, parameters, items, { onError: 'stopWorkflow' });
	const isRefused = error !== undefined && tenant.applied.length === 0;
	const problem = isRefused ? wordsProblem(error) : importProblem(expected, importedBy(tenant));
	return { problem, isMet: isRefused || problem !== undefined || tenant.applied.length > 0 };
}
