import { readFileSync } from 'node:fs';
import {
	createServer,
	type IncomingMessage,
	type RequestListener,
	type Server,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import Ajv, { type ValidateFunction } from 'ajv';
import { inject } from 'light-my-request';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { dump, load } from 'js-yaml';

import { type Endpoint, endpointOf } from '../../contract/contract.mts';
import { ProcessedData } from '../../engine/processedData.mts';
import { leaveMemory, reachInMemory } from '../../tenant/memoryNetwork.mts';
import { type ContractDocument, exampleOf, type JsonSchema, schemaAt, WORDS } from './contractExamples.mts';

/** A request as the tenant saw it. */
export interface SeenRequest {
	method: string;
	/** Path below the prefix of the interface. */
	path: string;
	query: Record<string, string>;
	/** JSON, the parts of a form, or undefined; a whole number that JavaScript would round is the text `#…`. */
	body: unknown;
	/** What the contract says against it. */
	problems: string[];
}

/** How the tenant behaves towards one run of a node. */
export interface Behaviour {
	/** The first message is taken, but not delivered. */
	deliversNotFirst?: boolean;
	/** Profiles have the tag with this ID. */
	tagId?: number;
}

/** One run of a node. */
interface Visit {
	requests: SeenRequest[];
	behaviour: Behaviour;
}

const PREFIX = '/third-party/v1';

/** What is said of a write that carries nothing although the contract shows a body. */
export const NO_BODY = 'the body is missing';

/** Records on a page; every paginated list has four pages. */
const RECORDS = 4;

/** Fields that a tenant describes beyond the contract, one of each type. */
export const DESCRIBED_FIELDS: Record<string, JsonSchema> = {
	note_line: { type: ['string', 'null'], title: 'Note Line' },
	visits_made: { type: ['integer', 'null'], title: 'Visits Made' },
	is_regular: { type: ['boolean', 'null'], title: 'Is Regular' },
	joined_on: { type: ['string', 'null'], format: 'date', title: 'Joined On' },
	nick_names: { type: 'array', items: { type: 'string' }, title: 'Nick Names' },
	parcel_size: { type: 'object', additionalProperties: true, title: 'Parcel Size' },
};

/** Bodies whose members the interface does not show, so that a tenant may describe more of them. */
const DESCRIBED_PLACES = [
	'/paths/~1settings~1general/patch',
	'/paths/~1settings~1third-party/patch',
	'/paths/~1settings~1crm/patch',
	'/paths/~1groups/post',
	'/paths/~1groups~1{id}/patch',
	'/paths/~1tags/post',
	'/paths/~1tags~1{id}/patch',
	'/paths/~1templates/post',
	'/paths/~1profiles~1{id}/patch',
];

/** The contract, with the fields that this tenant describes besides. */
function describedContract(): ContractDocument {
	const contract = load(
		readFileSync(path.resolve(import.meta.dirname, '../../../sandbox/openapi.yaml'), 'utf8'),
	) as ContractDocument;
	const bodies = [
		...DESCRIBED_PLACES.map((place) =>
			schemaAt(contract, `${place}/requestBody/content/application~1json/schema`),
		),
		schemaAt(contract, '/components/schemas/ProfileImport'),
	];
	for (const body of bodies) body.properties = { ...body.properties, ...DESCRIBED_FIELDS };
	return contract;
}

/** Members that nothing describes are problems too: a misspelt one would have no effect. */
function closed(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(closed);
	if (typeof schema !== 'object' || schema === null) return schema;
	const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
	const isOpen = !('properties' in schema) || 'additionalProperties' in schema;
	return isOpen ? copy : { ...copy, additionalProperties: false };
}

/** What the chat app's templates look like; the contract shows no fields of a template. */
const TEMPLATES = WORDS.map((word, index) => ({
	id: index + 1,
	name: word,
	language: word,
	status: 'approved',
	components: [
		{ type: 'HEADER', format: 'TEXT', text: 'Hello {{1}}' },
		{ type: 'BODY', text: 'Dear {{1}}, your order {{2}} is here.' },
		{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://shop.example/{{1}}' }] },
	],
}));

const TAGS = WORDS.map((title, index) => ({ id: index + 1, title }));

const EVERY_KIND = (value: unknown) =>
	Object.fromEntries(['image', 'video', 'audio', 'document'].map((kind) => [kind, value]));

/** Answers that have to make sense beyond their schema. */
const ANSWERS: Record<string, unknown> = {
	listTemplates: { data: TEMPLATES },
	// Fewer than the tenant has, so that there is something to add.
	listProfileTags: { data: TAGS.slice(0, 2) },
	listMediaTags: { data: TAGS.slice(0, 2) },
	getAllowedMimeTypes: { data: EVERY_KIND(['image/png']) },
	getMediaSizeLimits: { data: { regular_mb: EVERY_KIND(50), temporary_upload_mb: EVERY_KIND(50) } },
};

/** Where the contract describes an endpoint. */
const pointerOf = ({ path: template, method }: Endpoint) =>
	`/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;

/** The parts of a form; of a file its name and length. */
function formOf(body: Buffer, contentType: string): Record<string, string> {
	const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1] ?? '';
	const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
	return Object.fromEntries(
		parts.map((part) => {
			const [head, ...content] = part.split('\r\n\r\n');
			const text = content.join('\r\n\r\n').replace(/\r\n$/, '');
			const name = / name="([^"]*)"/.exec(head)?.[1] ?? '';
			const file = /filename="([^"]*)"/.exec(head)?.[1];
			return [name, file === undefined ? text : `file ${file} of ${text.length} bytes`];
		}),
	);
}

/** The flag of a form is text on the wire and a number in the contract. */
const formValue = (value: string) => (/^\d$/.test(value) ? Number(value) : value);

const STRINGS_AND_NUMBERS = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The text of JSON in which whole numbers that JavaScript would round are texts with all their digits. */
const withAllDigits = (text: string) =>
	text.replace(STRINGS_AND_NUMBERS, (token) =>
		/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"#${token}"` : token,
	);

/** A body as it is held against the contract, and as it is recorded. */
async function bodyOf(request: IncomingMessage): Promise<{ body: unknown; exact: unknown }> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const content = Buffer.concat(chunks);
	if (content.length === 0) return { body: undefined, exact: undefined };
	const contentType = request.headers['content-type'] ?? '';
	if (contentType.startsWith('multipart/')) {
		const form = formOf(content, contentType);
		return { body: form, exact: form };
	}
	const text = content.toString('utf8');
	try {
		return { body: JSON.parse(text) as unknown, exact: JSON.parse(withAllDigits(text)) as unknown };
	} catch {
		return { body: text, exact: text };
	}
}

