import { CHANNELS, MESSAGE_FROM, MESSAGE_SOURCE, MESSAGE_STATUS, SESSION_EXPIRED } from '../choices.mts';
import { HOUR } from '../clock.mts';
import { readContents } from '../messages/messageContents.mts';
import { renderTemplate } from '../messages/template.mts';
import { existing, invalid } from '../refusal.mts';
import { containing } from '../store/database.mts';
import { RecordStore } from '../store/records.mts';
import type { Slice, Window } from '../store/slice.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import { stringOf } from '../texts.mts';
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

/** A message to store. */
export interface NewMessage {
	conversation_id: number;
	from: string;
	source: string;
	user_id?: number;
	contents: Array<Record<string, unknown>>;
	status: string;
	reference_id?: number;
	ca_template_id?: number;
	error?: Pick<MessageError, 'type' | 'original_message' | 'user_friendly_message'>;
	/** Milliseconds since 1970; default is now. */
	at?: number;
}

interface MessageRow {
	id: number;
	conversation_id: number;
	from: string;
	source: string;
	user_id: number | null;
	contents: string;
	status: string;
	sent_at: string;
	reference_id: number | null;
	ca_template_id: number | null;
}

export const tables = {
	conversations: {
		firstId: 2_001,
		isCounted: true,
		columns: `
			customer_id INTEGER NOT NULL UNIQUE REFERENCES customers ON DELETE CASCADE,
			agent_id INTEGER REFERENCES agents ON DELETE SET NULL,
			bot_id INTEGER,
			user_id INTEGER REFERENCES users ON DELETE SET NULL,
			folder_id INTEGER,
			session_started_at INTEGER NOT NULL,
			created_at TEXT NOT NULL,
			updated_at TEXT NOT NULL`,
		indexes: ['(updated_at)', '(agent_id)', '(user_id)'],
	},
	messages: {
		firstId: 30_001,
		isCounted: true,
		columns: `
			conversation_id INTEGER NOT NULL REFERENCES conversations ON DELETE CASCADE,
			"from" TEXT NOT NULL,
			source TEXT NOT NULL,
			user_id INTEGER,
			contents TEXT NOT NULL,
			status TEXT NOT NULL,
			sent_at TEXT NOT NULL,
			reference_id INTEGER,
			ca_template_id INTEGER`,
		indexes: ['(conversation_id)'],
	},
	message_errors: {
		firstId: 901,
		columns: `
			message_id INTEGER NOT NULL REFERENCES messages ON DELETE CASCADE,
			type TEXT NOT NULL,
			original_message TEXT NOT NULL,
			user_friendly_message TEXT NOT NULL,
			created_at TEXT NOT NULL`,
		indexes: ['(message_id)'],
	},
} satisfies Tables;

/** Conversations, one per customer, and their messages. */
export class Records extends RecordStore {
	find(id: number): Conversation | undefined {
		return this.database.get<Conversation>('SELECT * FROM conversations WHERE id = ?', id);
	}

	ofCustomer(customerId: number): Conversation | undefined {
		return this.database.get<Conversation>('SELECT * FROM conversations WHERE customer_id = ?', customerId);
	}

	/** Conversations of customers whose name or number has `text` in it, the latest first. */
	search(text: string, window?: Window): Slice<Conversation> {
		const part = containing(text);
		return this.database.slice<Conversation>(
			{
				columns: 'conversations.*',
				from: `conversations JOIN customers ON customers.id = customer_id
					WHERE name LIKE ? ESCAPE '\\' OR display_id LIKE ? ESCAPE '\\'`,
				order: 'conversations.updated_at DESC, conversations.id DESC',
			},
			[part, part],
			window,
		);
	}

	/** Opens a conversation; its session starts with it, now or at another time. */
	create(
		customerId: number,
		agentId: number | null,
		botId: number | null,
		now = this.clock.now(),
	): Conversation {
		const id = this.database.insert('conversations', {
			customer_id: customerId,
			agent_id: agentId,
			bot_id: botId,
			session_started_at: now,
			created_at: this.clock.iso(now),
			updated_at: this.clock.iso(now),
		});
		return existing(this.find(id), 'Conversation');
	}

	assign(
		id: number,
		fields: Partial<
			Pick<Conversation, 'agent_id' | 'bot_id' | 'user_id' | 'folder_id' | 'session_started_at'>
		>,
	): void {
		this.database.update('conversations', id, fields);
	}

