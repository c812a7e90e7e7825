import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

/** A message that the service took, but did not deliver. */
export interface Undelivered {
	id: IDataObject[string];
	latest_error: IDataObject[string];
}

/** A message that the service took. */
export interface Sent {
	items: INodeExecutionData[];
	undelivered?: Undelivered;
}

/** The outcome of a message: what was sent, or the reason why the outcome is unknown, and in which execution. */
type Outcome = Sent | { unclear: string; execution: string };

/** Large integers, which JSON does not have, as text. */
const withoutLargeIntegers = (_name: string, value: unknown) =>
	typeof value === 'bigint' ? String(value) : value;

type Outcomes = Record<string, Outcome>;

/** By the arguments of a tool call. n8n gives the same object to all attempts of one call, and a new one to each call. */
const outcomesOfToolCalls = new WeakMap<object, Outcomes>();

/**
 * Returns the outcomes of the tool call that the node runs for; undefined if the node is a step of the workflow.
 *
 * Agents before version 3 and the MCP Server Trigger call the node as a tool within their own run. There, `$runIndex`
 * grows with each attempt, and two calls of a tool may have the same one.
 */
function outcomesOfToolCall(context: IExecuteSingleFunctions): Outcomes | undefined {
	if (context.getExecuteData().node.name === context.getNode().name) return undefined;
	const { json: callArguments } = context.getInputData(0, NodeConnectionTypes.AiTool);
	const outcomes = outcomesOfToolCalls.get(callArguments) ?? {};
	outcomesOfToolCalls.set(callArguments, outcomes);
	return outcomes;
}

/**
 * The messages that this run of the node has sent.
 *
 * With *Retry On Fail*, n8n runs the node again for all items, including the sent ones. So this class keeps the
 * outcomes, if the node has *Retry On Fail*. For a step of the workflow, they are in the node's context, which stays the
 * same over the attempts. For a tool call, they belong to its arguments.
 */
export class SentMemory {
	private readonly outcomes: Outcomes = {};

	private readonly key: string = '';

	private readonly execution: string;

	/**
	 * @param skipsSent whether a retry leaves out the messages that were sent
	 * @param kind tells several messages of one item apart
	 */
	constructor(context: IExecuteSingleFunctions, skipsSent: boolean, kind = '') {
		this.execution = context.getExecutionId();
		if (context.getNode().retryOnFail !== true || !skipsSent) return;
		const ofToolCall = outcomesOfToolCall(context);
		if (ofToolCall) {
			this.outcomes = ofToolCall;
			this.key = kind;
			return;
		}
		const kept = context.getContext('node') as { sentMessages?: Outcomes };
		kept.sentMessages ??= {};
		this.outcomes = kept.sentMessages;
		const run = String(context.evaluateExpression('{{ $runIndex }}', context.getItemIndex()));
		// A retry gets the same item. Its message may differ, for example if an expression writes the time into it.
		const content = createHash('sha256')
			.update(JSON.stringify(context.getInputData().json, withoutLargeIntegers))
			.digest('hex');
		this.key = `${run}/${context.getItemIndex()}/${content}${kind}`;
	}

	/**
	 * What became of the message in an attempt before; undefined if it is to be sent.
	 *
	 * A retry from n8n's list of executions continues with the context of the failed execution. A person who has read that
	 * an outcome is unknown has decided about it there.
	 */
	get outcome(): Outcome | undefined {
		const outcome = this.outcomes[this.key] as Outcome | undefined;
		const isOfOtherExecution = outcome && 'unclear' in outcome && outcome.execution !== this.execution;
		return isOfOtherExecution ? undefined : outcome;
	}

	sent({ items, undelivered }: Sent): void {
		this.outcomes[this.key] = {
			items: items.map(({ json }) => ({ json })),
			...(undelivered && { undelivered }),
		};
	}

	unclear(problem: string): void {
		this.outcomes[this.key] = { unclear: problem, execution: this.execution };
	}
}
