import type { FastifyInstance } from 'fastify';
import { MESSAGE_FROM, MESSAGE_SOURCE, MESSAGE_STATUS } from '../choices.mts';
import { DAY, HOUR } from '../clock.mts';
import { FAULT_RULE, type FaultRule, type Faults, headerName, headerValue } from '../faults.mts';
import { addInboxData } from '../inbox/inboxRoutes.mts';
import { existing, invalid, notFound } from '../refusal.mts';
import { SIGNATURE_ALGORITHMS, type WebhookRegistration } from '../resources/webhook.mts';
import type { Tenant } from '../tenant.mts';
import type { Har } from '../session/har.mts';
import type { Recording } from '../session/recording.mts';
import type { Replay } from '../session/replay.mts';
import type { Recorder } from '../recorder.mts';
import type { Access } from './access.mts';
import { addAwaitRoute } from './awaitMessage.mts';
import { addLifecycleRoutes } from './lifecycleRoutes.mts';
import { seed, SEED, type SeedOptions } from './seed.mts';
import { addSessionRoutes } from './session.mts';
import { addSnapshotRoutes } from './snapshots.mts';

/** The parts of a running sandbox that can be controlled. */
export interface Controlled {
	tenant: Tenant;
	recorder: Recorder;
	faults: Faults;
	recording: Recording;
	/** Resets the tenant and replays a session. */
	replayed(session: Har, ignored?: string[]): Promise<Replay>;
	access: Access;
	reset(): Promise<void>;
}

interface IdParams {
	id: number;
}

interface ClockMove {
	advance?: { days?: number; hours?: number; minutes?: number; seconds?: number };
	set?: string;
}

const ID = { type: 'object', properties: { id: { type: 'integer' } } };
const LIMIT = { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } } };
const text = { type: 'string', minLength: 1 };

/** What `WebhookRegistration` says, as a schema. */
export const WEBHOOK = {
	type: 'object',
	required: ['url'],
	additionalProperties: false,
	properties: {
		url: { type: 'string', pattern: '^https?://', title: 'an http or https URL' },
		secretHeader: {
			type: 'object',
			required: ['name', 'value'],
			properties: { name: headerName, value: headerValue },
		},
		basicAuth: { type: 'object', required: ['user', 'password'], properties: { user: text, password: text } },
		signature: {
			type: 'object',
			required: ['secret'],
			additionalProperties: false,
			properties: {
				secret: text,
				header: headerName,
				algorithm: { type: 'string', enum: SIGNATURE_ALGORITHMS },
				encoding: { type: 'string', enum: ['hex', 'base64'] },
				prefix: { ...headerValue, pattern: '^[ -~]*$' },
				timestampHeader: headerName,
			},
		},
	},
};

const NOTIFICATION_BODY = {
	type: 'object',
	required: ['title', 'body'],
	additionalProperties: false,
	properties: { title: text, body: text },
};

const AMOUNT = { type: 'number' };
const CLOCK_BODY = {
	type: 'object',
	additionalProperties: false,
	properties: {
		advance: {
			type: 'object',
			additionalProperties: false,
			properties: { days: AMOUNT, hours: AMOUNT, minutes: AMOUNT, seconds: AMOUNT },
		},
		set: { type: 'string', format: 'date-time', title: 'a time such as 2031-05-06T07:08:09Z' },
	},
};

/** Times beyond these cannot be written as the interface writes them. A day is left for the clock to run on. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z') - DAY;

/** Milliseconds of a span. */
const spanOf = ({ days = 0, hours = 0, minutes = 0, seconds = 0 }: NonNullable<ClockMove['advance']>) =>
	days * DAY + hours * HOUR + (minutes * 60 + seconds) * 1000;

