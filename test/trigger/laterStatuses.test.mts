import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { TestTenant } from '../engine/tenant.mts';
import { arrive } from './arrival.mts';

/** The sandbox tells of a message's later statuses with the one event that the interface shows. */
describe('a message whose status changes later', () => {
	const HOUR = 3_600_000;
	const SECRET = 'a-secret-of-the-tests';
	const tenant = TestTenant.inEachTest({ deliveryStatuses: true });
	const credential = {
		method: 'hmac',
		secret: SECRET,
		encoding: 'hex',
		prefix: '',
		signatureHeaderName: 'X-Signature',
	};

	/** Brings everything that the sandbox sends about one message to a trigger, each delivery twice. */
	async function startedBy(trigger: string, parameters: INodeParameters): Promise<IDataObject[]> {
		const { sandbox } = tenant;
		sandbox.registerWebhook({
			url: REFUSED_ADDRESS,
			signature: { secret: SECRET, header: 'x-signature' },
		});
		await tenant.tell('/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
			from_automation: true,
		});
		sandbox.store.clock.advance(HOUR);
		await sandbox.deliveriesSettled();
		return await deliveredTwice(trigger, parameters);
	}

	/** Brings every delivery there is to a trigger, twice. */
	async function deliveredTwice(trigger: string, parameters: INodeParameters): Promise<IDataObject[]> {
		const { sandbox } = tenant;
		const started: IDataObject[] = [];
		for (const { body, headers } of sandbox.deliveries().flatMap((delivery) => [delivery, delivery])) {
			const { status, items = [] } = await arrive({
				parameters,
				credential,
				credentialId: trigger,
				workflowId: trigger,
				body: Buffer.from(body),
				headers,
			});
			expect(status).toBe(items.length > 0 ? undefined : 200);
			started.push(...items);
		}
		return started;
	}

	it('starts the workflow once for each status', async () => {
		const started = await startedBy('each', {});
		expect(started.map(({ status }) => status)).toEqual(['created', 'sent', 'delivered', 'read']);
		expect(new Set(started.map(({ id }) => id)).size).toBe(1);
	});

	it('starts it once for the message, with the filter for the status', async () => {
		expect(await startedBy('one', { filters: { status: 'created' } })).toMatchObject([{ status: 'created' }]);
	});

	it('starts it for each status of each message that the node sent in one run, and not for one delivered by hand again', async () => {
		const { sandbox } = tenant;
		sandbox.registerWebhook({
			url: REFUSED_ADDRESS,
			signature: { secret: SECRET, header: 'x-signature' },
		});
		const { items, error } = await tenant.run(
			{
				resource: 'message',
				operation: 'send',
				conversationId: '2001',
				messageType: 'text',
				text: '={{ $json.text }}',
				options: { fromAutomation: true },
			},
			{ items: Array.from({ length: 25 }, (_, index) => ({ json: { text: `Message ${index}` } })) },
		);
		expect(error).toBeUndefined();
		sandbox.store.clock.advance(HOUR);
		await sandbox.deliveriesSettled();
		const started = await deliveredTwice('many', {});
		expect(started).toHaveLength(100);
		for (const { json } of items) {
			const statuses = started.filter(({ id }) => id === json.id).map(({ status }) => status);
			expect(new Set(statuses)).toEqual(new Set(['created', 'sent', 'delivered', 'read']));
		}
		await fetch(`${sandbox.url}/sandbox/deliveries/${sandbox.deliveries()[0].id}/redeliver`, {
			method: 'POST',
		});
		await sandbox.deliveriesSettled();
		expect(sandbox.deliveries()).toHaveLength(101);
		expect(await deliveredTwice('many', {})).toEqual([]);
	});

	it('starts it for a message that failed afterwards, with the filter for failures', async () => {
		tenant.sandbox.tenant.deliveryStatuses.switchOn({ failing: { probability: 1 } });
		const started = await startedBy('failed', { filters: { onlyFailed: true } });
		expect(started).toMatchObject([{ status: 'failed', latest_error: { type: 'undeliverable' } }]);
	});
});
