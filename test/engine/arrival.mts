import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

import { WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
	IWebhookData,
	IWebhookResponseData,
	NodeOperationError,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { workbench } from './engine.mts';

export const TRIGGER_NODE = 'n8n-nodes-customer-messaging.customerMessagingTrigger';

const CREDENTIAL = 'customerMessagingWebhookApi';

let arrivals = 0;

/** A request as n8n hands it to the trigger, with what a network would not let through. */
export interface Arrival {
	parameters?: INodeParameters;
	/** A JSON body; a new event each time unless given. */
	payload?: unknown;
	/** The body's bytes, or what reading them fails with; those of the payload unless given. */
	body?: Buffer | Error;
	headers?: IncomingHttpHeaders;
	mode?: WorkflowExecuteMode;
	/** What the trigger's credential holds, or why it cannot be read; without one the trigger asks for none. */
	credential?: ICredentialDataDecryptedObject | Error;
	/** Whether a credential is chosen in the trigger; it is unless told otherwise. */
	isCredentialChosen?: boolean;
	/** Tells workflows, triggers and credentials apart; new for each arrival unless given. */
	workflowId?: string;
	nodeId?: string;
	credentialId?: string;
	/** What n8n keeps for the trigger. */
	staticData?: IDataObject;
}

/** What became of it. */
export interface Arrived {
	/** The status with which the trigger answered by itself; undefined when it left the answer to n8n. */
	status: number | undefined;
	/** The items that start the workflow; undefined when it is not started. */
	items: IDataObject[] | undefined;
	/** The body of that answer. */
	body: unknown;
	/** What the person sees who listens for a test event. */
	error: NodeOperationError | undefined;
	/** What n8n is told. */
	result: IWebhookResponseData | undefined;
	/** How often the body was read. */
	bodyReads: number;
	/** How often the credential was read. */
	credentialReads: number;
	/** n8n answers, if the trigger has not. */
	answer: (status: number) => void;
}

/** A new agent message that has not come before. */
export function newMessage(): IDataObject {
	return { id: `message-${++arrivals}`, conversation_id: 3, from: 'agent', status: 'created' };
}

/** An event about a message that has not come before, but for these members. */
export const eventOf = (message: IDataObject = {}, event = 'new-agent-message') => ({
	event,
	message: { ...newMessage(), ...message },
});

/** Whether a request starts the workflow, or the status that the trigger gives instead. */
export async function outcome(arrival: Arrival = {}): Promise<'started' | number | undefined> {
	const { items, status } = await arrive(arrival);
	return items ? 'started' : status;
}

/** Brings a request to the compiled trigger in n8n's own context. */
export async function arrive(arrival: Arrival = {}): Promise<Arrived> {
	const { payload = eventOf() } = arrival;
	const {
		body = Buffer.from(JSON.stringify(payload)),
		credential,
		staticData = {},
		mode = 'webhook',
	} = arrival;
	const unique = String(++arrivals);
	const { nodeType, node, workflow, additionalData } = await workbench({
		type: TRIGGER_NODE,
		parameters: { authentication: credential ? 'credential' : 'none', ...arrival.parameters },
		settings: {
			id: arrival.nodeId ?? 'trigger',
			credentials:
				arrival.isCredentialChosen === false
					? {}
					: { [CREDENTIAL]: { id: arrival.credentialId ?? unique, name: 'Webhook' } },
		},
		workflowId: arrival.workflowId ?? unique,
	});
	workflow.setTestStaticData({ [`node:${node.name}`]: staticData });
	const counts = { bodyReads: 0, credentialReads: 0 };
	const request = {
		headers: { 'content-type': 'application/json', ...arrival.headers },
		rawBody: undefined as Buffer | undefined,
		async readRawBody() {
			counts.bodyReads++;
			if (body instanceof Error) throw body;
			request.rawBody = body;
		},
	};
	const response = Object.assign(new EventEmitter(), {
		statusCode: 200,
		isEnded: false,
		status(code: number) {
			response.statusCode = code;
			return response;
		},
		body: undefined as unknown,
		json(body: unknown) {
			response.body = body;
			response.end();
		},
		end() {
			response.isEnded = true;
			response.emit('finish');
		},
	});
	Object.assign(additionalData, { httpRequest: request, httpResponse: response });
	additionalData.credentialsHelper.getDecrypted = async () => {
		counts.credentialReads++;
		if (credential instanceof Error) throw credential;
		return { ...credential };
	};
	const webhook = { webhookDescription: { name: 'default' } } as IWebhookData;
	const context = new WebhookContext(workflow, node, additionalData, mode, webhook, [], null);
	const sent = { statusCode: 0, body: undefined as unknown };
	let [result, error]: [IWebhookResponseData | undefined, NodeOperationError | undefined] = [
		undefined,
		undefined,
	];
	try {
		result = await nodeType.webhook?.call(context);
	} catch (thrown) {
		error = thrown as NodeOperationError;
		// n8n then answers with an error of its own.
		Object.assign(sent, { statusCode: response.statusCode, body: response.body });
		(response.status(500) as typeof response).json({ code: 0 });
		expect({ statusCode: response.statusCode, body: response.body }).toEqual(sent);
	}
	return {
		...counts,
		body: response.body,
		error,
		status: response.isEnded ? response.statusCode : undefined,
		items: result?.workflowData?.[0].map(({ json }) => json),
		result,
		answer: (status) => response.status(status).end(),
	};
}
