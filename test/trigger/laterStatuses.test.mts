import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { WebhookProtection } from '../../sandbox/resources/webhook.mts';
import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { TestTenant } from '../engine/tenant.mts';
import { arrive, type Arrival } from './arrival.mts';

const SECRET = 'a-secret-of-the-tests';
const STANDARD = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const signature = { secret: SECRET, header: 'x-signature' };
const hmac = {
	method: 'hmac',
	secret: SECRET,
	encoding: 'hex',
	prefix: '',
	signatureHeaderName: 'X-Signature',
};

const UNDELIVERABLE = {
	type: 'undeliverable',
	original_message: 'No such number.',
	user_friendly_message: 'No such number.',
};

const LATER = ['sent', 'delivered', 'read'] as const;

/** The sandbox tells of a message's later statuses with the one event that the interface shows. */
describe('a message whose status changes later', () => {
	const tenant = TestTenant.inEachTest();

	/** Has the node send so many messages, which then get these statuses. */
	async function send(count: number, protection: WebhookProtection, later: readonly string[] = LATER) {
		const { sandbox } = tenant;
		sandbox.registerWebhook({ url: REFUSED_ADDRESS, ...protection });
		const { items } = await tenant.run(
			{
				...{ resource: 'message', operation: 'send', conversationId: '2001', messageType: 'text' },
				...{ text: '={{ $json.text }}', options: { fromAutomation: true } },
			},
			{ items: Array.from({ length: count }, (_, index) => ({ json: { text: `Message ${index}` } })) },
		);
		for (const { json } of items)
			for (const status of later)
				sandbox.tenant.setStatus(
					Number(json.id),
					status as 'failed',
					status === 'failed' ? UNDELIVERABLE : undefined,
				);
		await sandbox.deliveriesSettled();
		return items.map(({ json }) => json.id);
	}

	/** Brings every delivery that the sandbox has made to a trigger, each twice. */
	async function startedBy(trigger: string, arrival: Arrival = {}): Promise<IDataObject[]> {
		const { sandbox } = tenant;
		const started: IDataObject[] = [];
		const credential: ICredentialDataDecryptedObject = hmac;
		for (const { body, headers } of sandbox.deliveries().flatMap((delivery) => [delivery, delivery])) {
			const ids = { credentialId: trigger, workflowId: trigger };
			const came = { ...ids, credential, body: Buffer.from(body), headers, ...arrival };
			const { status, items = [] } = await arrive(came);
			expect(status).toBe(items.length > 0 ? undefined : 200);
			started.push(...items);
		}
		return started;
	}

	it.each<[string, WebhookProtection, ICredentialDataDecryptedObject]>([
		['HMAC signatures', { signature }, hmac],
		[
			'Standard Webhooks',
			{ standardWebhooks: { secret: STANDARD } },
			{ method: 'standardWebhooks', secret: STANDARD },
		],
	])(
		'starts the workflow once for each status, by %s, and not by hand again',
		async (trigger, protection, credential) => {
			const ids = await send(10, protection);
			const started = await startedBy(trigger, { credential });
			const statuses = ['created', ...LATER];
			const all = ids.flatMap((id) => statuses.map((status) => `${id} ${status}`));
			expect(started.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(all.sort());
			const { sandbox } = tenant;
			const again = `${sandbox.url}/sandbox/deliveries/${sandbox.deliveries()[0].id}/redeliver`;
			await fetch(again, { method: 'POST' });
			await sandbox.deliveriesSettled();
			expect(sandbox.deliveries()).toHaveLength(41);
			expect(await startedBy(trigger, { credential })).toEqual([]);
		},
	);

	it('starts it once for the message, with the filter for the status', async () => {
		await send(1, { signature });
		const started = await startedBy('one', { parameters: { filters: { status: 'created' } } });
		expect(started).toMatchObject([{ status: 'created' }]);
	});

	it('starts it for a message that failed afterwards, with the filter for failures', async () => {
		await send(1, { signature }, ['sent', 'failed']);
		const started = await startedBy('failed', { parameters: { filters: { onlyFailed: true } } });
		expect(started).toMatchObject([{ status: 'failed', latest_error: { type: 'undeliverable' } }]);
	});
});
