import { MESSAGE_FROM, MESSAGE_STATUS, STATUS } from '../choices.mts';
import { Refusal } from '../refusal.mts';
import type { Message } from '../resources/message.mts';
import type { Tenant } from '../tenant.mts';
import { problemFinder } from '../validation.mts';
import { readableText, templateName } from './readableText.mts';

/** Which message is waited for. What is left out fits every one. */
export interface WantedMessage {
	/** Number of the customer, in any writing: `+49 151 1234 5678`. */
	to?: string | number;
	customer_id?: number;
	conversation_id?: number;
	/** A part of what the customer reads: texts of templates are filled in, buttons and captions count too. */
	text?: string;
	/** Name of the template. */
	template?: string;
	/** `failed` for one that did not get there; without it, every message but those. */
	status?: string;
	/** Only messages from this time on, by the sandbox's clock: ISO 8601. */
	since?: string;
	/** Only messages after the one with this id. */
	after?: number;
	/** How long to wait, in milliseconds; default 10,000. */
	timeout?: number;
}

const text = { type: 'string', minLength: 1 };
const id = { type: 'integer', minimum: 1 };

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
		customer_id: id,
		conversation_id: id,
		text,
		template: text,
		status: { enum: Object.values(MESSAGE_STATUS).filter((status) => status !== MESSAGE_STATUS.received) },
		since: { type: 'string', format: 'date-time', title: 'a time such as 2031-05-06T07:08:09Z' },
		after: { type: 'integer', minimum: 0 },
		timeout: { type: 'integer', minimum: 0, maximum: 600_000 },
	},
};

const findProblem = problemFinder(() => WANTED_MESSAGE);

/** A number as customers have it. */
const toDisplayId = (number: string | number): string => String(number).replace(/\D/g, '').replace(/^00/, '');

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

function described({ to, customer_id, conversation_id, text, template, status }: WantedMessage): string {
	return [
		to !== undefined && `to ${to}`,
		customer_id !== undefined && `to customer ${customer_id}`,
		conversation_id !== undefined && `in conversation ${conversation_id}`,
		template !== undefined && `of the template "${template}"`,
		text !== undefined && `with the text "${text}"`,
		status !== undefined && `with the status ${status}`,
	]
		.filter((part) => part !== false)
		.map((part) => ` ${part}`)
		.join('');
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
		const begin = () => {
			const { database } = tenant.store;
			this.lastOfStart = database.get<{ id: number }>('SELECT max(id) AS id FROM messages')?.id ?? 0;
		};
		begin();
		tenant.events.on('reset', begin);
	}

	/**
	 * The first message that fits, at once if it is there already. Without `since` and `after`, those count that came since the
	 * sandbox started, or was last reset, seeded or set back to a snapshot.
	 * @param signal ends the wait
	 * @throws {NoSuchMessage} when none came in time; 422 when the wish makes no sense; 503 when the sandbox is closed
	 */
	async next(wanted: WantedMessage, signal?: AbortSignal): Promise<Arrival> {
		const problem = findProblem(wanted);
		if (problem !== undefined) throw new Refusal(STATUS.invalid, problem);
		const { events } = this.tenant;
		const ended = AbortSignal.any([this.closing.signal, ...(signal ? [signal] : [])]);
		const { timeout = DEFAULT_TIMEOUT_MS } = wanted;
		const there = this.find(wanted)[0];
		if (there) return there;
		return await new Promise<Arrival>((resolve, reject) => {
			const look = ({ id }: Message) => {
				const [found] = this.find(wanted, id);
				if (found) end(() => resolve(found));
			};
			const abort = () => end(() => reject(ended.reason as Error));
			const timer = setTimeout(() => {
				const came = this.find({ since: wanted.since, after: wanted.after, status: '*' }).slice(-TOLD);
				end(() => reject(new NoSuchMessage(wanted, timeout, came)));
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

	/** Messages that fit, the oldest first; all, or the one with this id. The status `*` is every one. */
	private find(
		{ to, customer_id, conversation_id, text, template, status, since, after }: WantedMessage,
		id?: number,
	): Arrival[] {
		const { database, conversations } = this.tenant.store;
		const first = since === undefined ? this.lastOfStart : 0;
		const rows = database.all<{ id: number; to: string; customer_id: number }>(
			`SELECT messages.id, display_id AS "to", customer_id
			FROM messages JOIN conversations ON conversations.id = conversation_id JOIN customers ON customers.id = customer_id
			WHERE "from" <> ?1 AND messages.id > ?2 AND sent_at >= ?3 AND (?4 IS NULL OR messages.id = ?4)
			AND (?5 IS NULL OR display_id = ?5) AND (?6 IS NULL OR customer_id = ?6) AND (?7 IS NULL OR conversation_id = ?7)
			AND CASE ?8 WHEN '*' THEN true WHEN '' THEN status <> ?9 ELSE status = ?8 END
			ORDER BY messages.id`,
			MESSAGE_FROM.customer,
			after ?? first,
			since === undefined ? '' : new Date(since).toISOString(),
			id ?? null,
			to === undefined ? null : toDisplayId(to),
			customer_id ?? null,
			conversation_id ?? null,
			status ?? '',
			MESSAGE_STATUS.failed,
		);
		return rows.flatMap(({ id: messageId, ...customer }) => {
			const message = conversations.findMessage(messageId);
			if (!message) return [];
			const arrival = {
				...message,
				...customer,
				text: readableText(message),
				template: templateName(message),
			};
			const isWanted =
				arrival.text.includes(text ?? '') && (template ?? arrival.template) === arrival.template;
			return isWanted ? [arrival] : [];
		});
	}
}
