import type { IDataObject } from 'n8n-workflow';

import { readEvent } from '../../../nodes/CustomerMessaging/trigger/events.ts';
import { passes } from '../../../nodes/CustomerMessaging/trigger/filters.ts';

describe('readEvent', () => {
	const message = { id: 7, conversation_id: 3 };
	const about = { event: 'new-agent-message', at: 'now' };

	it.each<[string, IDataObject]>([
		['message', { message }],
		['data', { data: message }],
		['data.message', { data: { message } }],
		['payload', { payload: message }],
		['payload.message', { payload: { message } }],
	])('finds the message in %s and keeps the other fields apart from it', (_, place) => {
		expect(readEvent({ ...about, ...place })).toEqual({
			raw: { ...about, ...place },
			message,
			event: about,
			kind: 'new-agent-message',
			isNewAgentMessage: true,
		});
	});

	it.each<[string, IDataObject]>([
		['data.data', { data: { data: message } }],
		['payload.data.message', { payload: { data: { message } } }],
		['body', { body: message }],
		['resource', { resource: message }],
		['data as JSON:API', { data: { type: 'messages', id: 7, attributes: { conversation_id: 3 } } }],
		['data as JSON text', { data: JSON.stringify({ message }) }],
	])('finds the message in %s too', (_, place) => {
		const found = readEvent({ ...about, ...place });
		expect(found).toMatchObject({ message, event: about, isNewAgentMessage: true });
		expect(found.message).toEqual(message);
	});

	it('takes a message with data of its own as it is', () => {
		const own = { ...message, data: { id: 1, status: 'x' }, body: { id: 2, status: 'y' } };
		expect(readEvent({ ...about, message: own }).message).toEqual(own);
		expect(readEvent({ data: { ...own, message: 'text' } }).message).toEqual({ ...own, message: 'text' });
	});

	it.each([
		'NewAgentMessage',
		'newAgentMessage',
		'App\\Events\\NewAgentMessage',
		'App/Events/NewAgentMessage',
		'message.agent.new',
		'agent.message.new',
		'NEW_AGENT_MESSAGE',
		'new:agent:message',
		'new agent message',
	])('knows the kind %s', (event) => {
		expect(readEvent({ event, message }).isNewAgentMessage).toBe(true);
		expect(readEvent({ event: { type: event }, message }).isNewAgentMessage).toBe(true);
	});

	it.each([
		'NewAgent',
		'NewAgentMessages',
		'new-message',
		'message.new',
		'agent',
		'AgentMessageDeleted',
		'renew-agent-message',
	])('does not take %s for it', (event) =>
		expect(readEvent({ event, message }).isNewAgentMessage).toBe(false),
	);

	it.each(['conversation_id', 'contents', 'status', 'sent_at'])(
		'knows a message by its ID and %s',
		(name) => {
			const one = { id: 7, [name]: 'x' };
			expect(readEvent({ message: one })).toEqual({
				raw: { message: one },
				message: one,
				event: {},
				kind: 'new-agent-message',
				isNewAgentMessage: true,
			});
			expect(readEvent(one).isNewAgentMessage).toBe(true);
		},
	);

	it.each<[string, IDataObject]>([
		['no ID', { message: { status: 'created', contents: [] } }],
		['an ID and nothing of a message', { message: { id: 7, title: 'x' } }],
		['a list', { message: [7] }],
	])('takes %s for no message', (_, raw) => {
		expect(readEvent(raw)).toEqual({ raw, message: raw, event: {}, kind: '', isNewAgentMessage: false });
	});

	it.each<[string, IDataObject]>([
		['event', { event: 'customer-created' }],
		['event_type', { event_type: 'message-updated' }],
		['kind', { kind: 'agent-message' }],
		['topic', { topic: 'new-agent-messages' }],
		['type', { type: 'old' }],
	])('believes %s that it is another event, although it holds a message', (_, kind) => {
		expect(readEvent({ ...kind, message })).toMatchObject({ message, event: kind, isNewAgentMessage: false });
	});

	it.each(['event', 'event_type', 'kind', 'topic', 'type'])('reads the kind from %s', (name) => {
		expect(readEvent({ [name]: 'New Agent_Message', message }).isNewAgentMessage).toBe(true);
	});

	it.each<[string, IDataObject]>([
		['an empty one', { event: '', message }],
		['a number', { event: 5, message }],
		['the type of the message itself', { type: 'text', ...message }],
	])('takes an event for a new agent message whose kind is %s', (_, raw) => {
		expect(readEvent(raw).isNewAgentMessage).toBe(true);
	});
});

describe('filters', () => {
	const message = { conversation_id: 3, from: 'Agent', source: 'API', status: 'created', ca_template_id: 9 };

	it.each<[string, IDataObject, boolean]>([
		[
			'each value right',
			{ conversation: 3, from: 'agent', source: 'api', status: 'Created', template: 9 },
			true,
		],
		['spaces around values', { status: ' failed , created ' }, true],
		['an empty part', { status: 'failed,,' }, false],
		['nothing but separators', { status: ' , ' }, true],
		['another conversation', { conversation: '33' }, false],
		['another sender', { from: 'customer' }, false],
		['another source', { source: 'app' }, false],
		['another status', { status: 'create' }, false],
		['another template', { template: '99' }, false],
		['all right but one', { from: 'agent', status: 'failed' }, false],
	])('with %s', (_, filters, expected) => {
		expect(passes(filters, message)).toBe(expected);
	});

	it.each(['conversation', 'from', 'source', 'status', 'template'])(
		'a message without what %s asks for stays out, whatever empty parts the filter has',
		(name) => {
			for (const value of ['x', 'x,', ' ,x', 'null', 'undefined', ['x', '']])
				expect({ value, passes: passes({ [name]: value }, {}) }).toEqual({ value, passes: false });
			expect(passes({ [name]: '' }, {})).toBe(true);
		},
	);

	it('a filter for failures lets through what has an error, and only then', () => {
		const withError = (latest_error?: unknown) => ({ ...message, latest_error }) as IDataObject;
		expect(passes({ onlyFailed: true }, withError({}))).toBe(true);
		expect(passes({ onlyFailed: true }, withError(null))).toBe(false);
		expect(passes({ onlyFailed: true }, withError())).toBe(false);
		expect(passes({ onlyFailed: true, status: 'failed' }, withError({}))).toBe(false);
	});
});
