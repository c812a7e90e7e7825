import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import { nodeError, unclearSendError } from '../../transport/errors';
import type { OnceKey } from './sendOnce';
import type { Sent } from '../delivery/undelivered';

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
 * What is remembered of the message of an item, so that it is not sent twice.
 *
 * With *Retry On Fail*, n8n runs the node again for all items, including the sent ones. So the outcome is kept for these
 * attempts. For a step of the workflow, it is in the node's context, which stays the same over the attempts. For a tool
 * call, it belongs to the arguments of the call. Over all executions, only the key of *Send Once* is kept.
 */
export class SentMemory {
	private readonly outcomes: Outcomes = {};

	/** Name of the message's outcome among the others. */
	private readonly name: string = '';

	constructor(
		private readonly context: ItemContext,
		private readonly onceKey: OnceKey | undefined,
	) {
		if (context.getNode().retryOnFail !== true) return;
		const ofToolCall = outcomesOfToolCall(context);
		if (ofToolCall) {
			this.outcomes = ofToolCall;
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
		this.name = `${run}/${context.getItemIndex()}/${content}`;
	}

	/**
	 * Returns the message that an attempt before has sent; undefined if it is to be sent.
	 *
	 * A retry from n8n's list of executions continues with the context of the failed execution. A person who has read that
	 * an outcome is unknown has decided about it there.
	 *
	 * @param body the body that is to be sent
	 * @throws NodeApiError when the outcome of the attempt before is unknown
	 */
	before(body: object): Sent | undefined {
		const outcome = this.outcomes[this.name] as Outcome | undefined;
		if (!outcome || !('unclear' in outcome)) return outcome;
		if (outcome.execution === this.context.getExecutionId()) throw this.unclear(outcome.unclear, body);
		return undefined;
	}

	/** Remembers that the message is about to be sent. @returns the output item if its key was used before */
	async begin(): Promise<IDataObject | undefined> {
		return await this.onceKey?.take();
	}

	/** Remembers a message that the service took. */
	sent({ items, undelivered }: Sent): void {
		this.outcomes[this.name] = {
			items: items.map(({ json }) => ({ json })),
			...(undelivered && { undelivered }),
		};
		this.onceKey?.keep();
	}

	/**
	 * Remembers a message that may have been sent, and forgets one that was certainly not sent.
	 *
	 * @param body the body that was sent; undefined if the attempt ended before
	 * @returns the error about the message
	 */
	async failed(error: unknown, body: object | undefined): Promise<ReturnType<typeof nodeError>> {
		const { context, onceKey } = this;
		const failure = nodeError(context.getNode(), error, context.getItemIndex());
		if (body && failure.context.outcome === 'unknown') {
			onceKey?.keep();
			this.outcomes[this.name] = { unclear: failure.message, execution: context.getExecutionId() };
			return this.unclear(failure.message, body);
		}
		await onceKey?.release().catch(() => {
			const told = 'n8n could not take the key of Send Once back, so it counts as used.';
			failure.description = [failure.description, told].filter(Boolean).join('\n');
		});
		return failure;
	}

	private unclear(problem: string, body: object) {
		return unclearSendError(this.context.getNode(), problem, body, this.context.getItemIndex());
	}
}
