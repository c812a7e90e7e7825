import { randomUUID } from 'node:crypto';
import { type INode, NodeConnectionTypes } from 'n8n-workflow';

import { CREDENTIAL_TYPE, NODE_TYPE, TRIGGER_TYPE, WEBHOOK_PATH } from '../e2e/tenantAndN8n.mts';
import type { Cluster } from './cluster.mts';
import { DATABASE, DATABASE_USER } from './services.mts';

/** A node of a workflow. */
export interface Step
	extends Pick<INode, 'name' | 'type' | 'typeVersion' | 'parameters' | 'credentials' | 'webhookId'> {
	/** What its second output leads to, where the next step hangs on the first. */
	otherwise?: Step;
	/** Below `/webhook/` of a webhook processor, for a step that listens there. */
	path?: string;
}

/** A published workflow, and its address below that of a webhook processor. */
export interface Published {
	id: string;
	/** Its production URL at each webhook processor. */
	urls: string[];
}

/** The trigger. @param responseMode `onReceived` answers at once, `lastNode` when the execution has ended */
export function trigger(responseMode: 'onReceived' | 'lastNode'): Step {
	const webhookId = randomUUID();
	return {
		name: 'Trigger',
		type: TRIGGER_TYPE,
		typeVersion: 1,
		webhookId,
		parameters: { authentication: 'none', responseMode },
		path: `${webhookId}/${WEBHOOK_PATH}`,
	};
}

/** n8n's own webhook node. @param responseMode as of the trigger */
export function webhook(responseMode: 'onReceived' | 'lastNode' = 'lastNode'): Step {
	const path = randomUUID();
	return {
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode, options: {} },
		path,
	};
}

const byId = (value: number | string) => ({ __rl: true, mode: 'id', value });

/** A node of the package, as the sandbox's admin. */
export const tenantStep = ({ credential }: Cluster, name: string, parameters: INode['parameters']): Step => ({
	name,
	type: NODE_TYPE,
	typeVersion: 1,
	parameters,
	credentials: { [CREDENTIAL_TYPE]: credential },
});

/** Sends a template to the customer of the item that the trigger gave. */
export const sendStep = (cluster: Cluster, agentId: number): Step =>
	tenantStep(cluster, 'Send', {
		resource: 'message',
		operation: 'sendTemplate',
		phoneNumber: "={{ $('Trigger').item.json.event.customer.display_id }}",
		agentId: byId(agentId),
		templateName: byId('opening_hours'),
		templateLanguage: 'en_US',
	});

/**
 * Lets an item on only when its message has not been claimed before: PostgreSQL takes a key once, whichever worker asks.
 * What was claimed and then broke off is not sent again. The next step is the one that may happen once.
 */
export async function claimSteps({ rest, postgres }: Cluster): Promise<Step[]> {
	await postgres.run(
		'CREATE TABLE IF NOT EXISTS claimed (key text PRIMARY KEY, at timestamptz DEFAULT now())',
	);
	const { port } = postgres;
	const data = {
		host: '127.0.0.1',
		port,
		database: DATABASE,
		user: DATABASE_USER,
		password: '',
		ssl: 'disable',
	};
	const credential = await rest.createCredential({ name: 'Claims', type: 'postgres', data });
	const isFirst = {
		id: 'first',
		leftValue: '={{ $json.first }}',
		rightValue: 1,
		operator: { type: 'number', operation: 'equals' },
	};
	const options = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	return [
		{
			name: 'Claim',
			type: 'n8n-nodes-base.postgres',
			typeVersion: 2.6,
			parameters: {
				operation: 'executeQuery',
				query:
					'WITH claim AS (INSERT INTO claimed (key) VALUES ($1) ON CONFLICT DO NOTHING RETURNING 1) SELECT count(*)::int AS first FROM claim',
				options: { queryReplacement: "={{ $json.id + ':' + $json.status }}" },
			},
			credentials: { postgres: credential },
		},
		{
			name: 'Is First',
			type: 'n8n-nodes-base.if',
			typeVersion: 2.2,
			parameters: { conditions: { combinator: 'and', options, conditions: [isFirst] } },
			otherwise: { name: 'Claimed Before', type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} },
		},
	];
}

/** Creates a workflow of these nodes, one behind the other, and publishes it. */
export async function publishSteps(
	{ rest, webhooks }: Pick<Cluster, 'rest'> & { webhooks: Array<{ url: string }> },
	name: string,
	steps: Step[],
): Promise<Published> {
	const to = (step?: Step) => (step ? [{ node: step.name, type: NodeConnectionTypes.Main, index: 0 }] : []);
	const workflow = await rest.createWorkflow({
		name,
		nodes: steps.flatMap((step) => (step.otherwise ? [step, step.otherwise] : [step])).map(nodeOf),
		connections: Object.fromEntries(
			steps.map((step, index) => [step.name, { main: [to(steps[index + 1]), to(step.otherwise)] }]),
		),
	});
	await rest.publish(workflow);
	return { id: workflow.id, urls: webhooks.map(({ url }) => `${url}/webhook/${steps[0].path}`) };
}

const nodeOf = ({ name, type, typeVersion, parameters, credentials, webhookId }: Step): INode => ({
	id: name,
	name,
	type,
	typeVersion,
	parameters,
	position: [0, 0],
	...(credentials && { credentials }),
	...(webhookId !== undefined && { webhookId }),
});
