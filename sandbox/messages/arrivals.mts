import { MESSAGE_STATUSES, STATUS } from '../choices.mts';
import { existing, Refusal } from '../refusal.mts';
import type { Message } from '../resources/message.mts';
import type { Tenant } from '../tenant.mts';
import { problemFinder } from '../validation.mts';
import { readableText, templateName } from './readableText.mts';

/** Which message is waited for. What is left out fits every one. */
export interface WantedMessage {
	/** Number of the customer, in any writing: `+49 151 1234 5678`. */
	to?: string | number;
	conversation_id?: number;
	/** A part of what the customer reads: texts of templates are filled in, buttons and captions count too. */
	text?: string;
	/** Name of the template. */
	template?: string;
	/** `failed` for one that did not get there; without it, every message but those. */
	status?: string;
	/** Only messages after the one with this id. */
	after?: number;
	/** How long to wait, in milliseconds; default 10,000. */
	timeout?: number;
}

const text = { type: 'string', minLength: 1 };

/** The same as a schema. A plus that is not encoded is a space in a query. */
export const WANTED_MESSAGE = {
	type: 'object',
	additionalProperties: false,
	properties: {
		to: {
			type: ['string', 'integer'],
			pattern: '^[ +(]*([0-9][ ()./-]*){7,17}$',
			title: 'a phone number',
			minimum: 1_000_000,
		},
		conversation_id: { type: 'integer', minimum: 1 },
		text,
		template: text,
		status: { enum: MESSAGE_STATUSES },
		after: { type: 'integer', minimum: 0 },
		timeout: { type: 'integer', minimum: 0, maximum: 600_000 },
	},
};

const findProblem = problemFinder(() => WANTED_MESSAGE);

/** A number as customers have it. */
export const toDisplayId = (number: string | number): string =>
	String(number).replace(/\D/g, '').replace(/^00/, '');

/** A message as it reached its customer. */
export interface Arrival extends Message {
	to: string;
	customer_id: number;
	/** What the customer reads. */
	text: string;
	template?: string;
}

/** So many of those that came instead are told. */
const TOLD = 20;

const DEFAULT_TIMEOUT_MS = 10_000;

/** A message that was waited for in vain. */
export class NoSuchMessage extends Refusal {
	/** @param came what came instead, the newest last */
	constructor(
		wanted: WantedMessage,
		timeout: number,
		readonly came: Arrival[],
	) {
		super(408, `No message${described(wanted)} came within ${timeout} ms. ${toldOf(came)}`);
	}
}

function described({ to, conversation_id, text, template, status }: WantedMessage): string {
	const parts = [
		to !== undefined && ` to ${to}`,
		conversation_id !== undefined && ` in conversation ${conversation_id}`,
		template !== undefined && ` of the template "${template}"`,
		text !== undefined && ` with the text "${text}"`,
		status !== undefined && ` with the status ${status}`,
	];
	return parts.filter((part) => part !== false).join('');
}

function toldOf(came: Arrival[]): string {
	const last = came.at(-1);
	if (!last) return 'Nothing else came.';
	const what = last.template === undefined ? '' : ` of the template "${last.template}"`;
	const failed = last.latest_error ? `, which failed: ${last.latest_error.user_friendly_message}` : '';
	const many = came.length === 1 ? 'One other came' : `${came.length} others came, the last one`;
	return `${many} to ${last.to}${what}, "${last.text}"${failed}.`;
}

/** What reaches the customers of a tenant, for those who wait for it. */
export class Arrivals {
	/** The last message that was there before anybody did anything. */
	private lastOfStart = 0;

	private readonly closing = new AbortController();

	constructor(private readonly tenant: Tenant) {
		const begin = () => (this.lastOfStart = tenant.store.tables.messages.all().at(-1)?.id ?? 0);
		begin();
		tenant.events.on('reset', begin);
	}

	/**
	 * The first message that fits, at once if it is there already. Without `after`, those count that came since the sandbox
	 * started, or was last reset or seeded.
	 * @param signal ends the wait
	 * @throws {NoSuchMessage} when none came in time; 422 when the wish makes no sense; 503 when the sandbox is closed
	 */
	async next(wanted: WantedMessage, signal?: AbortSignal): Promise<Arrival> {
		const problem = findProblem(wanted);
		if (problem !== undefined) throw new Refusal(STATUS.invalid, problem);
		const { events, store } = this.tenant;
		const { timeout = DEFAULT_TIMEOUT_MS, after = this.lastOfStart } = wanted;
		const since = () => store.tables.messages.all().filter((message) => message.id > after);
		const there = this.fitting(wanted, since());
		if (there) return there;
		const ended = AbortSignal.any([this.closing.signal, ...(signal ? [signal] : [])]);
		return await new Promise<Arrival>((resolve, reject) => {
			const look = (message: Message) => {
				const found = this.fitting(wanted, [message]);
				if (found) end(() => resolve(found));
			};
			const abort = () => end(() => reject(ended.reason as Error));
			const timer = setTimeout(() => {
				const came = since().filter(({ from }) => from !== 'customer');
				const told = came.slice(-TOLD).map((message) => this.toArrival(message));
				end(() => reject(new NoSuchMessage(wanted, timeout, told)));
			}, timeout);
			const end = (settle: () => void) => {
				clearTimeout(timer);
				events.off('message', look);
				ended.removeEventListener('abort', abort);
				settle();
			};
			events.on('message', look);
			ended.addEventListener('abort', abort);
		});
	}

	/** Ends every wait. */
	close(): void {
		this.closing.abort(new Refusal(503, 'The sandbox was closed.'));
	}

	private fitting(wanted: WantedMessage, messages: Message[]): Arrival | undefined {
		const { to, conversation_id, text = '', template, status, after = 0 } = wanted;
		for (const message of messages) {
			if (message.from === 'customer' || message.id <= after) continue;
			if ((conversation_id ?? message.conversation_id) !== message.conversation_id) continue;
			if (status === undefined ? message.status === 'failed' : message.status !== status) continue;
			const arrival = this.toArrival(message);
			if (to !== undefined && toDisplayId(to) !== arrival.to) continue;
			if (arrival.text.includes(text) && (template ?? arrival.template) === arrival.template) return arrival;
		}
		return undefined;
	}

	private toArrival(message: Message): Arrival {
		const { conversations, customers } = this.tenant.store;
		const { customer_id } = existing(conversations.find(message.conversation_id), 'Conversation');
		const { display_id: to } = existing(customers.find(customer_id), 'Customer');
		return { ...message, to, customer_id, text: readableText(message), template: templateName(message) };
	}
}
