import { MESSAGE_STATUS } from '../choices.mts';
import type { Clock } from '../clock.mts';
import type { Database } from './database.mts';
import { LIST_ALL, type Slice, type Window } from './slice.mts';

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

/** Conversations, one per customer, and their messages. */
export class ConversationStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	find(id: number): Conversation | undefined {
		return this.database.get<Conversation>('SELECT * FROM conversations WHERE id = ?', id);
	}

	ofCustomer(customerId: number): Conversation | undefined {
		return this.database.get<Conversation>('SELECT * FROM conversations WHERE customer_id = ?', customerId);
	}

	/** Conversations of customers whose name or number has `text` in it, the latest first. */
	search(text: string, window: Window = LIST_ALL): Slice<Conversation> {
		const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
		const from = `FROM conversations JOIN customers ON customers.id = customer_id
			WHERE name LIKE ? ESCAPE '\\' OR display_id LIKE ? ESCAPE '\\'`;
		return {
			records: this.database.all<Conversation>(
				`SELECT conversations.* ${from} ORDER BY conversations.updated_at DESC, conversations.id DESC LIMIT ? OFFSET ?`,
				part,
				part,
				window.limit,
				window.offset,
			),
			total: this.database.get<{ total: number }>(`SELECT count(*) AS total ${from}`, part, part)?.total ?? 0,
		};
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
		const conversation = this.find(id);
		if (!conversation) throw new Error(`Conversation ${id} vanished`);
		return conversation;
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
			const message = this.findMessage(id);
			if (!message) throw new Error(`Message ${id} vanished`);
			return message;
		});
	}

	/** Notes that a message could not be delivered. */
	fail(
		id: number,
		error: Pick<MessageError, 'type' | 'original_message' | 'user_friendly_message'>,
	): Message {
		return this.database.transaction(() => {
			this.database.insert('message_errors', { ...error, message_id: id, created_at: this.clock.iso() });
			this.database.update('messages', id, { status: MESSAGE_STATUS.failed });
			const message = this.findMessage(id);
			if (!message) throw new Error(`Message ${id} vanished`);
			return message;
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