	addMessage({ reference_id, ca_template_id, user_id, contents, error, at, ...fields }: NewMessage): Message {
		return this.database.transaction(() => {
			const now = this.clock.iso(at);
			const id = this.database.insert('messages', {
				...fields,
				user_id,
				reference_id,
				ca_template_id,
				contents: JSON.stringify(contents),
				sent_at: now,
			});
			if (error) this.database.insert('message_errors', { ...error, message_id: id, created_at: now });
			this.database.update('conversations', fields.conversation_id, { updated_at: now });
			return existing(this.findMessage(id), 'Message');
		});
	}

	/** Notes that a message could not be delivered. */
	fail(id: number, error: NonNullable<NewMessage['error']>): Message {
		return this.setStatus(id, MESSAGE_STATUS.failed, error);
	}

	/** Notes what became of a message, with the error if it failed; `at` as in `addMessage`. */
	setStatus(id: number, status: string, error?: NewMessage['error'], at?: number): Message {
		return this.database.transaction(() => {
			if (error) {
				this.database.insert('message_errors', { ...error, message_id: id, created_at: this.clock.iso(at) });
			}
			this.database.update('messages', id, { status });
			return existing(this.findMessage(id), 'Message');
		});
	}

	findMessage(id: number): Message | undefined {
		const row = this.database.get<MessageRow>('SELECT * FROM messages WHERE id = ?', id);
		return row && this.toMessage(row);
	}

	/** Messages of a conversation, the oldest first. */
	messages(conversationId: number): Message[] {
		return this.database
			.all<MessageRow>('SELECT * FROM messages WHERE conversation_id = ? ORDER BY id', conversationId)
			.map((row) => this.toMessage(row));
	}

	lastMessage(conversationId: number): Message | undefined {
		const row = this.database.get<MessageRow>(
			'SELECT * FROM messages WHERE conversation_id = ? ORDER BY id DESC LIMIT 1',
			conversationId,
		);
		return row && this.toMessage(row);
	}

	private toMessage(row: MessageRow): Message {
		const error = this.database.get<MessageError>(
			'SELECT * FROM message_errors WHERE message_id = ? ORDER BY id DESC LIMIT 1',
			row.id,
		);
		return {
			id: row.id,
			conversation_id: row.conversation_id,
			from: row.from,
			source: row.source,
			...(row.user_id !== null && { user_id: row.user_id }),
			contents: JSON.parse(row.contents) as Array<Record<string, unknown>>,
			status: row.status,
			sent_at: row.sent_at,
			...(row.reference_id !== null && { reference: { type: 'message', id: row.reference_id } }),
			...(error && { latest_error: { ...error } }),
			...(row.ca_template_id !== null && { ca_template_id: row.ca_template_id }),
		};
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
			from: MESSAGE_FROM.agent,
			source: body.from_automation ? MESSAGE_SOURCE.automation : MESSAGE_SOURCE.api,
			user_id: user.id,
			contents,
			status: isExpired ? MESSAGE_STATUS.failed : MESSAGE_STATUS.created,
			reference_id: body.reference_id,
			error: isExpired ? SESSION_EXPIRED : undefined,
		});
		tenant.deliveryStatuses.follow(message, customer);
		tenant.events.emit('message', message);
		if (body.from_automation) tenant.deliveries.announce(message, conversation, customer);
		return { data: message };
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
		from: MESSAGE_FROM.agent,
		source: MESSAGE_SOURCE.api,
		user_id: agent.id,
		status: MESSAGE_STATUS.created,
	};
	conversations.addMessage({
		...ofAgent,
		contents: [{ type: 'template', template: filled.template }],
		ca_template_id: shipped.id,
		at: minutesAgo(52),
	});
	conversations.addMessage({
		conversation_id: talk.id,
		from: MESSAGE_FROM.customer,
		source: MESSAGE_SOURCE.customer,
		contents: [{ type: 'text', text: { content: 'Lovely, thank you! Can I change the delivery address?' } }],
		status: MESSAGE_STATUS.received,
		at: minutesAgo(31),
	});
	conversations.addMessage({
		...ofAgent,
		contents: [{ type: 'text', text: { content: 'Of course. Which address should it go to?' } }],
		at: minutesAgo(28),
	});
}
