import type { FastifyRequest } from 'fastify';
import type { Access } from './control/access.mts';
import { FAULT_KINDS, FAULT_RULE, type FaultRule } from './faults.mts';
import { Refusal } from './refusal.mts';
import { problemFinder } from './validation.mts';

/** Names a fault for the request that carries it: its kind alone, or a rule in JSON. */
export const FAULT_HEADER = 'x-sandbox-fault';

/** Which of several requests a rule meets says nothing about one. */
const ABOUT_SEVERAL = ['times', 'skip', 'probability', 'seed', 'perSecond', 'quotaHeaders'];

const findProblem = problemFinder(() => ({
	...FAULT_RULE,
	properties: Object.fromEntries(
		Object.entries(FAULT_RULE.properties).filter(([name]) => !ABOUT_SEVERAL.includes(name)),
	),
}));

function read(header: string): unknown {
	if (!header.trimStart().startsWith('{')) return { kind: header.trim() };
	try {
		return JSON.parse(header);
	} catch (error) {
		return (error as Error).message;
	}
}

/**
 * The fault that a request brings along for itself.
 * @throws 400 when it is none; 401 and 403 for those who may not use the control plane
 */
export function faultOf(request: FastifyRequest, access: Access): FaultRule | undefined {
	const header = request.headers[FAULT_HEADER];
	if (header === undefined) return undefined;
	access.checkRequest(request);
	const rule = read(String(header));
	const problem = typeof rule === 'string' ? `${rule}.` : findProblem(rule);
	if (problem === undefined) return rule as FaultRule;
	const text = `X-Sandbox-Fault takes ${FAULT_KINDS.join(', ')}, or JSON such as {"kind":"rate-limit","retryAfter":2}.`;
	throw new Refusal(400, `${text} ${problem}`);
}
