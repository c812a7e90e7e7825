import { createHash } from 'node:crypto';
import path from 'node:path';

import { ADMIN_TOKEN } from '../sandbox/choices.mts';
import { http } from '../test/http.mts';
import { N8nRest } from '../test/n8n/rest.mts';
import {
	type CredentialDefinition,
	readWorkflow,
	withCredential,
	type WorkflowDefinition,
} from '../test/n8n/workflow.mts';

const examples = path.resolve(import.meta.dirname, '..', 'examples');

/** The example workflows of the demo. */
export const journey = readWorkflow(path.join(examples, 'customer-journey.json'));
export const agentMessage = readWorkflow(path.join(examples, 'new-agent-message.json'));

/** The header that proves that a webhook comes from the sandbox. */
export const WEBHOOK_HEADER = 'X-Webhook-Secret';

/** The ids that n8n has given to credentials and workflows, by those of the examples. */
export type Ids = Record<string, string>;

/** What the demo's n8n knows of the sandbox. */
export const demoCredentials = (tenantDomain: string, secret: string): CredentialDefinition[] => [
	{
		id: 'customerMessaging',
		name: 'Customer Messaging sandbox',
		type: 'customerMessagingApi',
		data: { tenantDomain, accessToken: ADMIN_TOKEN },
	},
	{
		id: 'customerMessagingWebhook',
		name: 'Customer Messaging webhook',
		type: 'customerMessagingWebhookApi',
		data: { method: 'headerSecret', headerName: WEBHOOK_HEADER, secret },
	},
];

/** A digest of all that an n8n is filled with. */
export const contentDigest = (credentials: CredentialDefinition[]): string =>
	createHash('sha256')
		.update(JSON.stringify([credentials, journey, agentMessage]))
		.digest('hex');

/**
 * Gives a running n8n the credentials and the example workflows, and publishes the one that listens.
 *
 * @param ids of those that it has already, which are changed
 * @param keep gets the ids after each one
 */
export async function fillN8n(
	n8nUrl: string,
	password: string,
	credentials: CredentialDefinition[],
	ids: Ids,
	keep: (ids: Ids) => Promise<void>,
): Promise<void> {
	const rest = await N8nRest.logIn(n8nUrl, password);
	const putAndKeep = async (
		kind: string,
		{ id: ours, ...content }: CredentialDefinition | WorkflowDefinition,
	) => {
		const put = await putOne(rest, kind, ids[String(ours)], content);
		ids[String(ours)] = put.id;
		await keep(ids);
		return put;
	};
	for (const credential of credentials) await putAndKeep('credentials', credential);
	const withOurs = (workflow: WorkflowDefinition) =>
		credentials.reduce<WorkflowDefinition>(
			(changed, { id, name, type }) => withCredential(changed, type, { id: ids[String(id)], name }),
			workflow,
		);
	const putWorkflow = async (workflow: WorkflowDefinition) =>
		await putAndKeep('workflows', withOurs(workflow));
	await putWorkflow(journey);
	await rest.publish(await putWorkflow(agentMessage));
}

/** Changes what n8n has under an id, or creates it, where a person has removed it too. */
async function putOne(
	{ url, cookie }: N8nRest,
	kind: string,
	id: string | undefined,
	content: object,
): Promise<{ id: string; versionId: string }> {
	type Answer = { data: { id: string; versionId: string } };
	const request = { baseURL: `${url}/rest/${kind}`, headers: { cookie } };
	const changed = id === undefined ? undefined : await http.patch<Answer>(id, content, request);
	const isGone = changed === undefined || changed.status === 404;
	const { status, data } = isGone ? await http.post<Answer>('', content, request) : changed;
	if (status < 300) return data.data;
	throw new Error(`n8n did not take what it is filled with (${status})\n${JSON.stringify(data)}`);
}
