import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { isAllowedIp } from '../../../nodes/CustomerMessaging/trigger/ipAllowList.ts';
import { workbench } from '../../engine/engine.mts';
import { expectOnlyOpenFailures } from '../../openFailures/openFailures.mts';
import { arrive, type Arrival, newMessage, TRIGGER_NODE } from './arrival.mts';

const MEGABYTE = 1024 * 1024;
const SECRET = 'sixteen-or-more-characters';

let workflows = 0;

/** Whether the last of several deliveries to a trigger of its own starts the workflow. */
async function lastStarts(arrivals: Arrival[]): Promise<boolean> {
	const workflowId = `expectations ${++workflows}`;
	let starts = false;
	for (const arrival of arrivals) starts = (await arrive({ ...arrival, workflowId })).items !== undefined;
	return starts;
}

/** Whether a credential lets its tenant in, or tells the person who enters it that something is wrong. */
async function worksOrIsTold(credential: ICredentialDataDecryptedObject, sent: string): Promise<boolean> {
	const { nodeType } = await workbench({ type: TRIGGER_NODE, parameters: {} });
	const result = await nodeType.methods?.credentialTest?.checkWebhookSecret.call(
		{} as never,
		{ id: '1', name: 'Webhook', type: 'customerMessagingWebhookApi', data: credential } as never,
	);
	return result?.status === 'Error' || (await lastStarts([{ credential, headers: { 'x-secret': sent } }]));
}

const withOptions = (additionalOptions: IDataObject, payload?: unknown): Arrival => ({
	parameters: { additionalOptions: additionalOptions as never },
	...(payload !== undefined && { payload }),
});
const byHeader = (secret: string) => ({ method: 'headerSecret', headerName: 'X-Secret', secret });
const asBytes = (text: string) => Buffer.from(text).toString('latin1');

/** What a person would expect of the trigger, by a name that stays. */
const EXPECTATIONS: Record<string, () => boolean | Promise<boolean>> = {
	'address list: an address with a part missing lets nobody in': () => !isAllowedIp('192.0.2', '192.0.0.2'),
	'address list: a single number lets nobody in': () => !isAllowedIp('7', '0.0.0.7'),
	'address list: a leading zero does not let in another address': () => !isAllowedIp('010.0.0.1', '8.0.0.1'),
	'address list: a hexadecimal number lets nobody in': () => !isAllowedIp('0xc0000207', '192.0.2.7'),
	'address list: a range of addresses with a part missing lets nobody in': () =>
		!isAllowedIp('192.0.2/24', '192.0.0.7'),
	'address list: a range written in the newer form counts as what it is': () =>
		isAllowedIp('::ffff:192.0.2.0/120', '192.0.2.7'),
	'login: the name of its scheme counts in any letters': async () =>
		await lastStarts([
			{
				credential: { method: 'basicAuth', user: 'tenant', password: SECRET },
				headers: { authorization: `basic ${Buffer.from(`tenant:${SECRET}`).toString('base64')}` },
			},
		]),
	'secret: pasted with the end of its line, it works or the check tells': async () =>
		await worksOrIsTold(byHeader(`${SECRET}\n`), SECRET),
	'secret: of blanks alone, it works or the check tells': async () =>
		await worksOrIsTold(byHeader(' '.repeat(16)), ''),
	'secret: with letters beyond ASCII, it works or the check tells': async () =>
		await worksOrIsTold(byHeader('Schlüssel-für-Webhooks'), asBytes('Schlüssel-für-Webhooks')),
	'size: a limit that is no number is not no limit': async () =>
		!(await lastStarts([
			withOptions({ maximumSizeKb: 'much' }, { message: newMessage(), text: 'x'.repeat(2 * MEGABYTE) }),
		])),
	'redeliveries: a window that is no number is not no window': async () => {
		const again = withOptions({ redeliveryHours: 'long' }, { message: newMessage() });
		return !(await lastStarts([again, again]));
	},
	'redeliveries: another event about the same record is none': async () =>
		await lastStarts(
			['customer-created', 'customer-deleted'].map((event) =>
				withOptions({ passUnknown: true }, { event, id: 5 }),
			),
		),
	'redeliveries: another event about the same message is none': async () => {
		const message = newMessage();
		return await lastStarts(
			['message-read', 'new-agent-message'].map((event) =>
				withOptions({ passUnknown: true }, { event, message }),
			),
		);
	},
	'redeliveries: another message with an empty ID is none': async () =>
		await lastStarts(
			['one', 'two'].map((contents) => ({ payload: { message: { id: '', status: 'created', contents } } })),
		),
};

it('the trigger does what people expect of it, except for what is known to fail', async () => {
	const found = new Map<string, string>();
	for (const [name, holds] of Object.entries(EXPECTATIONS)) {
		if (!(await holds())) found.set(name, 'it does not');
	}
	expectOnlyOpenFailures('trigger', found);
});
