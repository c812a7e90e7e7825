import { TOLD_FAILURES } from './composedAnswers.mts';
import { wordsProblem } from './composedOperations.mts';
import type { Outcome } from './composedRuns.mts';
import { meet, shownText } from './generated.mts';
import { ANSWERED, type AnsweredOperation } from './operations.mts';
import type { ServedTenant, TenantServer } from './tenantServer.mts';

/** An operation that writes, and a failure that the tenant tells with a status that says success. */
export interface ToldFailure {
	name: string;
	operation: AnsweredOperation;
	text: string;
}

export const WRITES = ANSWERED.filter(({ kind }) => kind !== 'read');

export const TOLD_FAILURE_CASES: ToldFailure[] = WRITES.flatMap((operation) =>
	Object.entries(TOLD_FAILURES).map(([what, text]) => ({
		name: `${operation.name}: a failure told with 200: ${what}`,
		operation,
		text,
	})),
);

/** Runs an operation whose write fails, as its answer tells. @returns what is wrong with what came */
export async function meetToldFailure(
	server: TenantServer,
	{ operation, text }: ToldFailure,
): Promise<Outcome> {
	let writes = 0;
	const tenant: ServedTenant = {
		log: [],
		offences: [],
		answer: ({ method }, response) => {
			const isWrite = method !== 'GET';
			if (isWrite) writes++;
			response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(isWrite ? text : '{"data":[{"id":3},{"id":7}]}');
		},
	};
	const { error } = await meet(server, operation, () => tenant);
	if (!error) return { problem: 'it was refused, but did not fail', isMet: writes > 0 };
	const isTold = shownText(error).includes('No such thing');
	const problem = wordsProblem(error) ?? (isTold ? undefined : 'the error does not say "No such thing"');
	return { problem, isMet: writes > 0 };
}
