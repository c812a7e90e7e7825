import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** A request as it arrived, for tests and for people who look what their client really sent. */
export interface RecordedRequest {
	id: number;
	/** ISO 8601, sandbox clock. */
	at: string;
	method: string;
	path: string;
	query: Record<string, string | string[]>;
	headers: Record<string, string | string[]>;
	/** The exact bytes, base64; cut at `MAX_BODY_BYTES`. */
	body: string;
	/** Length of the whole body in bytes. */
	body_length: number;
	/** SHA-256 of the whole body, hex; null without a body. */
	body_sha256: string | null;
	/** Status of the answer; null while there is none, or when the connection was dropped. */
	status: number | null;
	/** Null while it is under way. */
	duration_ms: number | null;
}

/** How much is remembered: requests, bytes of one body, bytes of all bodies. */
export const MAX_REQUESTS = 2_000;
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** A request while it comes in. */
interface Entry {
	request: Omit<RecordedRequest, 'body' | 'body_sha256'>;
	chunks: Buffer[];
	kept: number;
	hash?: Hash;
	startedAt: number;
}

function queryOf({ searchParams }: URL): RecordedRequest['query'] {
	const query: RecordedRequest['query'] = {};
	for (const name of searchParams.keys()) {
		const values = searchParams.getAll(name);
		query[name] = values.length === 1 ? values[0] : values;
	}
	return query;
}

const toRecord = ({ request, chunks, hash }: Entry): RecordedRequest => ({
	...request,
	body: Buffer.concat(chunks).toString('base64'),
	body_sha256: hash ? hash.copy().digest('hex') : null,
});

/** Remembers the last requests in bounded memory. */
export class Recorder {
	private entries: Entry[] = [];

	private readonly byRequest = new WeakMap<IncomingMessage, Entry>();

	private lastId = 0;

	private bytes = 0;

	/** @param tell hears that requests came, were answered or were forgotten */
	constructor(
		private readonly now: () => string,
		private readonly tell: () => void = () => {},
	) {}

	/**
	 * Starts to record a request. Call it before anything reads the body: the bytes are taken as the HTTP parser hands
	 * them over, so that they are complete whoever reads them later, and even if nobody does.
	 */
	begin(raw: IncomingMessage): void {
		const { method = '', headers } = raw;
		const url = new URL(raw.url ?? '/', 'http://sandbox');
		const entry: Entry = {
			request: {
				...{ id: ++this.lastId, at: this.now(), method, path: url.pathname, query: queryOf(url) },
				headers: { ...headers } as RecordedRequest['headers'],
				...{ body_length: 0, status: null, duration_ms: null },
			},
			chunks: [],
			kept: 0,
			startedAt: performance.now(),
		};
		this.byRequest.set(raw, entry);
		this.entries.push(entry);
		this.forgetOldest();
		this.tell();
		if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
		const push = raw.push.bind(raw);
		raw.push = (chunk: unknown, encoding?: BufferEncoding) => {
			if (Buffer.isBuffer(chunk)) this.keep(entry, chunk);
			return push(chunk, encoding);
		};
	}

	/** Notes the answer, or that the connection was closed: only the first of both counts. */
	end(raw: IncomingMessage, status: number | null): void {
		const entry = this.byRequest.get(raw);
		if (!entry || entry.request.duration_ms !== null) return;
		const duration_ms = Math.round((performance.now() - entry.startedAt) * 100) / 100;
		Object.assign(entry.request, { status, duration_ms });
		this.tell();
	}

	/** The oldest first. */
	list(limit = MAX_REQUESTS): RecordedRequest[] {
		return this.entries.slice(-limit).map(toRecord);
	}

	find(id: number): RecordedRequest | undefined {
		const entry = this.entries.find(({ request }) => request.id === id);
		return entry && toRecord(entry);
	}

	count(): number {
		return this.entries.length;
	}

	clear(): void {
		this.entries = [];
		this.bytes = 0;
		this.tell();
	}

	private keep(entry: Entry, chunk: Buffer): void {
		entry.hash = (entry.hash ?? createHash('sha256')).update(chunk);
		entry.request.body_length += chunk.length;
		const part = Buffer.from(chunk.subarray(0, MAX_BODY_BYTES - entry.kept));
		entry.chunks.push(part);
		entry.kept += part.length;
		this.bytes += part.length;
		this.forgetOldest();
	}

	private forgetOldest(): void {
		while (this.entries.length > MAX_REQUESTS || (this.bytes > MAX_TOTAL_BYTES && this.entries.length > 1)) {
			this.bytes -= this.entries.shift()?.kept ?? 0;
		}
	}
}

/** Runs before the first byte of a body arrives, as no hook before it waits. */
export function recordArrivals(server: FastifyInstance, recorder: Recorder): void {
	server.addHook('onRequest', (request, reply, done) => {
		if (/^\/(third-party|files)\//.test(request.url)) {
			recorder.begin(request.raw);
			reply.raw.once('close', () => recorder.end(request.raw, null));
		}
		done();
	});
}

/** Notes what is answered in the end, after faults have had their way with it. */
export function recordAnswers(server: FastifyInstance, recorder: Recorder): void {
	server.addHook('onSend', (request, reply, payload, done) => {
		if (!request.raw.socket.destroyed) recorder.end(request.raw, reply.statusCode);
		done(null, payload);
	});
}
