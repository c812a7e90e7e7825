import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { WebhookProtection } from '../../sandbox/resources/webhook.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { TestTenant } from '../engine/tenant.mts';
import { arrive } from '../engine/arrival.mts';

const SECRET = 'a-secret-of-the-tests';
const STANDARD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const signature = { secret: SECRET, header: 'x-signature' };
const hmac = { method: 'hmac', secret: SECRET, encoding: 'hex', signatureHeaderName: 'X-Signature' };

const LATER = ['sent', 'delivered', 'read'] as const;

/** The sandbox tells of a message's later statuses with the one event that the interface shows. */
describe('a message whose status changes later', () => {
	const tenant = TestTenant.inEachTest();

	/** Has the node send so many messages, which then get these statuses. */
	async function send(count: number, protection: WebhookProtection) {
		const { sandbox } = tenant;
		sandbox.registerWebhook({ url: REFUSED_ADDRESS, ...protection });
		const what = { conversationId: '2001', messageType: 'text', text: '={{ $json.text }}' };
		const { items } = await tenant.run(
			{ resource: 'message', operation: 'send', ...what, options: { fromAutomation: true } },
			{ items: Array.from({ length: count }, (_, index) => ({ json: { text: `Message ${index}` } })) },
		);
		const ids = items.map(({ json }) => Number(json.id));
		for (const id of ids) for (const status of LATER) sandbox.tenant.setStatus(id, status);
		await sandbox.deliveriesSettled();
		return ids;
	}

	/** Brings every delivery that the sandbox has made to a trigger, each twice. */
	async function startedBy(credential: ICredentialDataDecryptedObject): Promise<IDataObject[]> {
		const { sandbox } = tenant;
		const started: IDataObject[] = [];
		const trigger = String(credential.method);
		for (const { body, headers } of sandbox.deliveries().flatMap((delivery) => [delivery, delivery])) {
			const { status, items = [] } = await arrive({
				...{ credential, credentialId: trigger, workflowId: trigger },
				body: Buffer.from(body),
				headers,
			});
			expect(status).toBe(items.length > 0 ? undefined : 200);
			started.push(...items);
		}
		return started;
	}

	const standard = { method: 'standardWebhooks', secret: STANDARD };
	it.each<[string, WebhookProtection, ICredentialDataDecryptedObject]>([
		['HMAC signatures', { signature }, hmac],
		['Standard Webhooks', { standardWebhooks: { secret: STANDARD } }, standard],
	])(
		'starts the workflow once for each status, by %s, and not by hand again',
		async (_, protection, credential) => {
			const ids = await send(10, protection);
			const started = await startedBy(credential);
			const statuses = ['created', ...LATER];
			const all = ids.flatMap((id) => statuses.map((status) => `${id} ${status}`));
			expect(started.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(all.sort());
			const { sandbox } = tenant;
			const again = `${sandbox.url}/sandbox/deliveries/${sandbox.deliveries()[0].id}/redeliver`;
			await fetch(again, { method: 'POST' });
			await sandbox.deliveriesSettled();
			expect(sandbox.deliveries()).toHaveLength(41);
			expect(await startedBy(credential)).toEqual([]);
		},
	);
});