/** What the tenant is, what it holds, back to the start, and more customers. */
function addTenantRoutes(plane: FastifyInstance, { tenant, recorder, faults, reset }: Controlled): void {
	plane.get('/sandbox', () => ({
		tenant: tenant.store.name,
		envelope: tenant.choices.envelope,
		now: tenant.store.clock.iso(),
		ahead_ms: Math.round(tenant.store.clock.ahead()),
		holds: tenant.store.counts(),
		webhooks: tenant.store.webhooks.list().length,
		faults: faults.list().length,
		requests: recorder.count(),
	}));

	plane.post('/sandbox/reset', async () => {
		await reset();
		return { holds: tenant.store.counts() };
	});

	plane.post<{ Body: SeedOptions }>('/sandbox/seed', { schema: { body: SEED } }, ({ body }) => {
		const added = seed(tenant.store, body);
		tenant.events.emit('reset');
		return { ...added, holds: tenant.store.counts() };
	});

	plane.get('/sandbox/deletions', () => ({ data: tenant.store.customers.deletions() }));
}

function addWebhookRoutes(plane: FastifyInstance, { tenant }: Controlled): void {
	const { webhooks } = tenant.store;
	plane.get('/sandbox/webhooks', () => ({ data: webhooks.list() }));

	plane.post<{ Body: WebhookRegistration }>('/sandbox/webhooks', { schema: { body: WEBHOOK } }, ({ body }) =>
		webhooks.add(body),
	);

	plane.delete<{ Params: IdParams }>('/sandbox/webhooks/:id', { schema: { params: ID } }, ({ params }) => {
		if (!webhooks.delete(params.id)) throw notFound('Webhook');
		return { data: [] };
	});

	plane.get<{ Querystring: { limit?: number } }>(
		'/sandbox/deliveries',
		{ schema: { querystring: LIMIT } },
		({ query }) => ({
			data: webhooks.deliveries(query.limit),
		}),
	);

	plane.post<{ Params: IdParams }>(
		'/sandbox/deliveries/:id/redeliver',
		{ schema: { params: ID } },
		({ params }) => {
			const delivery = webhooks.findDelivery(params.id);
			if (!delivery) throw notFound('Delivery');
			const again = tenant.deliveries.redeliver(delivery);
			if (!again) throw invalid({ id: ['The webhook of this delivery is not registered any more.'] });
			return again;
		},
	);
}

function addClockRoutes(plane: FastifyInstance, { tenant: { store } }: Controlled): void {
	const state = () => ({ now: store.clock.iso(), ahead_ms: Math.round(store.clock.ahead()) });
	plane.get('/sandbox/clock', state);

	plane.post<{ Body: ClockMove }>('/sandbox/clock', { schema: { body: CLOCK_BODY } }, ({ body }) => {
		const from = body.set === undefined ? store.clock.now() : Date.parse(body.set);
		const to = from + spanOf(body.advance ?? {});
		if (!(to >= EARLIEST && to <= LATEST)) {
			const member = body.advance === undefined ? 'set' : 'advance';
			throw invalid({ [member]: ['The clock goes from the year 1 to the year 9999.'] });
		}
		if (body.set !== undefined) store.clock.set(Date.parse(body.set));
		if (body.advance !== undefined) store.clock.advance(spanOf(body.advance));
		store.saveClock();
		return state();
	});

	plane.delete('/sandbox/clock', () => {
		store.clock.reset();
		store.saveClock();
		return state();
	});
}

function addFaultRoutes(plane: FastifyInstance, { faults }: Controlled): void {
	plane.get('/sandbox/faults', () => ({ data: faults.list() }));

	plane.post<{ Body: FaultRule }>('/sandbox/faults', { schema: { body: FAULT_RULE } }, ({ body }) =>
		faults.add(body),
	);

	plane.delete('/sandbox/faults', () => {
		faults.clear();
		return { data: [] };
	});

	plane.delete<{ Params: IdParams }>('/sandbox/faults/:id', { schema: { params: ID } }, ({ params }) => {
		if (!faults.delete(params.id)) throw notFound('Fault');
		return { data: [] };
	});
}

