import { invalid, notFound } from '../refusal.mts';
import type { Agent } from '../store/agents.mts';
import type { Store } from '../store/store.mts';
import { isEmail } from './email.mts';
import { isId } from './id.mts';
import type { Operations } from './operation.mts';

function existing(store: Store, id: number): Agent {
	const agent = store.agents.find(id);
	if (!agent) throw notFound('Agent');
	return agent;
}

export const agentOperations: Operations<'listAgents' | 'getAgent' | 'updateAgent'> = {
	listAgents: (call) => call.page((window) => call.store.agents.list(call.query.channel, window)),

	getAgent: ({ store, params }) => ({ data: existing(store, params.id) }),

	updateAgent({ store, params, body }) {
		existing(store, params.id);
		if (body.bot_id != null && !isId(body.bot_id))
			throw invalid({ bot_id: ['The bot id must be positive.'] });
		if (typeof body.proxy_email === 'string' && !isEmail(body.proxy_email)) {
			throw invalid({ proxy_email: ['The proxy email must be a valid address.'] });
		}
		store.agents.update(params.id, body);
		return { data: existing(store, params.id) };
	},
};
