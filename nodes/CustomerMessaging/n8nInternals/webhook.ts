import { type IDataObject, type IWebhookFunctions, type NodeOperationError, sleep } from 'n8n-workflow';

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

/**
 * Makes n8n store a text in the static data of a node. n8n promises neither the time of this write, after the execution
 * has begun, nor that it serializes with `toJSON`. n8n 2.41 wraps the data once more before that write, so the member is
 * set again after that.
 */
export function keepInStaticData(staticData: IDataObject, member: string, write: () => string): void {
	const put = () => {
		staticData[member] = { toJSON: write } as unknown as IDataObject;
	};
	put();
	void sleep(0).then(put);
}