function addRequestRoutes(plane: FastifyInstance, { recorder }: Controlled): void {
	plane.get<{ Querystring: { limit?: number } }>(
		'/sandbox/requests',
		{ schema: { querystring: LIMIT } },
		({ query }) => ({
			data: recorder.list(query.limit),
		}),
	);

	plane.delete('/sandbox/requests', () => {
		recorder.clear();
		return { data: [] };
	});
}

/** What happens outside the tenant: customers write, deliveries to them fail, and the admin is notified. */
function addWorldRoutes(plane: FastifyInstance, { tenant }: Controlled): void {
	const { conversations, notifications, users } = tenant.store;

	plane.post<{ Body: { title: string; body: string } }>(
		'/sandbox/notifications',
		{ schema: { body: NOTIFICATION_BODY } },
		({ body: { title, body } }) => {
			const [admin] = users.list().records;
			notifications.add(admin.id, title, body);
			return { data: notifications.of(admin.id)[0] };
		},
	);

	plane.post<{ Params: IdParams; Body: { text: string } }>(
		'/sandbox/conversations/:id/customer-messages',
		{ schema: { params: ID, body: { type: 'object', required: ['text'], properties: { text } } } },
		({ params, body }) => {
			if (!conversations.find(params.id)) throw notFound('Conversation');
			conversations.assign(params.id, { session_started_at: tenant.store.clock.now() });
			const message = conversations.addMessage({
				conversation_id: params.id,
				from: MESSAGE_FROM.customer,
				source: MESSAGE_SOURCE.customer,
				contents: [{ type: 'text', text: { content: body.text } }],
				status: MESSAGE_STATUS.received,
			});
			tenant.events.emit('message', message);
			return { data: message };
		},
	);

	plane.post<{ Params: IdParams; Body: { type: string; message: string } }>(
		'/sandbox/messages/:id/failure',
		{
			schema: {
				params: ID,
				body: { type: 'object', required: ['type', 'message'], properties: { type: text, message: text } },
			},
		},
		({ params, body }) => {
			const { from } = existing(conversations.findMessage(params.id), 'Message');
			if (from === MESSAGE_FROM.customer) throw invalid({ id: ['The message is of a customer.'] });
			tenant.store.plans.giveUp('message', params.id);
			const message = conversations.fail(params.id, {
				type: body.type,
				original_message: body.message,
				user_friendly_message: body.message,
			});
			tenant.events.emit('message', message);
			return { data: message };
		},
	);
}

/** The control plane, outside the interface. Bodies are JSON: browsers send other types to foreign sites without asking first. */
export async function controlPlane(plane: FastifyInstance, controlled: Controlled): Promise<void> {
	controlled.access.checkControl(plane);
	const parseJson = plane.getDefaultJsonParser('error', 'error');
	plane.removeContentTypeParser(['text/plain', 'application/json']);
	// Many clients name the type of a body that they do not send.
	plane.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
		if (body === '') done(null, undefined);
		else parseJson(request, String(body), done);
	});
	plane.addHook('onSend', async (_request, reply) => {
		reply.headers({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' });
	});
	plane.addHook('onResponse', async ({ method }, { statusCode }) => {
		if (method !== 'GET' && statusCode < 300) controlled.tenant.events.emit('control');
	});
	addTenantRoutes(plane, controlled);
	addWebhookRoutes(plane, controlled);
	addClockRoutes(plane, controlled);
	addFaultRoutes(plane, controlled);
	addRequestRoutes(plane, controlled);
	addSnapshotRoutes(plane, controlled);
	addAwaitRoute(plane, controlled);
	addSessionRoutes(plane, controlled);
	addWorldRoutes(plane, controlled);
	addLifecycleRoutes(plane, controlled.tenant);
	addInboxData(plane, controlled);
}
