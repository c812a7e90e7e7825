import { existing, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { type Slice, slice, Table, type Window } from '../store/table.mts';
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

export const tables = { agents: () => new Table<Agent>({ firstId: 11, isCounted: true }) };

export class Records extends RecordStore {
	list(channel: string | undefined, window?: Window): Slice<Agent> {
		const agents = this.tables.agents.all();
		return slice(
			channel === undefined ? agents : agents.filter((agent) => agent.channel === channel),
			window,
		);
	}

	find(id: number): Agent | undefined {
		return this.tables.agents.find(id);
	}

	create(channel: string, name: string, display_id: string): Agent {
		const fields = { channel, name, display_id, bot_id: null, proxy_email: null };
		return this.tables.agents.insert({ ...fields, ...this.born });
	}

	update(id: number, { bot_id, proxy_email }: Partial<Agent>): Agent | undefined {
		return this.tables.agents.update(id, { bot_id, proxy_email, ...this.touched });
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
		return { data: existing(store.agents.update(params.id, body), 'Agent') };
	},
} satisfies Operations;

export function demo({ agents }: Store): void {
	agents.create('chatapp', 'Shop', '4930111222');
	agents.create('chatapp', 'Support', '4930111333');
}
