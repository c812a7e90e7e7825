import type { FastifyInstance } from 'fastify';
import { MESSAGE_STATUSES, type MessageStatus, TEMPLATE_STATUSES, type TemplateStatus } from '../choices.mts';
import { lengthOf, type Span } from '../clock.mts';
import { FAULT_RULE, type FaultRule, headerName, headerValue } from '../faults.mts';
import { addInboxData } from '../inbox/inboxRoutes.mts';
import { NoSuchMessage, WANTED_MESSAGE, type WantedMessage } from '../messages/arrivals.mts';
import { existing, invalid, notFound } from '../refusal.mts';
import type { WebhookRegistration } from '../resources/webhook.mts';
import type { Controls } from '../server.mts';
import { SEED, type SeedOptions } from './seed.mts';

interface Id {
	Params: { id: number };
}

const text = { type: 'string', minLength: 1 };
const amount = { type: 'number' };
const withId = { params: { type: 'object', properties: { id: { type: 'integer' } } } };
const withLimit = {
	querystring: { type: 'object', properties: { limit: { type: 'integer', minimum: 1 } } },
};

/** An object with these members and no others. */
const object = (properties: Record<string, object>, ...required: string[]) => ({
	type: 'object',
	required,
	additionalProperties: false,
	properties,
});

/** What `WebhookRegistration` says, as a schema. */
export const WEBHOOK = object(
	{
		url: { type: 'string', pattern: '^https?://', title: 'an http or https URL' },
		secretHeader: object({ name: headerName, value: headerValue }, 'name', 'value'),
		basicAuth: object({ user: text, password: text }, 'user', 'password'),
		signature: object(
			{
				secret: text,
				header: headerName,
				encoding: { enum: ['hex', 'base64'] },
				prefix: { ...headerValue, pattern: '^[ -~]*$' },
				timestampHeader: headerName,
			},
			'secret',
		),
		standardWebhooks: object({ secret: { ...text, pattern: '^whsec_' } }, 'secret'),
	},
	'url',
);

const CLOCK_MOVE = object({
	advance: object({ days: amount, hours: amount, minutes: amount, seconds: amount }),
	set: { type: 'string', format: 'date-time', title: 'a time such as 2031-05-06T07:08:09Z' },
});
const NOTIFICATION = object({ title: text, body: text }, 'title', 'body');
const STATUS_OF_MESSAGE = object(
	{
		status: { enum: MESSAGE_STATUSES },
		reason: text,
	},
	'status',
);
const REVIEW = object({ status: { enum: TEMPLATE_STATUSES }, reason: text }, 'status');

/** For whoever watches the process, without a token: it says that the sandbox answers, and nothing else. */
export function addHealth(server: FastifyInstance): void {
	server.route({
		method: ['GET', 'HEAD'],
		url: '/sandbox/health',
		handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
	});
}

/** What the tenant is, what it holds, back to the start, and more customers. */
function addTenantRoutes(plane: FastifyInstance, controls: Controls): void {
	const { tenant, recorder, faults } = controls;
	const { store } = tenant;
	const clock = () => ({ now: store.clock.iso(), ahead_ms: store.clock.ahead() });
	plane.get('/sandbox', () => ({
		envelope: tenant.choices.envelope,
		...clock(),
		holds: store.counts(),
		webhooks: store.webhooks.list().length,
		faults: faults.list().length,
		requests: recorder.count(),
	}));

	plane.post('/sandbox/reset', async () => {
		await controls.reset();
		return { holds: store.counts() };
	});

	plane.post<{ Body: SeedOptions }>('/sandbox/seed', { schema: { body: SEED } }, ({ body }) => ({
		...controls.seed(body),
		holds: store.counts(),
	}));

	plane.get('/sandbox/clock', clock);

	plane.post<{ Body: { advance?: Span; set?: string } }>(
		'/sandbox/clock',
		{ schema: { body: CLOCK_MOVE } },
		({ body: { advance, set } }) => {
			const from = set === undefined ? store.clock.now() : Date.parse(set);
			try {
				store.clock.set(from + lengthOf(advance ?? {}));
			} catch (error) {
				throw invalid({ [advance ? 'advance' : 'set']: [(error as Error).message] });
			}
			return clock();
		},
	);

	plane.delete('/sandbox/clock', () => {
		store.clock.reset();
		return clock();
	});
}

