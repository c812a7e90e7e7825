import type { Clock } from '../clock.mts';
import type { Database } from './database.mts';
import { LIST_ALL, type Slice, type Window } from './slice.mts';

/** A channel endpoint that messages are sent from. */
export interface Agent {
	id: number;
	channel: string;
	name: string;
	display_id: string;
	bot_id: number | null;
	proxy_email: string | null;
	created_at: string;
	updated_at: string;
}

export type AgentFields = Partial<Pick<Agent, 'bot_id' | 'proxy_email'>>;

export class AgentStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

	list(channel: string | undefined, window: Window = LIST_ALL): Slice<Agent> {
		const where = channel === undefined ? '' : 'WHERE channel = ?';
		const values = channel === undefined ? [] : [channel];
		return {
			records: this.database.all<Agent>(
				`SELECT * FROM agents ${where} ORDER BY id LIMIT ? OFFSET ?`,
				...values,
				window.limit,
				window.offset,
			),
			total:
				this.database.get<{ total: number }>(`SELECT count(*) AS total FROM agents ${where}`, ...values)
					?.total ?? 0,
		};
	}

	find(id: number): Agent | undefined {
		return this.database.get<Agent>('SELECT * FROM agents WHERE id = ?', id);
	}

	create(channel: string, name: string, displayId: string): number {
		const now = this.clock.iso();
		return this.database.insert('agents', {
			channel,
			name,
			display_id: displayId,
			created_at: now,
			updated_at: now,
		});
	}

	update(id: number, { bot_id, proxy_email }: AgentFields): void {
		this.database.update('agents', id, { bot_id, proxy_email, updated_at: this.clock.iso() });
	}
}
