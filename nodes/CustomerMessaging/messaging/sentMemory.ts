import { createHash } from 'node:crypto';

import type {
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

/** What became of a message: the items it gave, or why its outcome is unclear. */
type Outcome = { items: Array<{ json: IDataObject }> } | { unclear: string };

/**
 * The messages that this run of the node has sent.
 *
 * With *Retry On Fail* n8n runs a node again for all items, also for those that were sent. The node's context is the one
 * place that stays the same over these tries, so what was sent is remembered there, as long as a retry can come.
 */
export class SentMemory {
	private readonly outcomes: Record<string, Outcome> = {};

	private readonly key: string = '';

	/**
	 * @param options the request as it was declared, before anything was uploaded for it
	 * @param skipsSent whether a retry leaves out what was sent
	 */
	constructor(context: IExecuteSingleFunctions, { url, body }: IHttpRequestOptions, skipsSent: boolean) {
		if (context.getNode().retryOnFail !== true || !skipsSent) return;
		const kept = context.getContext('node') as { sentMessages?: Record<string, Outcome> };
		kept.sentMessages ??= {};
		this.outcomes = kept.sentMessages;
		const run = String(context.evaluateExpression('{{ $runIndex }}', context.getItemIndex()));
		const content = createHash('sha256')
			.update(`${url} ${JSON.stringify(body)}`)
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
