import { WebhookContext } from 'n8n-core';
import type { IDataObject, INode, INodeParameters, IRunExecutionData, IWebhookData } from 'n8n-workflow';

import { workbench } from './engine.mts';

/** A request to the link of a question. */
export interface Answer {
	/** What stands behind the question mark of the link, without n8n's signature. */
	query: Record<string, string>;
	/** The body of the form, as n8n reads it. Without one, the page is only opened. */
	form?: IDataObject;
	isMultipart?: boolean;
}

/**
 * Brings an answer to the compiled node in n8n's own context.
 *
 * @param kept what the node has put into its context before it waited
 * @returns the status of the page, and the items with which the workflow goes on, if it does
 */
export async function answerTo(
	{ typeVersion, parameters }: Pick<INode, 'typeVersion'> & { parameters: INodeParameters },
	kept: IDataObject,
	{ query, form, isMultipart }: Answer,
): Promise<{ status: number; items?: IDataObject[] }> {
	const { nodeType, node, workflow, additionalData } = await workbench({
		parameters,
		settings: { typeVersion },
	});
	const type = isMultipart ? 'multipart/form-data; boundary=x' : 'application/x-www-form-urlencoded';
	const response = { statusCode: 200, setHeader: () => response, end: () => response };
	Object.assign(additionalData, {
		httpRequest: {
			...{ method: form ? 'POST' : 'GET', query, body: form ?? {} },
			headers: form ? { 'content-type': type } : {},
		},
		httpResponse: response,
	});
	const waiting = {
		resultData: { runData: {} },
		executionData: { contextData: { [`node:${node.name}`]: kept }, nodeExecutionStack: [] },
	} as unknown as IRunExecutionData;
	const webhook = { webhookDescription: { name: 'default' } } as IWebhookData;
	const context = new WebhookContext(workflow, node, additionalData, 'webhook', webhook, [], waiting);
	const result = await nodeType.webhook?.call(context);
	return { status: response.statusCode, items: result?.workflowData?.[0].map(({ json }) => json) };
}