/**
 * A tenant made of the contract alone: it answers what the contract shows, and says of each request whether the contract
 * allows it. It knows nothing of the nodes, nor of the sandbox's handlers.
 *
 * Runs are told apart by their access token, so that many can be under way at once.
 */
export class ContractTenant {
	private readonly contract = describedContract();

	private readonly ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });

	private readonly textAjv = new Ajv({ strict: false, coerceTypes: true, validateFormats: false });

	private readonly validators = new Map<string, ValidateFunction>();

	/** What each endpoint answers, by its operation. */
	private readonly examples = new Map<string, object>();

	private readonly visits = new Map<string, Visit>();

	private readonly description = dump(this.contract);

	private server: Server | undefined;

	private url = '';

	private visitors = 0;

	/** Tokens of runs that are over and that the tenant has only served well, so that the node's limiter knows of no refusal. */
	private readonly freeTokens: string[] = [];

	async start(): Promise<void> {
		const document = closed(this.contract) as object;
		this.ajv.addSchema(document, 'contract');
		this.textAjv.addSchema(document, 'contract');
		const listener: RequestListener = (request, response) => void this.answer(request, response);
		const server = createServer(listener);
		// A connection that is closed just as it is used again would look like a failure of the nodes.
		server.keepAliveTimeout = 0;
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		this.server = server;
		reachInMemory(this.url, { inject: (options) => inject(listener, options) });
	}

	async stop(): Promise<void> {
		leaveMemory(this.url);
		this.server?.closeAllConnections();
		await new Promise((resolve) => this.server?.close(resolve));
	}

	/** Lets one run of a node in. @returns its credential, and what takes its requests when it is over */
	expect(behaviour: Behaviour = {}): {
		credentials: ICredentialDataDecryptedObject;
		leave: () => SeenRequest[];
	} {
		const isPlain = Object.keys(behaviour).length === 0;
		const accessToken = (isPlain && this.freeTokens.pop()) || `visitor-${++this.visitors}`;
		const visit: Visit = { requests: [], behaviour };
		this.visits.set(accessToken, visit);
		const leave = () => {
			this.visits.delete(accessToken);
			if (isPlain) this.freeTokens.push(accessToken);
			return visit.requests;
		};
		// One try: what a run sends must not depend on how often a failing request is repeated.
		const credentials = { tenantDomain: this.url, accessToken, advanced: { settings: { maximumTries: 1 } } };
		return { credentials, leave };
	}

	/** A request with JSON as the tenant would see it, if it came. */
	seenAs(method: string, path: string, body: unknown): SeenRequest {
		const pathname = `${PREFIX}${path}`;
		const problems = this.problemsOf(endpointOf(method, pathname), pathname, {}, body);
		return { method, path, query: {}, body, problems };
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '/', this.url);
		const token = String(request.headers.authorization).replace('Bearer ', '');
		const visit = this.visits.get(token);
		const method = request.method ?? '';
		const { body, exact } = await bodyOf(request);
		const endpoint = endpointOf(method, url.pathname);
		const query = Object.fromEntries(url.searchParams);
		visit?.requests.push({
			method,
			path: url.pathname.replace(PREFIX, ''),
			query,
			body: exact,
			problems: this.problemsOf(endpoint, url.pathname, query, body),
		});
		const { deliversNotFirst, tagId } = visit?.behaviour ?? {};
		const send = (status: number, content: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(content));
		};
		if (!endpoint) {
			send(404, { message: 'There is no such place' });
		} else if (endpoint.operationId === 'getOpenApiDescription') {
			response.writeHead(200, { 'content-type': 'text/yaml' }).end(this.description);
		} else if (endpoint.operationId === 'downloadFile' || !endpoint.answer) {
			response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('some bytes');
		} else if (tagId !== undefined && endpoint.operationId === 'listProfileTags') {
			send(200, { data: [{ id: tagId }] });
		} else if (deliversNotFirst && visit?.requests.length === 1) {
			const { data } = this.contentOf(endpoint, query) as { data: object };
			send(200, { data: { ...data, latest_error: { user_friendly_message: 'Nobody has this number' } } });
		} else {
			send(200, this.contentOf(endpoint, query));
		}
	}

	private contentOf({ operationId, answer }: Endpoint, query: Record<string, string>): unknown {
		const schema = answer as JsonSchema;
		const known = ANSWERS[operationId] ?? this.examples.get(operationId);
		const example = (known ?? exampleOf(this.contract, schema, 0, RECORDS)) as Record<string, unknown>;
		this.examples.set(operationId, example);
		if (!JSON.stringify(schema).includes('Page"')) return example;
		const page = Number(query.page ?? 1);
		let records = example.data as object[];
		// Everybody who is looked for by a phone number is there with a conversation, and nobody else has it.
		const isNumber = operationId === 'listProfiles' && /^\d{7,15}$/.test(query.search ?? '');
		const { search: phone_number } = query;
		const own = { customer_id: 1, phone_number, conversation_id: Number(phone_number) };
		if (isNumber) records = [{ ...records[0], ...own }];
		return { data: records.slice(page - 1, page), current_page: page, last_page: records.length };
	}

	private problemsOf(
		endpoint: Endpoint | undefined,
		pathname: string,
		query: Record<string, string>,
		body: unknown,
	): string[] {
		if (!endpoint) return ['the contract has no such path'];
		const pointer = pointerOf(endpoint);
		const operation = schemaAt(this.contract, pointer) as { parameters?: Array<{ $ref?: string }> };
		const given = pathname.replace(PREFIX, '').split('/');
		const places = endpoint.path.split('/');
		const declared = new Set<string>();
		const problems: string[] = [];
		for (const [index, { $ref }] of (operation.parameters ?? []).entries()) {
			const place = $ref?.slice(1) ?? `${pointer}/parameters/${index}`;
			const parameter = schemaAt(this.contract, place) as unknown as { name: string; in: string };
			const value =
				parameter.in === 'path'
					? decodeURIComponent(given[places.indexOf(`{${parameter.name}}`)])
					: query[parameter.name];
			if (parameter.in === 'query') declared.add(parameter.name);
			if (value === undefined) continue;
			const wrong = this.against(this.textAjv, `${place}/schema`, { value });
			if (wrong) problems.push(`${parameter.name} ${wrong}`);
			if (value.trim() === '') problems.push(`${parameter.name} is empty`);
		}
		for (const name of Object.keys(query)) {
			if (!declared.has(name) && name !== 'page') problems.push(`the contract has no query ${name}`);
		}
		const described = this.bodyOf(endpoint);
		if (described === undefined) return problems;
		if (body === undefined) return [...problems, NO_BODY];
		const isForm = described.form === 'multipart/form-data';
		const content = isForm
			? Object.fromEntries(
					Object.entries(body as Record<string, string>).map(([name, value]) => [name, formValue(value)]),
				)
			: body;
		const wrong = this.against(this.ajv, described.place, content);
		return wrong ? [...problems, `the body ${wrong}`] : problems;
	}

	/** The form of an endpoint's body, and where its schema stands. */
	private bodyOf(endpoint: Endpoint): { form: string; place: string } | undefined {
		const operation = schemaAt(this.contract, pointerOf(endpoint)) as {
			requestBody?: { $ref?: string; content?: Record<string, unknown> };
		};
		if (operation.requestBody === undefined) return undefined;
		const at = operation.requestBody.$ref?.slice(1) ?? `${pointerOf(endpoint)}/requestBody`;
		const [form] = Object.keys((schemaAt(this.contract, at) as { content: object }).content);
		return { form, place: `${at}/content/${form.replaceAll('/', '~1')}/schema` };
	}

	/** What a schema of the contract says against a value. */
	private against(ajv: Ajv, place: string, value: unknown): string | undefined {
		const isText = ajv === this.textAjv;
		let validate = this.validators.get(place);
		if (!validate) {
			const schema = { $ref: `contract#${place.replaceAll('{', '%7B').replaceAll('}', '%7D')}` };
			validate = ajv.compile(isText ? { type: 'object', properties: { value: schema } } : schema);
			this.validators.set(place, validate);
		}
		return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: '' });
	}

	static inThisFile(): ContractTenant {
		const tenant = new ContractTenant();
		beforeAll(() => void ProcessedData.inEngine());
		beforeAll(async () => await tenant.start());
		afterAll(async () => await tenant.stop());
		return tenant;
	}
}
