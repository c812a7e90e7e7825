import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { nodeKey } from '../n8nInternals/processMemory';
import { switchOf } from '../values/choices';
import { ownMember } from '../values/json';
import { simpleMessage } from '../values/messageSummary';
import { numericOf } from '../values/numbers';
import { messageOf } from '../values/text';
import { type Caller, hasWebhookCredential, isFromTenant, webhookProof } from './authentication';
import { Deliveries, deliveryKey } from './deliveries';
import { DEFAULT_EVENT, parseEvents, readEvent, type WebhookEvent } from './events';
import { messageFilters } from './filters';
import { type Refusal, REFUSALS } from './refusals';

type WebhookResult = { items: IDataObject[] } | Refusal;

const SECONDS_PER_HOUR = 3600;
const BYTES_PER_KILOBYTE = 1024;

const isOpen = (context: IWebhookFunctions) =>
	context.getNodeParameter('authentication', 'credential') === 'none';

/** Returns the body as it arrived, or why it is unreadable. It reads the body at most once. */
async function rawBodyOf(context: IWebhookFunctions): Promise<Buffer | Refusal> {
	const request = context.getRequestObject();
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
		return request.rawBody;
	} catch (error) {
		return (error as { type?: string }).type === 'entity.too.large' ? REFUSALS.size : REFUSALS.unreadable;
	}
}

const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

async function shownHeaders(context: IWebhookFunctions): Promise<IDataObject> {
	const { headers } = isOpen(context) ? { headers: [] } : await webhookProof(context);
	const hidden = [...SECRET_HEADERS, ...headers];
	const shown = Object.entries(context.getHeaderData()).filter(([name]) => !hidden.includes(name));
	return Object.fromEntries(shown);
}

/** Adds to a refusal what only the person in the editor may know. */
const withAdvice = (refusal: Refusal, more: string): Refusal => ({
	...refusal,
	remedy: `${more} ${refusal.remedy}`,
});

/** Checks the caller by the credential. Returns the refusal, which says which header is missing or that the time is wrong. */
async function refusalOfCaller(context: IWebhookFunctions): Promise<Refusal | undefined> {
	if (isOpen(context)) return undefined;
	if (!hasWebhookCredential(context)) return REFUSALS.credential;
	const caller: Caller = {
		headers: context.getHeaderData() as Record<string, string>,
		rawBody: async () => {
			const body = await rawBodyOf(context);
			return Buffer.isBuffer(body) ? body : undefined;
		},
		now: Date.now(),
	};
	if (await isFromTenant(context, caller)) return undefined;
	const { headers, timeProblem } = await webhookProof(context);
	const missing = headers.filter((name) => !Object.hasOwn(caller.headers, name));
	const absent = missing.includes('')
		? 'The credential names no header.'
		: `The webhook has no header "${missing.join('", "')}".`;
	const problem = missing.length === 0 ? timeProblem?.(caller) : absent;
	return problem === undefined ? REFUSALS.proof : withAdvice(REFUSALS.proof, problem);
}

const numberOf = (value: unknown, usual: number) => (numericOf(value) > 0 ? numericOf(value) : usual);

/** Makes the item of an event. One that is no agent message keeps the name of its kind, whatever the output is. */
function itemOf({ raw, message, event, kind, choice }: WebhookEvent, output: unknown): IDataObject {
	if (output === 'raw') return raw;
	const isOther = choice !== DEFAULT_EVENT.value && kind !== '';
	const isBare = message === raw && (isOther || !Object.hasOwn(raw, 'id'));
	if (output !== 'simplified') return isBare ? { event, ...raw } : { ...message, event };
	const simple = simpleMessage(message);
	if (simple.customer_id === null)
		simple.customer_id = (ownMember(event.customer, 'id') ?? null) as IDataObject[string];
	return isOther && simple !== raw ? { ...simple, event: kind } : simple;
}

