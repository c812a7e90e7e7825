import type { ServerResponse } from 'node:http';

import { numberId, type PlainAnswer, sendAnswer, type Trait, usual } from './composedAnswers.mts';
import type { Json, StoredRecord } from './records.mts';
import { BASE_PATH, type ServedTenant, type TenantRequest } from './tenantServer.mts';

/** The requests of which composed operations consist. */
export type RequestName =
	| 'the set'
	| 'the write'
	| 'the tags'
	| 'the customer'
	| 'the search'
	| 'the consent'
	| 'the MIME types'
	| 'the size limits'
	| 'the upload'
	| 'the temporary URL'
	| 'the media item'
	| 'the message';

/** An ID that no JavaScript number holds. */
const LARGE = '9007199254740993';

/** The UUID of a file that was uploaded before. */
export const KNOWN_FILE = '6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90';

const UPLOADED_FILE = '0b54a000-7c3e-4d1a-9f00-000000000001';

/** Number of the person whom the templates go to. */
export const NUMBER = '491711234567';

/** What goes out, with whole numbers that no JavaScript number holds as text. */
export function exactJson(body: string): Json {
	const text = Buffer.from(body, 'latin1').toString('utf8');
	return JSON.parse(text.replace(/([[:,]\s*)(\d{16,})(?=\s*[\],}])/g, '$1"$2"')) as Json;
}

interface Endpoint {
	name: RequestName;
	isBare?: true;
	otherIdName?: string;
	/** Does what is asked. */
	carryOut?: () => void;
	subject: () => Json;
}

const idText = (id: unknown): string | undefined =>
	(typeof id === 'number' || typeof id === 'string') && /^\d+$/.test(String(id))
		? String(BigInt(id))
		: undefined;

/** Whether the tenant does nothing when it answers so. */
const isRefusal = ({ status = 200, isRefusal: isTold }: Trait) => isTold ?? (status >= 400 && status < 500);

/** A tenant that keeps sets, tags, messages and media, and answers one kind of request in an unusual way. */
export class ComposedTenant implements ServedTenant {
	readonly log: string[] = [];

	readonly offences: string[] = [];

	/** How often each kind of request has come. */
	readonly counts = new Map<RequestName, number>();

	/** IDs of what is attached, by the path of the set. */
	readonly sets = new Map<string, string[]>();

	/** The paths of the sets that were written. */
	readonly written = new Set<string>();

	readonly tags: Array<{ id: string; title: string }>;

	/** Bodies of what went out. */
	readonly messages: Json[] = [];

	readonly media: Json[] = [];

	/** UUIDs and addresses of files that the tenant has given out. */
	readonly files = new Set<string>();

	private readonly first: string;

	/** @param isOptedIn whether the person has agreed to marketing */
	constructor(
		private readonly origin: string,
		private readonly varied: { request: RequestName; trait: Trait },
		readonly isOptedIn: boolean,
	) {
		this.first = varied.trait.hasLargeIds ? LARGE : '3';
		this.tags = [
			{ id: '4', title: 'Berlin' },
			{ id: '9', title: 'Newsletter' },
			{ id: '5', title: 'Sale' },
			{ id: this.first, title: 'VIP' },
		];
	}

	/** The IDs that are attached before anything is done; the first is the one that may be large. */
	get attached(): string[] {
		return [this.first, '9', '5'];
	}

	setOf(path: string): string[] {
		return this.sets.get(path) ?? this.attached;
	}

