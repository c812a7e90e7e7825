import { problemFinder } from '../validation.mts';

export interface HarHeader {
	name: string;
	value: string;
}

/** A body: as text, or as base64 where it is none. */
export interface HarContent {
	mimeType: string;
	text?: string;
	encoding?: 'base64';
}

/** A request with its answer; members after HAR 1.2, as far as replays need them. */
export interface HarEntry {
	/** ISO 8601, real time. */
	startedDateTime: string;
	request: { method: string; url: string; headers: HarHeader[]; postData?: HarContent };
	/** Status 0 where the connection was closed without a whole answer. */
	response: { status: number; content: HarContent };
}

/** A session as HAR 1.2, which browsers and proxies read and write too. */
export interface Har {
	log: { entries: HarEntry[] };
}

const text = { type: 'string' };
const content = { type: 'object', properties: { text, encoding: text, mimeType: text } };

/** Finds why a value is no session that can be replayed, as a sentence. */
export const findHarProblem = problemFinder(() => ({
	type: 'object',
	required: ['log'],
	properties: {
		log: {
			type: 'object',
			required: ['entries'],
			properties: {
				entries: {
					type: 'array',
					items: {
						type: 'object',
						required: ['startedDateTime', 'request', 'response'],
						properties: {
							startedDateTime: text,
							request: {
								type: 'object',
								required: ['method', 'url', 'headers'],
								properties: {
									method: text,
									url: { type: 'string', pattern: '^https?://', title: 'an http or https URL' },
									headers: {
										type: 'array',
										items: {
											type: 'object',
											required: ['name', 'value'],
											properties: { name: text, value: text },
										},
									},
									postData: content,
								},
							},
							response: {
								type: 'object',
								required: ['status', 'content'],
								properties: { status: { type: 'integer' }, content },
							},
						},
					},
				},
			},
		},
	},
}));

/** A body as it stands in the file. */
export function toContent(body: Buffer, mimeType: string): HarContent {
	const asText = body.toString();
	const isText = Buffer.from(asText).equals(body);
	return isText
		? { mimeType, text: asText }
		: { mimeType, text: body.toString('base64'), encoding: 'base64' };
}

/** The path and query of a request. */
export function pathOf({ request }: HarEntry): string {
	const { pathname, search } = new URL(request.url);
	return pathname + search;
}
