import { expectNone } from '../../engine/expectNone.mts';
import { AMOUNT } from '../amount.mts';
import {
	type AnswerTally,
	type AnswerTenant,
	answerTenants,
	askFor,
	emptyTally,
	spaceOf,
} from './answerTenants.mts';
import { findProblem } from './generated.mts';
import { ANSWERED, UNCLEAR } from './operations.mts';
import { TenantServer } from './tenantServer.mts';

/** There are three times as many of these operations as there are lists, and less varies. */
const OF_EACH_OPERATION = Math.max(25, Math.ceil(AMOUNT / 10));

const server = TenantServer.inEachFile();
const tallies: AnswerTally[] = [];

describe.each(ANSWERED)('$name', (operation) => {
	const { kind } = operation;
	it(`${kind === 'read' ? 'gives what was asked for' : 'reports what happened'}, or says why not`, async () => {
		const tally = emptyTally();
		tallies.push(tally);
		const tenants = answerTenants(spaceOf(kind));
		const problemOf = async (tenant: AnswerTenant) => await askFor(server, operation, tenant, tally);
		const problem = await findProblem(tenants, problemOf, OF_EACH_OPERATION);
		if (problem !== undefined) throw new Error(problem);
		// A few tenants are left out, whose answer could mean two things.
		expect(tally.tenants).toBeGreaterThan(OF_EACH_OPERATION * 0.7);
		expect(tally.carriedOut).toBeGreaterThan(OF_EACH_OPERATION / 3);
	});
});

it('some tenants refused, and some of them were asked again', () => {
	const sum = (member: keyof AnswerTally) => tallies.reduce((total, tally) => total + tally[member], 0);
	expect(sum('refused')).toBeGreaterThan(sum('tenants') / 10);
	expect(sum('askedAgain')).toBeGreaterThan(sum('tenants') / 100);
});

it('it is known of every operation what it asks for', () => {
	expectNone(
		UNCLEAR.map(
			(name) =>
				`test/generated/tenants/operations.mts: no "${name}", and the contract does not tell its kind; add it there`,
		),
	);
});
