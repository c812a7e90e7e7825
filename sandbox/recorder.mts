import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

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

/** One line about a request; `url` is path and query. */
export interface RequestSummary
	extends Pick<RecordedRequest, 'id' | 'at' | 'method' | 'status' | 'duration_ms'> {
	url: string;
}

/** How much is remembered: requests, bytes of one body, bytes of all bodies. */
export const MAX_REQUESTS = 2_000;
export const MAX_BODY_BYTES = 256 * 1024;
export const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** One request while it comes in. */
class Entry {
	status: number | null = null;
	duration: number | null = null;
	length = 0;
	kept = 0;
	/** Number of the last change of its line. */
	change = 0;
	private chunks: Buffer[] = [];
	private hash: Hash | undefined;
	private digest: string | null = null;

	constructor(
		readonly id: number,
		readonly at: string,
		readonly raw: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
		readonly startedAt: number,
	) {}

	/** @returns how many bytes more are kept. */
	add(chunk: Buffer): number {
		this.hash ??= createHash('sha256');
		this.hash.update(chunk);
		this.length += chunk.length;
		const part = chunk.subarray(0, Math.max(0, MAX_BODY_BYTES - this.kept));
		if (part.length > 0) this.chunks.push(Buffer.from(part));
		this.kept += part.length;
		return part.length;
	}

	forgetBody(): number {
		const freed = this.kept;
		this.chunks = [];
		this.kept = 0;
		return freed;
	}

	toSummary(): RequestSummary {
		const { id, at, raw, status, duration } = this;
		return { id, at, method: raw.method ?? '', url: raw.url ?? '', status, duration_ms: duration };
	}

	toRecord(): RecordedRequest {
		if (this.hash) this.digest = this.hash.copy().digest('hex');
		const url = new URL(this.raw.url ?? '/', 'http://sandbox');
		const query: Record<string, string | string[]> = {};
		for (const name of new Set(url.searchParams.keys())) {
			const values = url.searchParams.getAll(name);
			query[name] = values.length === 1 ? values[0] : values;
		}
		return {
			id: this.id,
			at: this.at,
			method: this.raw.method ?? '',
			path: url.pathname,
			query,
			headers: Object.fromEntries(
				Object.entries(this.raw.headers).filter(
					(entry): entry is [string, string | string[]] => entry[1] !== undefined,
				),
			),
			body: Buffer.concat(this.chunks).toString('base64'),
			body_length: this.length,
			body_sha256: this.digest,
			status: this.status,
			duration_ms: this.duration,
		};
	}
}

/** Remembers the last requests in bounded memory. */
export class Recorder {
	private entries: Entry[] = [];

	private start = 0;

	private readonly byRequest = new WeakMap<IncomingMessage, Entry>();

	private lastId = 0;

	private lastChange = 0;

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
	begin(request: IncomingMessage): void {
		const { method, url, headers } = request;
		const entry = new Entry(++this.lastId, this.now(), { method, url, headers }, performance.now());
		this.byRequest.set(request, entry);
		this.entries.push(entry);
		this.changed(entry);
		if (this.entries.length - this.start > MAX_REQUESTS)
			this.bytes -= this.entries[this.start++].forgetBody();
		if (this.start > MAX_REQUESTS) {
			this.entries = this.entries.slice(this.start);
			this.start = 0;
		}
		if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
		const push = request.push.bind(request);
		request.push = (chunk: unknown, encoding?: BufferEncoding) => {
			if (Buffer.isBuffer(chunk)) this.keep(entry, chunk);
			return push(chunk, encoding);
		};
	}

	/** Notes the answer, or that the connection was closed: only the first of both counts. */
	end(request: IncomingMessage, status: number | null): void {
		const entry = this.byRequest.get(request);
		if (!entry || entry.duration !== null) return;
		entry.status = status;
		entry.duration = Math.round((performance.now() - entry.startedAt) * 100) / 100;
		this.changed(entry);
	}

	/** The oldest first. */
	list(limit = MAX_REQUESTS): RecordedRequest[] {
		return this.entries
			.slice(Math.max(this.start, this.entries.length - limit))
			.map((entry) => entry.toRecord());
	}

	/** What changed since then, the newest first, and from which id on there are requests. */
	changesSince(change: number): { data: RequestSummary[]; oldest: number; change: number } {
		const entries = this.entries.slice(this.start);
		return {
			data: entries
				.filter((entry) => entry.change > change)
				.map((entry) => entry.toSummary())
				.reverse(),
			oldest: entries.at(0)?.id ?? this.lastId + 1,
			change: this.lastChange,
		};
	}

	find(id: number): RecordedRequest | undefined {
		return this.entries.find((entry, index) => index >= this.start && entry.id === id)?.toRecord();
	}

	count(): number {
		return this.entries.length - this.start;
	}

	clear(): void {
		this.entries = [];
		this.start = 0;
		this.bytes = 0;
		this.tell();
	}

	private changed(entry: Entry): void {
		entry.change = ++this.lastChange;
		this.tell();
	}

	private keep(entry: Entry, chunk: Buffer): void {
		this.bytes += entry.add(chunk);
		for (let index = this.start; this.bytes > MAX_TOTAL_BYTES && index < this.entries.length; index++) {
			this.bytes -= this.entries[index].forgetBody();
		}
	}
}
