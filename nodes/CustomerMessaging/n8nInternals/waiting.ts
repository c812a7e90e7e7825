import type { IDataObject, IExecuteFunctions, INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';

/** Returns a text as it stands in an expression of n8n. Braces would end the expression. */
export function quoteInExpression(words: string): string {
	return JSON.stringify(words).replace(/[{}]/g, (brace) => `\\u00${brace.charCodeAt(0).toString(16)}`);
}

// n8n keeps a waiting execution with its context and the input of the node that waits. It does not promise that a webhook
// can read the context, nor that the input that it keeps is the one that the node holds.

/** The signed link of an execution that waits. */
export const signedResumeUrl = (context: object, parameters: Record<string, string>): string =>
	(context as IExecuteFunctions).getSignedResumeUrl(parameters);

/** Returns what the node has put into its context before it waited; undefined if there is nothing. */
export function keptInContext(context: IWebhookFunctions, member: string): unknown {
	const name = quoteInExpression(context.getNode().name);
	return context.evaluateExpression(`{{ $node[${name}].context[${quoteInExpression(member)}] }}`);
}

/** Adds fields to the items with which the workflow goes on when nobody answers in time. */
export function markForTimeOut(input: INodeExecutionData[], mark: IDataObject): void {
	for (const item of input) item.json = { ...item.json, ...mark };
}

/** Has n8n stop the execution after this node, until the link of `signedResumeUrl` is used or the time comes. */
export async function putToWait(context: object, until: Date): Promise<void> {
	await (context as IExecuteFunctions).putExecutionToWait(until);
}
