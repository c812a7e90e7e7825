import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { isAuthentic } from './authentication';
import { Deliveries, deliveryKey } from './deliveries';
import { parseEvents, readEvent } from './events';
import { passes } from './filters';
import { isAllowedIp } from './ipAllowList';
import { fitsCredential, webhookCredential } from './webhookCredential';

/** The items that start the workflow, or the status of a response that does not start it. */
export type Answer = { items: IDataObject[] } | { status: 200 | 400 | 401 | 403 | 413 | 415 };

const SECONDS_PER_HOUR = 3600;
const BYTES_PER_KILOBYTE = 1024;

/** Whether the trigger requires no authentication. */
const isOpen = (context: IWebhookFunctions) =>
	context.getNodeParameter('authentication', 'credential') === 'none';

/** Returns the body as it arrived, or the status for an unreadable body. It reads the body at most once. */
async function rawBodyOf(context: IWebhookFunctions): Promise<Buffer | 400 | 413> {
	const request = context.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
		return request.rawBody;
	} catch (error) {
		return (error as { type?: string }).type === 'entity.too.large' ? 413 : 400;
	}
}

/** Returns the headers without those that authenticate the caller. Their values must not appear in an execution. */
function shownHeaders(headers: IDataObject, credential: IDataObject): IDataObject {
	const secret = [credential.headerName, credential.signatureHeaderName, 'authorization', 'cookie'].map(
		(name) => String(name).trim().toLowerCase(),
	);
	return Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.includes(name)));
}

/** Checks the caller: first the address, then the credential. Returns the status of a refusal, or undefined. */
async function refusal(context: IWebhookFunctions, options: IDataObject): Promise<401 | 403 | undefined> {
	const allowList = String(options.ipAllowList ?? '').trim();
	if (allowList !== '' && !isAllowedIp(allowList, context.getRequestObject().ip)) return 403;
	if (isOpen(context)) return undefined;
	const caller = {
		headers: context.getHeaderData() as Record<string, string>,
		rawBody: async () => {
			const body = await rawBodyOf(context);
			return Buffer.isBuffer(body) ? body : undefined;
		},
		now: Date.now(),
	};
	const isKnown = await fitsCredential(context, async (credential) => await isAuthentic(credential, caller));
	return isKnown ? undefined : 401;
}

/** Returns the items of the events that pass the filters and are new. */
async function wantedItems(
	context: IWebhookFunctions,
	events: IDataObject[],
	options: IDataObject,
): Promise<IDataObject[]> {
	const filters = context.getNodeParameter('filters', {}) as IDataObject;
	const output = context.getNodeParameter('output', 'message');
	// During a test, a person wants to receive the same event again.
	const remembers = options.ignoreRedeliveries !== false && context.getMode() !== 'manual';
	const deliveries = new Deliveries(
		`${String(context.getWorkflow().id)}/${context.getNode().id}`,
		context.getWorkflowStaticData('node'),
		Number(options.redeliveryHours ?? 24) * SECONDS_PER_HOUR,
		Math.floor(Date.now() / 1000),
	);
	const items = events
		.map(readEvent)
		.filter(({ isNewAgentMessage }) => isNewAgentMessage || options.passUnknown === true)
		.filter(({ message }) => passes(filters, message))
		.filter(({ message }) => !remembers || deliveries.accept(deliveryKey(message)))
		.map(({ raw, message, event }) => (output === 'raw' ? raw : { ...message, event }));
	if (remembers && items.length > 0) {
		// With a Respond to Webhook node, n8n 2.41 sends an empty response if it has to write static data first.
		const responseMode = context.getNodeParameter('responseMode', 'onReceived');
		if (responseMode !== 'responseNode') deliveries.keep({ isAnsweredAtEnd: responseMode === 'lastNode' });
		const response = context.getResponseObject();
		response.once('finish', () => deliveries.answered(response.statusCode));
	}
	if (options.includeHeaders !== true) return items;
	const credential = isOpen(context) ? {} : await webhookCredential(context);
	const headers = shownHeaders(context.getHeaderData() as IDataObject, credential);
	return items.map((item) => ({ ...item, headers }));
}

/**
 * Decides how to answer a request to the webhook. Never throws: it refuses everything that it cannot read.
 *
 * The cheap checks come first: announced size, address, credential, content type, real size, content.
 */
export async function receive(context: IWebhookFunctions): Promise<Answer> {
	try {
		const options = context.getNodeParameter('additionalOptions', {}) as IDataObject;
		const most = Number(options.maximumSizeKb ?? 1024) * BYTES_PER_KILOBYTE;
		const headers = context.getHeaderData() as Record<string, string | undefined>;
		if (Number(headers['content-length'] ?? 0) > most) return { status: 413 };
		const refused = await refusal(context, options);
		if (refused) return { status: refused };
		const type = (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
		if (type !== 'application/json' && !type.endsWith('+json')) return { status: 415 };
		const body = await rawBodyOf(context);
		if (!Buffer.isBuffer(body)) return { status: body };
		if (body.length > most) return { status: 413 };
		const events = parseEvents(body);
		if (!events) return { status: 400 };
		const items = await wantedItems(context, events, options);
		return items.length > 0 ? { items } : { status: 200 };
	} catch {
		// A missing or unreadable credential refuses every request.
		return { status: 403 };
	}
}