function addWebhookRoutes(plane: FastifyInstance, { tenant }: Controls): void {
	const { webhooks } = tenant.store;
	plane.get('/sandbox/webhooks', () => ({ data: webhooks.list() }));

	plane.post<{ Body: WebhookRegistration }>('/sandbox/webhooks', { schema: { body: WEBHOOK } }, ({ body }) =>
		webhooks.add(body),
	);

	plane.delete<Id>('/sandbox/webhooks/:id', { schema: withId }, ({ params }) => {
		if (!webhooks.delete(params.id)) throw notFound('Webhook');
		return { data: [] };
	});

	plane.get<{ Querystring: { limit?: number } }>(
		'/sandbox/deliveries',
		{ schema: withLimit },
		({ query }) => ({ data: webhooks.deliveries(query.limit) }),
	);

	plane.post<Id>('/sandbox/deliveries/:id/redeliver', { schema: withId }, ({ params }) => {
		const again = tenant.deliveries.redeliver(existing(webhooks.findDelivery(params.id), 'Delivery'));
		if (!again) throw invalid({ id: ['The webhook of this delivery is not registered any more.'] });
		return again;
	});
}

function addFaultRoutes(plane: FastifyInstance, { faults }: Controls): void {
	plane.get('/sandbox/faults', () => ({ data: faults.list() }));

	plane.post<{ Body: FaultRule }>('/sandbox/faults', { schema: { body: FAULT_RULE } }, ({ body }) =>
		faults.add(body),
	);

	plane.delete('/sandbox/faults', () => {
		faults.clear();
		return { data: [] };
	});

	plane.delete<Id>('/sandbox/faults/:id', { schema: withId }, ({ params }) => {
		if (!faults.delete(params.id)) throw notFound('Fault');
		return { data: [] };
	});
}

function addRequestRoutes(plane: FastifyInstance, { recorder }: Controls): void {
	plane.get<{ Querystring: { limit?: number } }>('/sandbox/requests', { schema: withLimit }, ({ query }) => ({
		data: recorder.list(query.limit),
	}));

	plane.delete('/sandbox/requests', () => {
		recorder.clear();
		return { data: [] };
	});
}

/** What happens outside the tenant: customers get messages and write, deliveries fail, templates are decided about. */
function addWorldRoutes(plane: FastifyInstance, controls: Controls): void {
	const { tenant } = controls;
	const { notifications, conversations, templates, users } = tenant.store;

	plane.get<{ Querystring: WantedMessage }>(
		'/sandbox/messages/await',
		{ schema: { querystring: WANTED_MESSAGE } },
		async ({ query }, reply) => {
			const left = new AbortController();
			reply.raw.once('close', () => left.abort());
			try {
				return { data: await tenant.arrivals.next(query, left.signal) };
			} catch (error) {
				if (left.signal.aborted) return reply.hijack();
				if (!(error instanceof NoSuchMessage)) throw error;
				return reply.code(error.status).send({ message: error.message, came: error.came });
			}
		},
	);

	plane.post<Id & { Body: { text: string } }>(
		'/sandbox/conversations/:id/customer-messages',
		{ schema: { ...withId, body: object({ text }, 'text') } },
		({ params, body }) => ({ data: controls.writeAsCustomer(params.id, body.text) }),
	);

	plane.post<Id & { Body: { status: MessageStatus; reason?: string } }>(
		'/sandbox/messages/:id/status',
		{ schema: { ...withId, body: STATUS_OF_MESSAGE } },
		({ params, body: { status, reason = 'The message could not be delivered.' } }) => {
			const { from } = existing(conversations.findMessage(params.id), 'Message');
			if (from === 'customer') throw invalid({ id: ['The message is of a customer.'] });
			const error = { type: 'undeliverable', original_message: reason, user_friendly_message: reason };
			return { data: tenant.setStatus(params.id, status, status === 'failed' ? error : undefined) };
		},
	);

	plane.post<Id & { Body: { status: TemplateStatus; reason?: string } }>(
		'/sandbox/templates/:id/review',
		{ schema: { ...withId, body: REVIEW } },
		({ params, body: { status, reason } }) => ({
			data: existing(templates.review(params.id, status, reason), 'Template'),
		}),
	);

	plane.post<{ Body: { title: string; body: string } }>(
		'/sandbox/notifications',
		{ schema: { body: NOTIFICATION } },
		({ body: { title, body } }) => {
			const [admin] = users.list().records;
			notifications.add(admin.id, title, body);
			return { data: notifications.of(admin.id)[0] };
		},
	);
}

/** The control plane, outside the interface. Bodies are JSON: browsers send other types to foreign sites without asking first. */
export async function controlPlane(plane: FastifyInstance, controls: Controls): Promise<void> {
	controls.access.checkControl(plane);
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
		if (method !== 'GET' && statusCode < 300) controls.tenant.events.emit('control');
	});
	addTenantRoutes(plane, controls);
	addWebhookRoutes(plane, controls);
	addFaultRoutes(plane, controls);
	addRequestRoutes(plane, controls);
	addWorldRoutes(plane, controls);
	addInboxData(plane, controls);
}
