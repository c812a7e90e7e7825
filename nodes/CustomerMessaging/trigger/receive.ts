import {
	type IDataObject,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';

import { nodeKey } from '../n8nInternals/processMemory';
import { refuseTest } from '../n8nInternals/webhook';
import { switchOf } from '../values/choices';
import { ownMember } from '../values/json';
import { simpleMessage } from '../values/messageSummary';
import { numericOf } from '../values/numbers';
import { messageOf, stringOf } from '../values/text';
import { DEFAULT_EVENT, EVENT_KINDS, readDelivery, readFilters, type WebhookEvent } from './events';
import { proveCaller } from './proofs';
import { Refused, REFUSALS } from './refusals';
import { SeenKeys } from './seenKeys';

/** In bytes. */
const LARGEST = 1024 * 1024;

/** Headers that no item shows. */
const SECRET_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** Reads the body as it arrived, at most once. @throws Refused when it is too large, or breaks off */
async function readBody(context: IWebhookFunctions): Promise<Buffer> {
	const request = context.getRequestObject();
	let problem: unknown;
	try {
		if (!Buffer.isBuffer(request.rawBody)) await request.readRawBody();
	} catch (error) {
		problem = ownMember(error, 'type');
	}
	const { rawBody } = request;
	if (problem === 'entity.too.large' || rawBody?.length > LARGEST) throw new Refused('size');
	if (!Buffer.isBuffer(rawBody)) throw new Refused('unreadable');
	return rawBody;
}

/** Makes the item of an event. One that is no agent message keeps the name of its kind, whatever the output is. */
function itemOf({ raw, message, event, kind, choice }: WebhookEvent, output: unknown): IDataObject {
	const isAgentMessage = choice === DEFAULT_EVENT.value;
	if (output === 'raw') return raw;
	if (output !== 'simplified')
		return message !== raw ? { ...message, event } : isAgentMessage ? { event, ...raw } : raw;
	const simple = simpleMessage(message);
	if (simple.customer_id === null)
		simple.customer_id = (ownMember(event.customer, 'id') ?? null) as IDataObject[string];
	return isAgentMessage || kind === '' || simple === raw ? simple : { ...simple, event: kind };
}

/**
 * Leaves out what has come before, and remembers the rest. While a person listens, the same event may come again.
 *
 * @param key of the whole delivery, if its sender gives one
 * @throws Refused when all has come before
 */
function leaveOutRepeated<Event extends WebhookEvent>(
	context: IWebhookFunctions,
	options: IDataObject,
	all: Event[],
	key: unknown,
): Event[] {
	const isOn = switchOf('Ignore Redeliveries', options.ignoreRedeliveries, true);
	if (!isOn || context.getMode() === 'manual') return all;
	const seen = new SeenKeys(nodeKey(context), context.getWorkflowStaticData('node'));
	const isNew = key === undefined || seen.accept([key]);
	const started = isNew ? all.filter(({ identity }) => seen.accept(identity)) : [];
	if (started.length === 0) throw new Refused('repeated');
	const responseMode = context.getNodeParameter('responseMode', 'onReceived');
	// With a Respond to Webhook node, n8n 2.41 sends an empty response if it has to write static data first.
	if (responseMode !== 'responseNode') seen.keep({ isAnsweredAtEnd: responseMode === 'lastNode' });
	const response = context.getResponseObject();
	response.once('finish', () => seen.settle(response.statusCode));
	return started;
}

/**
 * Returns what a delivery starts the workflow with. The cheap checks come first: announced size, caller, type, real size.
 *
 * @throws Refused when it starts nothing
 */
async function takeDelivery(context: IWebhookFunctions) {
	const options = context.getNodeParameter('additionalOptions', {}) as IDataObject;
	const headers = context.getHeaderData() as IDataObject;
	if (numericOf(headers['content-length']) > LARGEST) throw new Refused('size');
	const proof = await proveCaller(context, async () => await readBody(context));
	const type = stringOf(headers['content-type']).split(';')[0].trim().toLowerCase();
	if (type !== 'application/json' && !type.endsWith('+json')) throw new Refused('type');

	const all = readDelivery(await readBody(context));
	const wanted = context.getNodeParameter('event', DEFAULT_EVENT.value);
	const passesUnknown = switchOf('Pass Unknown Events', options.passUnknown, false);
	const events = all.filter(({ choice }) => choice === wanted || passesUnknown);
	if (events.length === 0) {
		const cause = EVENT_KINDS.find(({ value }) => value === wanted)?.cause;
		throw new Refused('kind', cause && `This trigger starts after ${cause}.`);
	}
	const problemsOf = readFilters(context.getNodeParameter('filters', {}) as IDataObject);
	const passing = events.filter(({ message }) => problemsOf(message).length === 0);
	if (passing.length === 0)
		throw new Refused('filters', `In the first message, ${problemsOf(events[0].message).join(', ')}.`);

	const output = context.getNodeParameter('output', 'message');
	const shown = { ...headers };
	for (const name of [...SECRET_HEADERS, ...(proof?.headers ?? [])]) delete shown[name];
	const more = switchOf('Include Headers', options.includeHeaders, false) ? { headers: shown } : {};
	const items = passing.map((event) => ({ ...event, json: { ...itemOf(event, output), ...more } }));
	return leaveOutRepeated(context, options, items, proof?.key && headers[proof.key]);
}

/** Gives the sender a status, and whoever listens for a test event the reason. n8n's log has both. */
function refuse(context: IWebhookFunctions, error: unknown): IWebhookResponseData {
	const { kind, detail } =
		error instanceof Refused ? error : { kind: 'failure' as const, detail: messageOf(error) };
	const [status, reason, remedy] = REFUSALS[kind];
	// It may hold what a sender wrote, and n8n shows descriptions as HTML.
	const told = detail.replace(/[\s\p{Cc}]+/gu, ' ').replaceAll('<', '‹');
	const line = `"${context.getNode().name}" refused a delivery with status ${status}: ${reason}. ${told}`;
	context.logger[status === 500 ? 'error' : 'debug'](line.trim());
	if (context.getMode() === 'manual') {
		const before = kind === 'failure' ? '' : told;
		const description = `${before} ${remedy} Then listen again for the next one.`.trim();
		refuseTest(context, status, new NodeOperationError(context.getNode(), reason, { description }));
	}
	const response = context.getResponseObject().status(status);
	if (status === 200) response.end();
	else response.json({ message: reason });
	return { noWebhookResponse: true };
}

/**
 * Answers a request to the webhook. It refuses what it cannot read. A failure that the sender has not caused, such as an unreadable
 * credential, has the status 500, which makes the sender repeat the delivery.
 *
 * @throws NodeOperationError for the person who listens for a test event
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	try {
		const started = await takeDelivery(context);
		// n8n's own helper would take members named json or binary for parts of an item, which a sender could then forge.
		return { workflowData: [started.map(({ json }) => ({ json }))] };
	} catch (error) {
		return refuse(context, error);
	}
}
