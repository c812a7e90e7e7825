import { CHANNELS, SESSION_EXPIRED } from '../choices.mts';
import { HOUR } from '../clock.mts';
import { readContents } from '../messages/messageContents.mts';
import { renderTemplate } from '../messages/template.mts';
import { existing, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { type Slice, slice, Table, type Window } from '../store/table.mts';
import { stringOf } from '../texts.mts';
import { compare } from '../values.mts';
import type { Customer } from './customer.mts';
import type { Call, Operations } from './operation.mts';
import { sendTemplate } from './sendTemplate.mts';

/** What is said with one customer. */
export interface Conversation {
	id: number;
	customer_id: number;
	agent_id: number | null;
	bot_id: number | null;
	user_id: number | null;
	folder_id: number | null;
	/** Milliseconds since 1970. */
	session_started_at: number;
	created_at: string;
	updated_at: string;
}

export interface MessageError {
	id: number;
	message_id: number;
	type: string;
	original_message: string;
	user_friendly_message: string;
	created_at: string;
}

/** A message as the interface answers it: members without a value are left out. */
export interface Message {
	id: number;
	conversation_id: number;
	from: string;
	source: string;
	user_id?: number;
	contents: Array<Record<string, unknown>>;
	status: string;
	sent_at: string;
	reference?: Record<string, unknown>;
	latest_error?: MessageError;
	ca_template_id?: number;
}

/** Why a message could not be delivered. */
export type Reason = Pick<MessageError, 'original_message' | 'type' | 'user_friendly_message'>;

/** A message to store. */
export interface NewMessage extends Omit<Message, 'id' | 'latest_error' | 'sent_at'> {
	error?: Reason;
	/** Milliseconds since 1970; default is now. */
	at?: number;
}

export const tables = {
	conversations: () =>
		new Table<Conversation>({ firstId: 2_001, isCounted: true, by: ['customer_id', 'user_id'] }),
	messages: () => new Table<Message>({ firstId: 30_001, isCounted: true, by: ['conversation_id'] }),
	message_errors: () => new Table<MessageError>({ firstId: 901 }),
};

/** Conversations, one per customer, and their messages. */
export class Records extends RecordStore {
	find(id: number): Conversation | undefined {
		return this.tables.conversations.find(id);
	}

	ofCustomer(customerId: number): Conversation | undefined {
		return this.tables.conversations.by('customer_id', customerId).at(0);
	}

	/** Conversations of customers whose name or number has `text` in it, the latest first. */
	search(text: string, window?: Window): Slice<Conversation> {
		const part = text.toLowerCase();
		const found = this.tables.conversations.all().filter(({ customer_id }) => {
			const { name = '', display_id = '' } = this.tables.customers.find(customer_id) ?? {};
			return name.toLowerCase().includes(part) || display_id.includes(part);
		});
		const latestFirst = (one: Conversation, other: Conversation) =>
			compare(other.updated_at, one.updated_at) || other.id - one.id;
		return slice(found.sort(latestFirst), window);
	}

	/** Opens a conversation; its session starts with it, now or at another time. */
	create(customer_id: number, agent_id: number | null, bot_id: number | null, now = this.clock.now()) {
		const others = { user_id: null, folder_id: null, session_started_at: now };
		const born = { created_at: this.clock.iso(now), updated_at: this.clock.iso(now) };
		return this.tables.conversations.insert({ customer_id, agent_id, bot_id, ...others, ...born });
	}

	assign(id: number, fields: Partial<Conversation>): void {
		this.tables.conversations.update(id, fields);
	}

	addMessage({ error, at, reference, ca_template_id, ...fields }: NewMessage): Message {
		const sent_at = this.clock.iso(at);
		const { id } = this.tables.messages.insert({
			...fields,
			sent_at,
			...(reference && { reference }),
			...(ca_template_id !== undefined && { ca_template_id }),
		});
		this.tables.conversations.update(fields.conversation_id, { updated_at: sent_at });
		return this.setStatus(id, fields.status, error);
	}

	/** Has the customer write, which opens the session for replies; `at` as in `addMessage`. */
	receive(conversation_id: number, content: string, at = this.clock.now()): Message {
		this.assign(conversation_id, { session_started_at: at });
		const contents = [{ type: 'text', text: { content } }];
		const message = { conversation_id, from: 'customer', source: 'channel', contents, status: 'received' };
		return this.addMessage({ ...message, at });
	}

	/** Notes what became of a message, with the reason if it failed. */
	setStatus(id: number, status: string, reason?: Reason): Message {
		const errors = this.tables.message_errors;
		const error = reason && errors.insert({ message_id: id, ...reason, created_at: this.clock.iso() });
		return existing(this.tables.messages.update(id, { status, latest_error: error }), 'Message');
	}

	findMessage(id: number): Message | undefined {
		return this.tables.messages.find(id);
	}

	/** Messages of a conversation, the oldest first. */
	messages(conversationId: number): Message[] {
		return this.tables.messages.by('conversation_id', conversationId);
	}

	lastMessage(conversationId: number): Message | undefined {
		return this.messages(conversationId).at(-1);
	}
}

function findConversation(call: Call<'createConversationMessage'>): Conversation {
	const id = stringOf(call.params.conversationId);
	const conversation = /^\d{1,15}$/.test(id) ? call.store.conversations.find(Number(id)) : undefined;
	return existing(conversation, 'Conversation');
}

/** When the time is over in which the customer can be answered, in milliseconds since 1970. */
export function sessionEnd({ session_started_at }: Conversation, { channel }: Customer): number {
	const hours = CHANNELS.find((known) => known.channel === channel)?.session_hours ?? 0;
	return session_started_at + hours * HOUR;
}

export const operations = {
	sendTemplate,

	/** A reply after the end of the session is stored, and carries the reason why it cannot be delivered. */
	createConversationMessage(call) {
		const { store, body, user, tenant } = call;
		const conversation = findConversation(call);
		const customer = call.customer(conversation.customer_id);
		const contents = readContents(store, body);
		if (
			body.reference_id !== undefined &&
			store.conversations.findMessage(body.reference_id)?.conversation_id !== conversation.id
		) {
			throw invalid({ reference_id: ['There is no such message in this conversation.'] });
		}
		const isExpired = store.clock.now() > sessionEnd(conversation, customer);
		const message = store.conversations.addMessage({
			conversation_id: conversation.id,
			from: 'agent',
			source: body.from_automation ? 'automation' : 'api',
			user_id: user.id,
			contents,
			status: isExpired ? 'failed' : 'created',
			...(body.reference_id !== undefined && { reference: { type: 'message', id: body.reference_id } }),
			error: isExpired ? SESSION_EXPIRED : undefined,
		});
		return { data: tenant.tell(message) };
	},
} satisfies Operations;

/** A talk with the first customer: a template that was sent, a question, and an answer. */
export function demo({ users, agents, customers, media, templates, conversations, clock }: Store): void {
	const [, agent] = users.list().records;
	const [shop] = agents.list('chatapp').records;
	const [{ internal_uuid: picture }] = media.list();
	const mira = existing(customers.byDisplayId('chatapp', '491700000001'), 'Customer');
	const shipped = existing(templates.find('order_shipped', 'en_US'), 'Template');
	const minutesAgo = (minutes: number) => clock.now() - minutes * 60_000;
	const talk = conversations.create(mira.id, shop.id, null, minutesAgo(31));
	const filled = renderTemplate(shipped, [
		{ type: 'header', parameters: [{ type: 'image', image: { id: picture } }] },
		{
			type: 'body',
			parameters: ['Mira', 'A-1042', 'Friday'].map((text) => ({ type: 'text', text })),
		},
		{ type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-1042' }] },
	]);
	if ('errors' in filled) throw invalid(filled.errors);
	const ofAgent = {
		conversation_id: talk.id,
		from: 'agent',
		source: 'api',
		user_id: agent.id,
		status: 'created',
	};
	conversations.addMessage({
		...ofAgent,
		contents: [{ type: 'template', template: filled.template }],
		ca_template_id: shipped.id,
		at: minutesAgo(52),
	});
	conversations.receive(talk.id, 'Lovely, thank you! Can I change the delivery address?', minutesAgo(31));
	conversations.addMessage({
		...ofAgent,
		contents: [{ type: 'text', text: { content: 'Of course. Which address should it go to?' } }],
		at: minutesAgo(28),
	});
}
