import { createHash } from 'node:crypto';

import { NodeConnectionTypes } from 'n8n-workflow';

import type { ItemContext } from '../core/field';
import { stringOf } from '../values/text';
import type { Sent } from './sendingOption';

/** What is known of a message that may have been sent: what went wrong, the body, and in which execution. */
export interface Unclear {
	description: string;
	httpCode?: string;
	body: object;
	execution: string;
}

type Outcomes = Partial<Record<string, Sent | Unclear>>;

/** Whether the node runs as a step of the workflow, or as a tool in a run of its own, and not within the run of an agent. */
export const isOwnRun = (context: ItemContext) =>
	context.getExecuteData().node.name === context.getNode().name;

/** By the arguments of a tool call, which outlive an attempt at it. n8n has no place for what its attempts share. */
const ofCalls = new WeakMap<object, Outcomes>();

/**
 * Returns the outcomes of the tool call that the node runs for. Agents before version 3 and the MCP Server Trigger call it
 * within their own run: `$runIndex` grows with each attempt, and two calls may share one. n8n gives the same arguments object to
 * all attempts of one call.
 */
function outcomesOfToolCall(context: ItemContext): Outcomes {
	const { json: callArguments } = context.getInputData(0, NodeConnectionTypes.AiTool);
	const outcomes = ofCalls.get(callArguments) ?? {};
	ofCalls.set(callArguments, outcomes);
	return outcomes;
}

/** Returns the name of an item among those of the node. A retry gets the same item. */
function nameOf(context: ItemContext): string {
	const index = context.getItemIndex();
	const run = stringOf(context.evaluateExpression('{{ $runIndex }}', index));
	// Its message may differ, for example if an expression writes the time into it.
	const content = createHash('sha256').update(JSON.stringify(context.getInputData().json)).digest('hex');
	return `${run}/${index}/${content}`;
}

/**
 * Returns what is remembered of an item's message, so that a retry does not send it twice. With *Retry On Fail*, n8n runs the node
 * again for all items, including the sent ones. The outcome is in the node's context, which stays the same over the attempts; for a
 * tool call, with its arguments.
 */
export function sentMemoryOf(context: ItemContext) {
	const isStep = isOwnRun(context);
	const outcomes = isStep
		? ((context.getContext('node') as { sentMessages?: Outcomes }).sentMessages ??= {})
		: outcomesOfToolCall(context);
	const name = isStep ? nameOf(context) : '';
	return {
		before: outcomes[name],
		keep(outcome: Sent | Unclear) {
			outcomes[name] = outcome;
		},
	};
}
