import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Access } from '../control/access.mts';
import { sendFile } from '../files/fileRoutes.mts';
import { notFound } from '../refusal.mts';
import type { Tenant, TenantEvents } from '../tenant.mts';
import { listConversations, showConversation } from './inboxData.mts';

const PAGE = join(import.meta.dirname, 'page');
const FILES = [
	'inbox.css',
	'inbox.js',
	'api.js',
	'dom.js',
	'list.js',
	'messages.js',
	'styles.js',
	'details.js',
	'deliveries.js',
];
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
			reset: () => send('reset', {}),
		};
		send('hello', {});
		const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
		events.on('message', listeners.message);
		events.on('delivery', listeners.delivery);
		events.on('customer', listeners.customer);
		events.on('reset', listeners.reset);
		request.raw.socket.once('close', () => {
			clearInterval(heartbeat);
			events.off('message', listeners.message);
			events.off('delivery', listeners.delivery);
			events.off('customer', listeners.customer);
			events.off('reset', listeners.reset);
		});
	});
}

/** What the page reads. It belongs to the control plane, and is guarded with it. */
export function addInboxData(plane: FastifyInstance, tenant: Tenant): void {
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

	addEvents(plane, tenant);
}
