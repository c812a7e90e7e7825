import fc from 'fast-check';

import { AMOUNT } from '../amount.mts';
import { expectNoFailures, expectNone } from '../../engine/expectNone.mts';
import {
	type AnswerTenant,
	answerTenants,
	askFor,
	emptyTally as emptyAnswerTally,
	PLAINEST_ANSWERS,
	spaceOf,
} from './answerTenants.mts';
import { findProblem } from './generated.mts';
import {
	emptyTally,
	type ListTenant,
	listTenants,
	PAGED_SPACE,
	plainestLists,
	readList,
	UNPAGED_SPACE,
} from './listTenants.mts';
import { ANSWER_GROUPS, ANSWERED, PAGED_LISTS, UNCLEAR, UNPAGED_LISTS } from './operations.mts';
import { TenantServer } from './tenantServer.mts';
import { type Group, isAboutRefusals, singleValues, traitName } from './traits.mts';

/** Tenants that are met for each trait; they are met in combination too. */
const OF_EACH_TRAIT = Math.min(40, Math.max(12, Math.floor(AMOUNT / 20)));

const server = TenantServer.inEachFile();

/** An operation, by its name, and the tenant that it meets. */
interface Case {
	operation: string;
	tenant: ListTenant | AnswerTenant;
}

const lists = new Map([...PAGED_LISTS, ...UNPAGED_LISTS].map((operation) => [operation.name, operation]));
const others = new Map(ANSWERED.map((operation) => [operation.name, operation]));
const listTally = emptyTally();
const answerTally = emptyAnswerTally();

async function problemOf({ operation, tenant }: Case): Promise<string | undefined> {
	const list = lists.get(operation);
	if (list) return await readList(server, list, tenant as ListTenant, listTally);
	const other = others.get(operation);
	if (!other) throw new Error(`There is no ${operation}`);
	return await askFor(server, other, tenant as AnswerTenant, answerTally);
}

/** The cases of each trait, which may come from several groups. */
const casesOf = new Map<string, Array<fc.Arbitrary<Case>>>();

function add(
	group: Group,
	{ dimension, value }: { dimension: string; value: number | string },
	operations: Array<{ name: string }>,
	tenants: fc.Arbitrary<ListTenant | AnswerTenant>,
): void {
	const name = traitName(group, dimension, value);
	const cases = fc.record({
		operation: fc.constantFrom(...operations.map((one) => one.name)),
		tenant: tenants,
	});
	casesOf.set(name, [...(casesOf.get(name) ?? []), cases]);
}

for (const [group, operations, space] of [
	['list of pages', PAGED_LISTS, PAGED_SPACE],
	['list at once', UNPAGED_LISTS, UNPAGED_SPACE],
] as const) {
	for (const { part, ...trait } of singleValues(space, plainestLists(space))) {
		const isAboutSize = trait.dimension === 'page size' && space === PAGED_SPACE;
		const asked = isAboutSize ? operations.filter((one) => one.hasPageSize) : operations;
		add(group, trait, asked, listTenants(part, isAboutRefusals(trait.dimension)));
	}
}
for (const group of ANSWER_GROUPS) {
	const operations = ANSWERED.filter((one) => one.kind === group);
	for (const { part, ...trait } of singleValues(spaceOf(group), PLAINEST_ANSWERS))
		add(group, trait, operations, answerTenants(part, isAboutRefusals(trait.dimension)));
}

const names = [...casesOf.keys()];
const groups = [...new Set(names.map((name) => name.split(':')[0]))];
const found = new Map<string, string>();

it.each(groups)('meets tenants with each trait by itself: %s', async (group) => {
	for (const name of names.filter((one) => one.startsWith(`${group}:`))) {
		const cases = fc.oneof(...(casesOf.get(name) ?? []));
		const problem = await findProblem(cases, problemOf, OF_EACH_TRAIT);
		if (problem !== undefined) found.set(name, problem);
	}
});

it('it is known of every operation what it asks for', () => {
	expectNone(
		UNCLEAR.map(
			(name) =>
				`test/generated/tenants/operations.mts: no "${name}", and the contract does not tell its kind; add it there`,
		),
	);
});

it('the tenants were what they are meant to be', () => {
	expect(names.length).toBeGreaterThan(300);
	expect(listTally.ofSeveralPages).toBeGreaterThan(listTally.tenants / 8);
	expect(listTally.readWhole).toBeGreaterThan(listTally.tenants / 4);
	expect(listTally.refused).toBeGreaterThan(listTally.tenants / 20);
	expect(answerTally.carriedOut).toBeGreaterThan(answerTally.tenants / 2);
	expect(answerTally.refused).toBeGreaterThan(answerTally.tenants / 20);
	expect(answerTally.askedAgain).toBeGreaterThan(0);
});

it('tenants with each trait are served', () => {
	expectNoFailures(found);
});