	answer(request: TenantRequest, response: ServerResponse): void {
		const endpoint = this.endpointOf(request);
		if (!endpoint) {
			response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"No such path"}');
			return;
		}
		const count = (this.counts.get(endpoint.name) ?? 0) + 1;
		this.counts.set(endpoint.name, count);
		const isVaried = endpoint.name === this.varied.request;
		const trait = isVaried ? this.varied.trait : usual;
		const isRefused = isRefusal(trait) && !(trait.once && count > 1);
		if (!isRefused) endpoint.carryOut?.();
		const plain: PlainAnswer = {
			subject: isRefused ? null : endpoint.subject(),
			isBare: endpoint.isBare === true,
			otherIdName: endpoint.otherIdName ?? 'record_id',
			query: request.query,
			address: `${this.origin}${BASE_PATH}${request.path}`,
		};
		sendAnswer(response, trait, plain, count);
	}

	private endpointOf({ method, path, body, query }: TenantRequest): Endpoint | undefined {
		const isRead = method === 'GET';
		if (/^\/(customers\/\d+\/users|profiles\/\d+\/groups|(profiles|media)\/\d+\/tags)$/.test(path)) {
			const otherIdName = `${path.slice(path.lastIndexOf('/') + 1, -1)}_id`;
			const subject = () => this.records(path);
			if (isRead) return { name: 'the set', otherIdName, subject };
			return { name: 'the write', otherIdName, subject, carryOut: () => this.write(path, exactJson(body)) };
		}
		if (path.startsWith('/profiles/') && isRead)
			return {
				name: 'the consent',
				// Of the person with the similar number the opposite is true.
				subject: () => ({ id: 8, is_opted_in: path.startsWith('/profiles/8/') === this.isOptedIn }),
			};
		switch (`${method} ${path.startsWith('/files/') && isRead ? '/files' : path}`) {
			case 'GET /tags':
				return { name: 'the tags', otherIdName: 'tag_id', subject: () => this.tagRecords(this.tags) };
			case 'GET /customers/101':
				return { name: 'the customer', subject: () => ({ id: 101, display_id: NUMBER, name: 'Jo' }) };
			case 'GET /profiles':
				return { name: 'the search', otherIdName: 'profile_id', subject: () => this.found(query) };
			case 'GET /support/allowed-mime-types':
				return {
					name: 'the MIME types',
					subject: () => ({ image: ['image/png'], video: ['video/mp4'], audio: [], document: [] }),
				};
			case 'GET /support/media-size-limits':
				return {
					name: 'the size limits',
					subject: () => ({ regular_mb: { image: 5 }, temporary_upload_mb: { image: 8 } }),
				};
			case 'POST /files/temporary-upload':
				return { name: 'the upload', isBare: true, subject: () => this.upload() };
			case 'GET /files':
				return {
					name: 'the temporary URL',
					isBare: true,
					subject: () => ({ url: this.address(KNOWN_FILE) }),
				};
			case 'POST /media':
				return this.sending('the media item', this.media, body, true);
			case 'POST /conversations/7/messages':
			case 'POST /chatapp/send-template':
				return this.sending('the message', this.messages, body);
			default:
				return undefined;
		}
	}

	private sending(name: RequestName, kept: Json[], body: string, isBare?: true): Endpoint {
		return {
			name,
			isBare,
			carryOut: () => kept.push(exactJson(body)),
			subject: () => ({ id: kept.length, conversation_id: 7, status: 'created' }),
		};
	}

	private records(path: string): Json {
		const ids = this.setOf(path);
		if (path.endsWith('/tags')) return this.tagRecords(ids.map((id) => ({ id, title: this.titleOf(id) })));
		return ids.map((id) => ({ id: numberId(id), name: `Record ${id}` }));
	}

	private tagRecords(tags: Array<{ id: string; title: string }>): Json {
		return tags.map(({ id, title }) => ({ id: numberId(id), title }));
	}

	titleOf(id: string): string {
		return this.tags.find((tag) => tag.id === id)?.title ?? id;
	}

	private found(query: URLSearchParams): Json {
		const people = [
			{ id: numberId('9'), customer_id: 102, name: 'Flo', phone_number: `${NUMBER}0` },
			{ id: numberId('8'), customer_id: 101, name: 'Jo', phone_number: NUMBER },
		];
		const typed = (query.get('search') ?? '').replace(/\D/g, '');
		return people.filter(({ phone_number }) => phone_number.includes(typed));
	}

	private address(file: string): string {
		const address = `https://files.example/${file}`;
		this.files.add(address);
		return address;
	}

	private upload(): Json {
		this.files.add(UPLOADED_FILE);
		return {
			...{ internal_uuid: UPLOADED_FILE, public: true, url: this.address(UPLOADED_FILE) },
			...{ name: 'dot.png', type: 'image', mime_type: 'image/png', size: 68 },
		};
	}

	private write(path: string, body: Json): void {
		const { user_ids, groups, tags } = body as StoredRecord;
		const elements = [user_ids, groups, tags].find(Array.isArray) ?? [];
		const ids = elements.flatMap((element) => {
			const { id, title } =
				typeof element === 'object' && element !== null && !Array.isArray(element)
					? element
					: { id: element, title: null };
			const known = idText(id);
			if (known !== undefined) return [known];
			if (path.endsWith('/tags') && typeof title === 'string' && (id ?? null) === null)
				return [this.created(title)];
			this.offences.push(`${JSON.stringify(element)} went out as an element of the set`);
			return [];
		});
		const twice = ids.find((id, index) => ids.indexOf(id) !== index);
		if (twice !== undefined) this.offences.push(`the ID ${twice} went out twice in one set`);
		this.sets.set(path, ids);
		this.written.add(path);
	}

	private created(title: string): string {
		if (this.tags.some((tag) => tag.title.trim() === title.trim()))
			this.offences.push(`the tag ${title} was created although it exists`);
		const id = String(20 + this.tags.length);
		this.tags.push({ id, title });
		return id;
	}
}
