import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { WebhookContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
	IWebhookData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { type Question, send } from '../http.mts';
import { workbench } from './engine.mts';

const TRIGGER_NODE = 'n8n-nodes-customer-messaging.customerMessagingTrigger';

/** How the trigger is set up while a request comes in. */
export interface TriggerSetUp {
	parameters?: INodeParameters;
	credential?: ICredentialDataDecryptedObject;
	mode?: WorkflowExecuteMode;
	/** Tells credentials apart; by what they hold unless given. */
	credentialId?: string;
	/** Tells workflows apart; deliveries are remembered for each. */
	workflowId?: string;
}

/** What became of a request. */
export interface Reception {
	status: number;
	body: string;
	/** Items that would start the workflow; undefined when it is not started. */
	items: IDataObject[] | undefined;
}

type ExpressRequest = IncomingMessage & { body?: unknown };

/** The trigger behind a real HTTP server, in n8n-core's own webhook context, with n8n's way of reading raw bodies. */
export class WebhookServer {
	/** Static data of the workflows, as n8n keeps it over a restart. */
	staticData = new Map<string, IDataObject>();

	private setUp: TriggerSetUp = {};

	private last: IDataObject[] | undefined;

	private server: Server | undefined;

	get url(): string {
		return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
	}

	async start(): Promise<void> {
		this.server = createServer((request, response) => void this.answer(request, response));
		await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
	}

	async stop(): Promise<void> {
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}

	/** Sends a request to the trigger. */
	async deliver(setUp: TriggerSetUp, question: Question): Promise<Reception> {
		this.setUp = setUp;
		this.last = undefined;
		const { status, body } = await send(this.url, { method: 'POST', ...question });
		return { status, body, items: this.last };
	}

	private async answer(request: ExpressRequest, response: ServerResponse): Promise<void> {
		const { parameters = {}, credential = {}, mode = 'webhook', workflowId = 'test' } = this.setUp;
		const { credentialId = JSON.stringify(credential) } = this.setUp;
		request.readRawBody = async () => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(chunk as Buffer);
			request.rawBody = Buffer.concat(chunks);
		};
		const { nodeType, node, workflow, additionalData } = await workbench({
			type: TRIGGER_NODE,
			parameters: { authentication: 'none', ...parameters },
			credentials: credential,
			settings: { credentials: { customerMessagingWebhookApi: { id: credentialId, name: 'Webhook' } } },
			workflowId,
		});
		const staticData = this.staticData.get(workflowId) ?? {};
		workflow.setTestStaticData({ [`node:${node.name}`]: staticData });
		Object.assign(additionalData, {
			httpRequest: request,
			httpResponse: Object.assign(response, {
				status(code: number) {
					response.statusCode = code;
					return response;
				},
				json: (said: unknown) => response.end(JSON.stringify(said)),
			}),
		});
		const context = new WebhookContext(
			workflow,
			node,
			additionalData,
			mode,
			{ webhookDescription: { name: 'default' } } as IWebhookData,
			[],
			null,
		);
		const result = await nodeType.webhook?.call(context);
		// As n8n does: what is kept has been through JSON.
		this.staticData.set(
			workflowId,
			JSON.parse(JSON.stringify(context.getWorkflowStaticData('node'))) as IDataObject,
		);
		this.last = result?.workflowData?.[0].map(({ json }) => json);
		if (!response.writableEnded) response.end();
	}

	static inEachTest(): WebhookServer {
		const server = new WebhookServer();
		beforeAll(async () => await server.start());
		afterAll(async () => await server.stop());
		return server;
	}
}
