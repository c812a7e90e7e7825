import { createHash } from 'node:crypto';

import { NodeConnectionTypes } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import { unclearSendError } from '../../transport/errors';
import { leaving } from '../../transport/leaving';
import { ofRun } from '../../transport/nodeRun';
import { stringOf } from '../../values/text';
import type { OnceKey } from './sendOnce';
import type { Sent } from '../delivery/undelivered';

/** The outcome of a message: what was sent, or the reason why the outcome is unknown, and in which execution. */
type SendingOutcome = Sent | { unclear: string; execution: string };

/** Large integers, which JSON does not have, as text. */
const withoutLargeIntegers = (_name: string, value: unknown) =>
	typeof value === 'bigint' ? String(value) : value;

type Outcomes = Record<string, SendingOutcome>;

/**
 * Returns the outcomes of the tool call that the node runs for; undefined if the node is a step of the workflow.
 *
 * Agents before version 3 and the MCP Server Trigger call the node as a tool within their own run. There, `$runIndex`
 * grows with each attempt, and two calls of a tool may have the same one. n8n gives the same object with the arguments to
 * all attempts of one call, and a new one to each call.
 */
async function outcomesOfToolCall(context: ItemContext): Promise<Outcomes | undefined> {
	if (context.getExecuteData().node.name === context.getNode().name) return undefined;
	const ofCalls = await ofRun(context, SentMemory, () => new WeakMap<object, Outcomes>());
	const { json: callArguments } = context.getInputData(0, NodeConnectionTypes.AiTool);
	const outcomes = ofCalls.get(callArguments) ?? {};
	ofCalls.set(callArguments, outcomes);
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
	/** @param name name of the message's outcome among the others */
	private constructor(
		private readonly context: ItemContext,
		private readonly onceKey: OnceKey | undefined,
		private readonly outcomes: Outcomes = {},
		private readonly name = '',
	) {}

	static async of(context: ItemContext, onceKey: OnceKey | undefined): Promise<SentMemory> {
		if (context.getNode().retryOnFail !== true) return new SentMemory(context, onceKey);
		const ofToolCall = await outcomesOfToolCall(context);
		if (ofToolCall) return new SentMemory(context, onceKey, ofToolCall);
		const kept = context.getContext('node') as { sentMessages?: Outcomes };
		kept.sentMessages ??= {};
		const run = stringOf(context.evaluateExpression('{{ $runIndex }}', context.getItemIndex()));
		// A retry gets the same item. Its message may differ, for example if an expression writes the time into it.
		const content = createHash('sha256')
			.update(JSON.stringify(context.getInputData().json, withoutLargeIntegers))
			.digest('hex');
		const name = `${run}/${context.getItemIndex()}/${content}`;
		return new SentMemory(context, onceKey, kept.sentMessages, name);
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
		const outcome = this.outcomes[this.name] as SendingOutcome | undefined;
		if (!outcome || !('unclear' in outcome)) return outcome;
		if (outcome.execution === this.context.getExecutionId()) throw this.unclear(outcome.unclear, body);
		return undefined;
	}

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
	async failed(error: unknown, body: object | undefined): ReturnType<typeof leaving> {
		const { context, onceKey } = this;
		const failure = await leaving(context, error, context.getItemIndex());
		if (body && failure.context.outcome === 'unknown') {
			onceKey?.keep();
			this.outcomes[this.name] = { unclear: failure.message, execution: context.getExecutionId() };
			return this.unclear(failure.message, body);
		}
		await onceKey?.release().catch(() => {
			const note = 'n8n could not take the key of Send Once back, so it counts as used.';
			failure.description = [failure.description, note].filter(Boolean).join('\n');
		});
		return failure;
	}

	private unclear(problem: string, body: object) {
		return unclearSendError(this.context.getNode(), problem, body, this.context.getItemIndex());
	}
}
