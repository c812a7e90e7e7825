import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { existing, Refusal } from '../refusal.mts';
import { isSecretHeader } from '../secretHeaders.mts';
import { stringOf } from '../texts.mts';
import { type HarContent, toContent } from './har.mts';

/** Whether a header is left out. `Authorization` stays, with a name in place of the token. */
const isLeftOut = (name: string) => name !== 'authorization' && isSecretHeader(name);

/** Webhooks hold secrets of others, and a replay should call nobody; the rest is about recordings themselves. */
const NOT_RECORDED = /^\/sandbox\/(webhooks|deliveries|recording|replay|requests|inbox)(?![\w-])/;

/** The file is whole after every entry. */
const HEAD =
	'{"log":{"version":"1.2","creator":{"name":"customer-messaging-sandbox","version":"1"},"entries":[';
const TAIL = '\n]}}\n';

/** What the tokens of a tenant are called in a file. */
export type TokenNames = Record<string, string | undefined>;

/** What is known of a request while it is under way. */
interface Started {
	at: Date;
	startedAt: number;
	body: Buffer[];
	/** Whether faults let it be answered. */
	isAnswered?: true;
	/** What is answered; stays away when the answer is a stream. */
	answer?: Buffer;
	stream?: Readable;
}

const isRecorded = ({ method, url }: FastifyRequest) =>
	/^\/(third-party|files)\//.test(url) ||
	(method !== 'GET' && /^\/sandbox\//.test(url) && !NOT_RECORDED.test(url));

const toHeaders = (headers: Record<string, unknown>) =>
	Object.entries(headers).flatMap(([name, value]) =>
		isLeftOut(name) ? [] : [value ?? []].flat().map((one) => ({ name, value: stringOf(one) })),
	);

/** Tokens stand in texts as they are, in JSON, and in JSON that a JSON text holds. */
const MAX_NESTING = 3;

/** Every token in a JSON text gets its name. */
function withoutTokens(json: string, names: TokenNames): string {
	let text = json;
	for (const [name, token] of Object.entries(names)) {
		let form = token ?? '';
		for (let level = 0; form !== '' && level < MAX_NESTING; level++) {
			text = text.replaceAll(form, `{{${name}}}`);
			form = JSON.stringify(form).slice(1, -1);
		}
	}
	return text.replace(
		/("name":"authorization","value":")(?!Bearer +\{\{\w+\}\} *")(?:[^"\\]|\\.)*"/gi,
		'$1Bearer {{unknown}}"',
	);
}

/** Writes down what the tenant is asked, and what changes it, with the answers. */
export class Recording {
	private file: number | undefined;

	private end = 0;

	private entries = 0;

	private readonly underWay = new WeakMap<object, Started>();

	/**
	 * @param path where it is written to
	 * @param names what the tokens are called
	 */
	constructor(
		private readonly path: string,
		private readonly names: TokenNames,
	) {}

	/** Begins a new file. @throws 409 when it records already */
	start(): void {
		if (this.file !== undefined) throw new Refusal(409, 'It records already: stop that first.');
		// Another sandbox that still records under this name keeps its old file, rather than writing into this one.
		try {
			rmSync(this.path, { force: true });
			this.file = openSync(this.path, 'w');
		} catch (cause) {
			throw new Error(`The session cannot be recorded in ${this.path}: ${(cause as Error).message}`, {
				cause,
			});
		}
		this.entries = 0;
		this.end = writeSync(this.file, HEAD);
		writeSync(this.file, TAIL, this.end);
	}

	/** The file stays where it is. */
	stop(): void {
		if (this.file !== undefined) closeSync(this.file);
		this.file = undefined;
	}

	state() {
		return { recording: this.file !== undefined, entries: this.entries, path: this.path };
	}

	/** The file as text. @throws 404 when nothing was recorded */
	read(): string {
		return readFileSync(existing(this.end > 0 ? this.path : undefined, 'Recording'), 'utf8');
	}

	/** Sees every request before its body is read, and every answer as faults have left it. */
	watch(server: FastifyInstance): void {
		server.addHook('onRequest', (request, reply, done) => {
			if (this.file !== undefined && isRecorded(request)) this.begin(request, reply);
			done();
		});
	}

	/** Has to be called after everything that changes answers. */
	watchAnswers(server: FastifyInstance): void {
		server.addHook('onSend', (request, reply, payload, done) => {
			const started = this.underWay.get(request.raw);
			if (started && !request.raw.socket.destroyed) started.isAnswered = true;
			// An answer 204 goes out without the body that it was given.
			const isBody = (typeof payload === 'string' || Buffer.isBuffer(payload)) && reply.statusCode !== 204;
			if (started && isBody) {
				started.answer = Buffer.from(payload);
			}
			if (started && payload instanceof Readable) started.stream = payload;
			done(null, payload);
		});
	}

	private begin(request: FastifyRequest, reply: FastifyReply): void {
		const { raw } = request;
		const started: Started = { at: new Date(), startedAt: performance.now(), body: [] };
		this.underWay.set(raw, started);
		const push = raw.push.bind(raw);
		raw.push = (chunk: unknown, encoding?: BufferEncoding) => {
			if (Buffer.isBuffer(chunk)) started.body.push(Buffer.from(chunk));
			return push(chunk, encoding);
		};
		reply.raw.once('close', () => this.write(request, reply, started));
	}

	private write(
		{ method, url, host, headers, raw }: FastifyRequest,
		reply: FastifyReply,
		started: Started,
	): void {
		if (this.file === undefined) return;
		// A client may close after the last byte of a file, before the file itself has ended.
		const isSent = reply.raw.writableFinished || started.stream?.errored === null;
		const isWhole = started.isAnswered === true && isSent;
		const status = isWhole ? reply.raw.statusCode : 0;
		const type = String(reply.getHeader('content-type') ?? '');
		const content: HarContent =
			started.answer && isWhole ? toContent(started.answer, type) : { mimeType: type };
		const body = Buffer.concat(started.body);
		const { searchParams } = new URL(url, 'http://sandbox');
		const time = Math.round(performance.now() - started.startedAt);
		const entry = {
			startedDateTime: started.at.toISOString(),
			time,
			request: {
				method,
				url: `http://${host}${url}`,
				httpVersion: `HTTP/${raw.httpVersion}`,
				cookies: [],
				headers: toHeaders(headers),
				queryString: [...searchParams].map(([name, value]) => ({ name, value })),
				...(body.length > 0 && { postData: toContent(body, headers['content-type'] ?? '') }),
				headersSize: -1,
				bodySize: body.length,
			},
			response: {
				status,
				statusText: STATUS_CODES[status] ?? '',
				httpVersion: 'HTTP/1.1',
				cookies: [],
				headers: isWhole ? toHeaders(reply.getHeaders()) : [],
				content: { size: started.answer?.length ?? -1, ...content },
				redirectURL: String(reply.getHeader('location') ?? ''),
				headersSize: -1,
				bodySize: -1,
			},
			cache: {},
			timings: { send: 0, wait: time, receive: 0 },
		};
		const text = `${this.entries++ === 0 ? '' : ','}\n${withoutTokens(JSON.stringify(entry), this.names)}`;
		this.end += writeSync(this.file, text, this.end);
		ftruncateSync(this.file, this.end);
		writeSync(this.file, TAIL, this.end);
	}
}
