import { inspect } from 'node:util';

import fc from 'fast-check';

import { SEED } from '../amount.mts';
import { type NodeRun, runNode } from '../../engine/engine.mts';
import type { Operation } from './operations.mts';
import type { ServedTenant, TenantServer } from './tenantServer.mts';

/** Tenants that are met at the same time. */
const LANES = 8;

/** At most so many lines tell of a failure. */
const MAX_LINES = 36;

/** What was wrong with a tenant, as text; undefined when all was well. */
export type ProblemOf<Tenant> = (tenant: Tenant) => Promise<string | undefined>;

/**
 * Meets that many tenants, several at a time.
 *
 * @returns what is wrong with one that fails
 */
export async function findProblem<Tenant>(
	tenants: fc.Arbitrary<Tenant>,
	problemOf: ProblemOf<Tenant>,
	amount: number,
): Promise<string | undefined> {
	const property = () =>
		fc.asyncProperty(tenants, async (tenant) => {
			const problem = await problemOf(tenant);
			if (problem !== undefined) throw new Error(problem);
		});
	const lanes = Math.min(LANES, amount);
	const results = await Promise.all(
		Array.from({ length: lanes }, async (_, lane) => {
			const numRuns = Math.floor(amount / lanes) + (lane < amount % lanes ? 1 : 0);
			return await fc.check(property(), { seed: SEED + lane, numRuns });
		}),
	);
	const failed = results.find((result) => result.failed);
	if (!failed) return undefined;
	const { errorInstance } = failed;
	const problem = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
	const lines = [`FC_SEED=${SEED} makes it again.`, ...problem.split('\n')];
	return lines.slice(0, MAX_LINES).join('\n    ');
}

/** An error as a person sees it. */
export function shownText(error: NonNullable<NodeRun['error']>): string {
	return `${error.message}\n${error.description ?? ''}`;
}

/** Words that no reason holds: they tell of a mistake in the node, not of what the tenant did. */
const NO_REASON =
	/undefined|\[object|object null|is not a function|is not iterable|is not valid JSON|Invalid URL|Cannot (convert|destructure|read)|Unexpected token/;

/** What is wrong with an error, whatever it is about. */
export function reasonProblem(error: NonNullable<NodeRun['error']>): string | undefined {
	if (!/^Node(Api|Operation)Error$/.test(error.name)) return `the error is a ${error.name}`;
	const [match] = NO_REASON.exec(shownText(error)) ?? [];
	return match && `the error names no reason, but "${match}"`;
}

/** A run of the node against one generated tenant. */
export interface Meeting extends NodeRun {
	tenant: ServedTenant;
	token: string;
}

/** Runs an operation against a generated tenant, which is gone afterwards. */
export async function meet(
	server: TenantServer,
	{ parameters, items }: Operation,
	makeTenant: (token: string) => ServedTenant,
	copies = 1,
): Promise<Meeting> {
	const token = server.nextToken();
	const tenant = makeTenant(token);
	server.serve(token, tenant);
	const given = items ?? [{ json: {} }];
	try {
		const run = await runNode({
			parameters: { advanced: { maximumTries: 3 }, ...parameters },
			items: Array.from({ length: copies }, () => given).flat(),
			credentials: { tenantDomain: server.origin, accessToken: token },
		});
		return { ...run, tenant, token };
	} finally {
		server.forget(token);
	}
}

/** What is wrong wherever a token is seen or a request went where none may go. */
export function offenceOf({ tenant, token, error, items }: Meeting): string | undefined {
	const [offence] = tenant.offences;
	if (offence !== undefined) return offence;
	if (error && inspect(error, { depth: 6 }).includes(token)) return 'the error holds the token';
	return JSON.stringify(items).includes(token) ? 'an item holds the token' : undefined;
}

const MAX_PRINTED = 8;

function abridged(lines: string[]): string[] {
	const more = lines.length > MAX_PRINTED ? [`… ${lines.length} in all`] : [];
	return [
		...lines.slice(0, MAX_PRINTED).map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line)),
		...more,
	];
}

/** A failure as a person reads it: what was wrong, with which tenant, and what came. */
export function told(
	problem: string,
	operation: Operation,
	tenant: object,
	{ tenant: served, error, items }: Meeting,
): string {
	return [
		`${operation.name}: ${problem}`,
		`tenant: ${JSON.stringify(tenant)}`,
		'requests:',
		...abridged(served.log).map((line) => `  ${line}`),
		...(error ? [`error: ${shownText(error).replaceAll('\n', ' / ')}`] : []),
		`items: ${items.length}`,
		...abridged(items.map(({ json }) => JSON.stringify(json))).map((line) => `  ${line}`),
	].join('\n');
}
