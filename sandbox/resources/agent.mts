import { existing, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Slice, Window } from '../store/slice.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import { isEmail, isId } from '../values.mts';
import type { Operations } from './operation.mts';

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

export const tables = {
	agents: {
		firstId: 11,
		isCounted: true,
		columns: `
			channel TEXT NOT NULL,
			name TEXT NOT NULL,
			display_id TEXT NOT NULL,
			bot_id INTEGER,
			proxy_email TEXT,
			created_at TEXT NOT NULL,
			updated_at TEXT NOT NULL`,
	},
} satisfies Tables;

export class Records extends RecordStore {
	list(channel: string | undefined, window?: Window): Slice<Agent> {
		return channel === undefined
			? this.database.slice<Agent>({ from: 'agents', order: 'id' }, [], window)
			: this.database.slice<Agent>({ from: 'agents WHERE channel = ?', order: 'id' }, [channel], window);
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

export const operations = {
	listAgents: (call) => call.page((window) => call.store.agents.list(call.query.channel, window)),

	getAgent: ({ store, params }) => ({ data: existing(store.agents.find(params.id), 'Agent') }),

	updateAgent({ store, params, body }) {
		existing(store.agents.find(params.id), 'Agent');
		if (body.bot_id != null && !isId(body.bot_id))
			throw invalid({ bot_id: ['The bot id must be positive.'] });
		if (typeof body.proxy_email === 'string' && !isEmail(body.proxy_email)) {
			throw invalid({ proxy_email: ['The proxy email must be a valid address.'] });
		}
		store.agents.update(params.id, body);
		return { data: existing(store.agents.find(params.id), 'Agent') };
	},
} satisfies Operations;

export function demo({ agents }: Store): void {
	agents.create('chatapp', 'Shop', '4930111222');
	agents.create('chatapp', 'Support', '4930111333');
}
