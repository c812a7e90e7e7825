import { PollContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeParameters,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { workbench } from './engine.mts';

export const POLLING_NODE = 'n8n-nodes-customer-messaging.customerMessagingPollingTrigger';

/** The node and its workflow. */
export interface PollingSetUp {
	parameters: INodeParameters;
	credentials: ICredentialDataDecryptedObject;
	/** Settings of the node, such as its version. */
	settings?: Partial<INode>;
	/** Tells workflows apart. */
	workflowId?: string;
	/** What n8n gives a poll, if it is not five minutes. */
	budgetMs?: number;
}

/** Counts the workflows, so that each one has its own memory in the node's process. */
let workflows = 0;

/**
 * The polling node in n8n-core's own context, and the static data that n8n keeps for it.
 *
 * As n8n does without durable cursors, it stores them when the workflow is published and when a poll starts the workflow.
 * What changed otherwise is in the memory of the process only.
 */
export class PollingNode {
	/** What n8n has written into its database. */
	stored = '{}';

	/** What the running process has. */
	private inMemory: IDataObject | undefined;

	/** What n8n has logged of the node. */
	readonly log: string[] = [];

	private readonly workflowId: string;

	constructor(private readonly setUp: PollingSetUp) {
		this.workflowId = setUp.workflowId ?? `polling ${++workflows}`;
	}

	/** What the running process remembers, as text. */
	get remembered(): string {
		return String(this.inMemory?.polling);
	}

	/** Polls once. @returns the items that start the workflow */
	async poll(change: Partial<PollingSetUp> = {}): Promise<IDataObject[]> {
		const isFirst = this.stored === '{}';
		const staticData = (this.inMemory ??= JSON.parse(this.stored) as IDataObject);
		const items = await this.call('trigger', staticData, change);
		if (items || isFirst) this.stored = JSON.stringify(staticData);
		return items ?? [];
	}

	/** Does what *Fetch Test Event* does. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		return (await this.call('manual', (this.inMemory ??= {}), {})) ?? [];
	}

	/** Ends the process of n8n without a warning, and starts it again. */
	restart(): void {
		this.inMemory = undefined;
	}

	private async call(
		mode: WorkflowExecuteMode,
		staticData: IDataObject,
		change: Partial<PollingSetUp>,
	): Promise<IDataObject[] | undefined> {
		const { parameters, credentials, settings, budgetMs } = { ...this.setUp, ...change };
		const { nodeType, node, workflow, additionalData } = await workbench({
			type: POLLING_NODE,
			parameters,
			credentials,
			settings,
			workflowId: this.workflowId,
		});
		workflow.setTestStaticData({ [`node:${node.name}`]: staticData });
		const context = new PollContext(workflow, node, additionalData, mode, 'activate');
		if (budgetMs !== undefined) Object.assign(context, { getPollBudgetMs: () => budgetMs });
		const noted = (text: string) => void this.log.push(text);
		Object.defineProperty(context, 'logger', {
			value: { debug: noted, info: noted, warn: noted, error: noted },
		});
		const result = await nodeType.poll?.call(context);
		return result?.[0].map(({ json }) => json);
	}
}
