import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { operations } from '../contract.mts';
import type { Access } from '../control/access.mts';
import type { Controlled } from '../control/controlPlane.mts';
import { sendFile } from '../files/fileRoutes.mts';
import { existing, notFound } from '../refusal.mts';
import { isSecretHeader } from '../secretHeaders.mts';
import type { Tenant, TenantEvents } from '../tenant.mts';
import { listConversations, showConversation } from './inboxData.mts';

const PAGE = join(import.meta.dirname, 'page');
const FILES = readdirSync(PAGE).filter((file) => ['.css', '.js'].includes(extname(file)));
const TYPES: Record<string, string> = {
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.html': 'text/html; charset=utf-8',
};

/** The page shows what anybody may have sent: nothing in it can run, and it talks to nobody but the sandbox. */
const SECURITY = {
	'content-security-policy':
		"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src * data:; media-src *; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
	'referrer-policy': 'no-referrer',
	'x-content-type-options': 'nosniff',
	'cross-origin-resource-policy': 'same-origin',
	'cache-control': 'no-cache',
};

/** How often a silent stream of events is kept alive, in milliseconds. */
const HEARTBEAT_MS = 20_000;

/** How often the page hears of requests at most, in milliseconds: a client may send thousands a second. */
const REQUESTS_MS = 200;

/** The inbox at `/`, which shows conversations as the customer sees them, and its files. */
export async function inboxPage(page: FastifyInstance, access: Access): Promise<void> {
	access.checkPage(page);
	const send = (reply: FastifyReply, file: string) =>
		reply
			.headers(SECURITY)
			.type(TYPES[extname(file)])
			.send(readFileSync(join(PAGE, file), 'utf8'));
	page.get('/', (request, reply) => access.enter(request, reply) ?? send(reply, 'index.html'));
	for (const file of FILES) page.get(`/inbox/${file}`, (_request, reply) => send(reply, file));
}

/** What happens, as server-sent events. */
function addEvents(server: FastifyInstance, { events }: Tenant): void {
	server.get('/sandbox/inbox/events', (request, reply) => {
		reply.hijack();
		const { raw } = reply;
		raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const send = (name: string, data: object) =>
			raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
		const listeners: { [Name in keyof TenantEvents]: (...args: TenantEvents[Name]) => void } = {
			message: ({ id, conversation_id, from }) => send('message', { id, conversation_id, from }),
			delivery: ({ id, conversation_id }) => send('delivery', { id, conversation_id }),
			customer: (customer_id) => send('customer', { customer_id }),
			request: () => {
				told ??= setTimeout(() => {
					told = undefined;
					send('request', {});
				}, REQUESTS_MS);
			},
			control: () => send('control', {}),
			reset: () => send('reset', {}),
		};
		let told: NodeJS.Timeout | undefined;
		send('hello', {});
		const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
		const pairs = Object.entries(listeners) as Array<[keyof TenantEvents, () => void]>;
		for (const [name, listener] of pairs) events.on(name, listener);
		request.raw.socket.once('close', () => {
			clearInterval(heartbeat);
			clearTimeout(told);
			for (const [name, listener] of pairs) events.off(name, listener);
		});
	});
}

/** The requests to the interface, without the secrets in their headers. */
function addRequestLog(plane: FastifyInstance, { recorder }: Controlled): void {
	plane.get<{ Querystring: { since?: string } }>('/sandbox/inbox/requests', ({ query }) =>
		recorder.changesSince(Number(query.since ?? 0) || 0),
	);

	plane.get<{ Params: { id: string } }>('/sandbox/inbox/requests/:id', ({ params }) => {
		const request = existing(recorder.find(Number(params.id)), 'Request');
		const headers = Object.entries(request.headers).map(([name, value]) => [
			name,
			isSecretHeader(name) ? '(not shown)' : value,
		]);
		return { ...request, headers: Object.fromEntries(headers) as typeof request.headers };
	});
}

/** What the page reads. It belongs to the control plane, and is guarded with it. */
export function addInboxData(plane: FastifyInstance, controlled: Controlled): void {
	const { tenant } = controlled;
	const { store } = tenant;

	plane.get<{ Querystring: { search?: string; offset?: string } }>(
		'/sandbox/inbox/conversations',
		({ query }) => listConversations(store, query.search ?? '', Number(query.offset ?? 0) || 0, 50),
	);

	plane.get<{ Params: { id: string } }>('/sandbox/inbox/conversations/:id', ({ params }) =>
		showConversation(store, Number(params.id) || 0),
	);

	plane.get<{ Params: { uuid: string } }>('/sandbox/inbox/files/:uuid', ({ params }, reply) => {
		const file = store.files.find(params.uuid);
		if (!file) throw notFound('File');
		return sendFile(reply, store, file);
	});

	plane.get('/sandbox/inbox/operations', () => {
		const data: Record<string, string[]> = {};
		for (const { operationId, tags } of operations()) (data[tags[0]] ??= []).push(operationId);
		return { data };
	});

	addRequestLog(plane, controlled);
	addEvents(plane, tenant);
}
