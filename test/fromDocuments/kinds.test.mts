import { arrive } from '../nodes/trigger/arrival.mts';

const KIND = 'new-agent-message';
let last = 0;
const message = () => ({ id: ++last, conversation_id: 3, from: 'agent', status: 'created', contents: [] });

it.each([
	'new-agent-message',
	'new_agent_message',
	'newAgentMessage',
	'NewAgentMessage',
	'NEW_AGENT_MESSAGE',
	'New Agent Message',
	'new.agent.message',
	'new:agent:message',
	'App\\Events\\NewAgentMessage',
	'message.agent.new',
	'agent.message.new',
	'agentMessageNew',
	// Usual too, and unambiguous.
	'App.Events.NewAgentMessage',
	'NewAgentMessageEvent',
	'App\\Events\\NewAgentMessageEvent',
	'com.acme.new-agent-message',
	'webhook.new_agent_message',
])('%s starts the workflow', async (event) => {
	expect((await arrive({ payload: { event, message: message() } })).items).toHaveLength(1);
});

it.each([
	'new-customer-message',
	'agent-message-updated',
	'message.agent.read',
	'new-agent',
	'message.new',
	'new-agent-message-failed',
	'renew-agent-message',
	'not-new-agent-message',
	'message.agent.newer',
	'new-user-agent-message',
	'App\\Events\\NewCustomerMessage',
	'ping',
])('%s does not start it', async (event) => {
	expect((await arrive({ payload: { event, message: message() } })).items).toBeUndefined();
});

it.each([
	'event',
	'type',
	'kind',
	'topic',
	'event_type',
	'eventType',
	'event_name',
	'eventName',
	'webhook_event',
])('another kind in "%s" does not start it', async (member) => {
	expect(
		(await arrive({ payload: { [member]: 'customer-message-read', message: message() } })).items,
	).toBeUndefined();
});

it.each([
	{ event: { name: 'customer-message-read' }, message: message() },
	{ data: { event: 'customer-message-read', message: message() } },
	{ payload: { event: 'customer-message-read', message: message() } },
	{ meta: { event: 'customer-message-read' }, data: message() },
])('another kind does not start it: %j', async (payload) => {
	expect((await arrive({ payload })).items).toBeUndefined();
});

const PAYLOADS: Record<string, (id: number) => object> = {
	message: (id) => ({ event: KIND, message: { ...message(), id } }),
	data: (id) => ({ event: KIND, data: { ...message(), id } }),
	'data.message': (id) => ({ event: KIND, data: { message: { ...message(), id } } }),
	payload: (id) => ({ event: KIND, payload: { ...message(), id } }),
	'payload.message': (id) => ({ event: KIND, payload: { message: { ...message(), id } } }),
	'data.data': (id) => ({ event: KIND, data: { data: { ...message(), id } } }),
	'JSON:API, the kind as type': (id) => ({
		data: { type: KIND, id: String(id), attributes: { ...message(), id } },
	}),
	'JSON:API, the kind at the top': (id) => ({
		event: KIND,
		data: { type: 'messages', id, attributes: { conversation_id: 3, status: 'created' } },
	}),
	'JSON:API, the kind in attributes': (id) => ({
		data: { type: 'events', id: '1', attributes: { event: KIND, message: { ...message(), id } } },
	}),
	'JSON:API, payload in attributes': (id) => ({
		data: {
			type: 'events',
			id: '1',
			attributes: { event: KIND, payload: { message: { ...message(), id } } },
		},
	}),
	'a Laravel broadcast': (id) => ({
		event: 'App\\Events\\NewAgentMessage',
		channel: 'private-x',
		data: JSON.stringify({ message: { ...message(), id } }),
	}),
	'a Laravel broadcast of the message': (id) => ({
		event: 'App\\Events\\NewAgentMessage',
		data: JSON.stringify({ ...message(), id }),
	}),
	'Stripe data.object': (id) => ({ id: 'evt_1', type: KIND, data: { object: { ...message(), id } } }),
};

it.each(Object.entries(PAYLOADS))('the message is found in %s', async (_, payload) => {
	const id = 70_000 + ++last;
	const { items } = await arrive({ payload: payload(id) });
	expect(items).toHaveLength(1);
	expect(String(items?.[0].id)).toBe(String(id));
	expect(items?.[0]).toMatchObject({ conversation_id: 3, status: 'created' });
});
