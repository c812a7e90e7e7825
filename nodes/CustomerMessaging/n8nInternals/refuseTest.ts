import type { IWebhookFunctions, NodeOperationError } from 'n8n-workflow';

/**
 * Responds to a webhook that came while a person listens for a test event, and shows that person an error. n8n shows in the
 * editor what a webhook throws, and responds to the sender with status 500. So ours is sent before, and n8n's does nothing.
 */
export function refuseTest(context: IWebhookFunctions, status: number, error: NodeOperationError): never {
	const response = context.getResponseObject();
	response.status(status).json({ message: error.message });
	Object.assign(response, { status: () => response, json: () => response });
	throw error;
}