async function wantedItems(
	context: IWebhookFunctions,
	events: WebhookEvent[],
	options: IDataObject,
): Promise<WebhookResult> {
	const filters = messageFilters(context.getNodeParameter('filters', {}) as IDataObject);
	const output = context.getNodeParameter('output', 'message');
	const responseMode = context.getNodeParameter('responseMode', 'onReceived');
	const includesHeaders = switchOf('Include Headers', options.includeHeaders, false);
	const headers = includesHeaders ? { headers: await shownHeaders(context) } : {};
	// During a test, a person wants to receive the same event again.
	const ignores = switchOf('Ignore Redeliveries', options.ignoreRedeliveries, true);
	const remembers = ignores && context.getMode() !== 'manual';
	const deliveries = new Deliveries(
		nodeKey(context),
		context.getWorkflowStaticData('node'),
		numberOf(options.redeliveryHours, 24) * SECONDS_PER_HOUR,
		Math.floor(Date.now() / 1000),
	);
	const isNew = ({ message, kind, raw, choice }: WebhookEvent) => {
		// Another event may be about any record, of which other members change.
		const key = deliveryKey(choice === undefined ? { event: raw } : message, kind);
		return !remembers || deliveries.accept(key);
	};
	const wanted = context.getNodeParameter('event', DEFAULT_EVENT.value);
	const passesUnknown = switchOf('Pass Unknown Events', options.passUnknown, false);
	const known = events.filter(({ choice }) => choice === wanted || passesUnknown);
	if (known.length === 0) {
		return withAdvice(REFUSALS.kind, `This trigger starts after ${DEFAULT_EVENT.cause}.`);
	}
	const passing = known.filter(({ message }) => filters.passes(message));
	if (passing.length === 0) return withAdvice(REFUSALS.filters, filters.problemOf(known[0].message));
	const items = passing.filter(isNew).map((one) => ({ ...itemOf(one, output), ...headers }));
	if (items.length === 0) return REFUSALS.repeated;
	if (remembers) {
		// With a Respond to Webhook node, n8n 2.41 sends an empty response if it has to write static data first.
		if (responseMode !== 'responseNode') deliveries.keep({ isAnsweredAtEnd: responseMode === 'lastNode' });
		const response = context.getResponseObject();
		response.once('finish', () => deliveries.answered(response.statusCode));
	}
	return { items };
}

/** Decides how to answer a request. The cheap checks come first: announced size, credential, type, real size. */
async function decide(context: IWebhookFunctions): Promise<WebhookResult> {
	const options = context.getNodeParameter('additionalOptions', {}) as IDataObject;
	const most = numberOf(options.maximumSizeKb, 1024) * BYTES_PER_KILOBYTE;
	const headers = context.getHeaderData() as Record<string, string | undefined>;
	if (Number(headers['content-length'] ?? 0) > most) return REFUSALS.size;
	const refused = await refusalOfCaller(context);
	if (refused) return refused;
	const type = (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
	if (type !== 'application/json' && !type.endsWith('+json')) return REFUSALS.type;
	const body = await rawBodyOf(context);
	if (!Buffer.isBuffer(body)) return body;
	if (body.length > most) return REFUSALS.size;
	const events = parseEvents(body);
	return events ? await wantedItems(context, events.map(readEvent), options) : REFUSALS.unreadable;
}

/**
 * Decides how to answer a request to the webhook. Never throws: it refuses what it cannot read. A failure that the sender
 * has not caused, such as an unreadable credential, is logged, and its status 500 makes the sender repeat the delivery.
 */
export async function receive(context: IWebhookFunctions): Promise<WebhookResult> {
	try {
		return await decide(context);
	} catch (error) {
		const { name } = context.getNode();
		const reason = messageOf(error);
		context.logger.error(`"${name}" could not take a delivery, and asked the sender to repeat it: ${reason}`);
		return REFUSALS.failure;
	}
}
