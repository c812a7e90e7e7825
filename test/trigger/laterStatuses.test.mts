import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { REFUSED_ADDRESS } from '../engine/refusedAddress.mts';
import { TestTenant } from '../engine/tenant.mts';
import { arrive } from './arrival.mts';

/** The sandbox tells of a message's later statuses with the one event that the interface shows. */
describe('a message whose status changes later', () => {
	const SECRET = 'a-secret-of-the-tests';
	const tenant = TestTenant.inEachTest();
	const credential = {
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

	/** Brings everything that the sandbox sends about one message to a trigger, each delivery twice. */
	async function startedBy(
		trigger: string,
		parameters: INodeParameters,
		later: ReadonlyArray<(typeof LATER)[number] | 'failed'> = LATER,
	): Promise<IDataObject[]> {
		const { sandbox } = tenant;
		sandbox.registerWebhook({
			url: REFUSED_ADDRESS,
			signature: { secret: SECRET, header: 'x-signature' },
		});
		const { data } = await tenant.tell<{ data: { id: number } }>('/conversations/2001/messages', {
			type: 'text',
			text: { content: 'Hello' },
			from_automation: true,
		});
		for (const status of later) {
			sandbox.tenant.setStatus(data.id, status, status === 'failed' ? UNDELIVERABLE : undefined);
		}
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
		for (const { json } of items)
			for (const status of LATER) sandbox.tenant.setStatus(Number(json.id), status);
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
		const started = await startedBy('failed', { filters: { onlyFailed: true } }, ['sent', 'failed']);
		expect(started).toMatchObject([{ status: 'failed', latest_error: { type: 'undeliverable' } }]);
	});
});
