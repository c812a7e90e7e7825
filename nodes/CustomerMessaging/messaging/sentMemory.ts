import { createHash } from 'node:crypto';

import type { IDataObject, IExecuteSingleFunctions, INodeExecutionData } from 'n8n-workflow';

/** The outcome of a message: its output items, or the reason why the outcome is unknown. */
type Outcome = { items: Array<{ json: IDataObject }> } | { unclear: string };

/** Large integers, which JSON does not have, as text. */
const withoutLargeIntegers = (_name: string, value: unknown) =>
	typeof value === 'bigint' ? String(value) : value;

/**
 * The messages that this run of the node has sent.
 *
 * With *Retry On Fail*, n8n runs the node again for all items, including the sent ones. Only the node's context stays
 * the same over these attempts. So this class keeps the outcomes there, if the node has *Retry On Fail*.
 */
export class SentMemory {
	private readonly outcomes: Record<string, Outcome> = {};

	private readonly key: string = '';

	/** @param skipsSent whether a retry leaves out the messages that were sent */
	constructor(context: IExecuteSingleFunctions, skipsSent: boolean) {
		if (context.getNode().retryOnFail !== true || !skipsSent) return;
		const kept = context.getContext('node') as { sentMessages?: Record<string, Outcome> };
		kept.sentMessages ??= {};
		this.outcomes = kept.sentMessages;
		const run = String(context.evaluateExpression('{{ $runIndex }}', context.getItemIndex()));
		// A retry gets the same item. Its message may differ, for example if an expression writes the time into it.
		const content = createHash('sha256')
			.update(JSON.stringify(context.getInputData().json, withoutLargeIntegers))
			.digest('hex');
		this.key = `${run}/${context.getItemIndex()}/${content}`;
	}

	get outcome(): Outcome | undefined {
		return this.outcomes[this.key];
	}

	sent(items: INodeExecutionData[]): void {
		this.outcomes[this.key] = { items: items.map(({ json }) => ({ json })) };
	}

	unclear(problem: string): void {
		this.outcomes[this.key] = { unclear: problem };
	}
}
