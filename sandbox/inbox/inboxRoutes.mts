import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Access } from '../control/access.mts';
import { sendFile } from '../files/fileRoutes.mts';
import { existing } from '../refusal.mts';
import { allOperations } from '../resources/index.mts';
import type { Controls } from '../server.mts';
import type { Tenant } from '../tenant.mts';
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

/** What happens, as server-sent events that are names alone: the page then reads what it shows. */
function addEvents(server: FastifyInstance, { events }: Tenant): void {
	server.get('/sandbox/inbox/events', (request, reply) => {
		reply.hijack();
		const { raw } = reply;
		raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		const send = (name: string) => raw.write(`event: ${name}\ndata:\n\n`);
		let later: NodeJS.Timeout | undefined;
		const tellOfRequests = () => {
			later = undefined;
			send('request');
		};
		const listeners = (['message', 'delivery', 'customer', 'request', 'control', 'reset'] as const).map(
			(name) => {
				const listener =
					name === 'request'
						? () => void (later ??= setTimeout(tellOfRequests, REQUESTS_MS))
						: () => void send(name);
				events.on(name, listener);
				return () => events.off(name, listener);
			},
		);
		send('hello');
		const heartbeat = setInterval(() => raw.write(':\n\n'), HEARTBEAT_MS);
		request.raw.socket.once('close', () => {
			clearInterval(heartbeat);
			clearTimeout(later);
			for (const stop of listeners) stop();
		});
	});
}

/** What the names of headers say whose values are secrets: those of the interface and the sandbox, and of other services. */
const SECRET = /authorization|cookie|token|api-?key|secret/i;

/** How many requests the page lists. */
const LISTED = 200;

/** The requests to the interface, without the secrets in their headers. */
function addRequestLog(plane: FastifyInstance, { recorder }: Controls): void {
	plane.get('/sandbox/inbox/requests', () => {
		const data = recorder.list(LISTED).map(({ id, at, method, path, query, status, duration_ms }) => ({
			...{ id, at, method, path, query, status, duration_ms },
		}));
		return { total: recorder.count(), data: data.reverse() };
	});

	plane.get<{ Params: { id: string } }>('/sandbox/inbox/requests/:id', ({ params }) => {
		const request = existing(recorder.find(Number(params.id)), 'Request');
		const headers = Object.entries(request.headers).map(([name, value]) => [
			name,
			SECRET.test(name) ? '(not shown)' : value,
		]);
		return { ...request, headers: Object.fromEntries(headers) as typeof request.headers };
	});
}

/** What the page reads. It belongs to the control plane, and is guarded with it. */
export function addInboxData(plane: FastifyInstance, controls: Controls): void {
	const { tenant } = controls;
	const { store } = tenant;

	plane.get<{ Querystring: { search?: string; offset?: string } }>(
		'/sandbox/inbox/conversations',
		({ query }) => listConversations(store, query.search ?? '', Number(query.offset ?? 0) || 0, 50),
	);

	plane.get<{ Params: { id: string } }>('/sandbox/inbox/conversations/:id', ({ params }) =>
		showConversation(store, Number(params.id) || 0),
	);

	plane.get<{ Params: { uuid: string } }>('/sandbox/inbox/files/:uuid', ({ params }, reply) => {
		return sendFile(reply, store, existing(store.files.find(params.uuid), 'File'));
	});

	plane.get('/sandbox/inbox/operations', () => ({ data: Object.keys(allOperations).sort() }));

	addRequestLog(plane, controls);
	addEvents(plane, tenant);
}
