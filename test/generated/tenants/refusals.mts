import type { ServerResponse } from 'node:http';

import fc from 'fast-check';

export const REFUSED_STATUSES = [400, 401, 403, 404, 409, 413, 422, 429, 500, 503] as const;

export type RefusedStatus = (typeof REFUSED_STATUSES)[number];

interface RefusalBody {
	/** The body, from its status and the token of the request. */
	body: (status: number, token: string) => unknown;
	/** Words of the service that must reach the user. */
	words: string[];
	/** Given when the body is no JSON. */
	type?: string;
}

const LONG = `The query failed: ${'select 1 union all '.repeat(40)}`;

const BODIES = {
	'message and errors by field': {
		body: () => ({
			message: 'The given data was invalid.',
			errors: { title: ['The title is taken.', 'The title is long.'], 'profile.email': ['No address.'] },
		}),
		words: [
			'The given data was invalid.',
			'The title is taken.',
			'The title is long.',
			// Of the field's own name and that of the editor, which is Email.
			'mail: No address.',
		],
	},
	'errors by field, nested': {
		body: () => ({ message: 'Invalid', errors: { customers: { 0: { name: ['A name is missing.'] } } } }),
		words: ['Invalid', 'A name is missing.'],
	},
	'message alone': { body: () => ({ message: 'No such thing' }), words: ['No such thing'] },
	'error as text': { body: () => ({ error: 'No such thing' }), words: ['No such thing'] },
	'error and error_description': {
		body: () => ({ error: 'invalid_request', error_description: 'The channel is closed' }),
		words: ['The channel is closed'],
	},
	'error.code and error.message': {
		body: (status) => ({ error: { code: status, message: 'No such thing' } }),
		words: ['No such thing'],
	},
	'error.message and error.details': {
		body: () => ({ error: { message: 'Invalid', details: [{ field: 'title', message: 'It is taken' }] } }),
		words: ['Invalid', 'It is taken'],
	},
	'problem details': {
		body: (status) => ({
			type: 'about:blank',
			title: 'Refused',
			status,
			detail: 'No such thing',
			instance: '/1',
		}),
		words: ['No such thing'],
	},
	'problem details with a title alone': {
		body: (status) => ({ type: 'https://errors.example/closed', title: 'The channel is closed', status }),
		words: ['The channel is closed'],
	},
	'problem details with errors': {
		body: (status) => ({
			title: 'Invalid',
			status,
			errors: [
				{ detail: 'must be a number', pointer: '#/pin' },
				{ detail: 'is unknown', pointer: '#/colour' },
			],
		}),
		words: ['Invalid', 'must be a number', 'is unknown'],
	},
	'errors with a source': {
		body: (status) => ({
			errors: [
				{
					status: String(status),
					title: 'Invalid',
					detail: 'The title is taken',
					source: { pointer: '/title' },
				},
				{ status: String(status), title: 'The colour is unknown' },
			],
		}),
		words: ['The title is taken', 'The colour is unknown'],
	},
	'errors as a list of text': {
		body: () => ({ errors: ['No such thing', 'Nor that'] }),
		words: ['No such thing', 'Nor that'],
	},
	'errors as text': { body: () => ({ errors: 'No such thing' }), words: ['No such thing'] },
	messages: {
		body: () => ({ messages: ['No such thing', 'Nor that'] }),
		words: ['No such thing', 'Nor that'],
	},
	'camelCase: errorMessage': {
		body: (status) => ({ errorCode: status, errorMessage: 'No such thing' }),
		words: ['No such thing'],
	},
	'code and description': {
		body: () => ({ code: 7, description: 'No such thing' }),
		words: ['No such thing'],
	},
	'message within data': {
		body: () => ({ success: false, data: { message: 'No such thing' } }),
		words: ['No such thing'],
	},
	'list of messages': { body: () => [{ message: 'No such thing' }], words: ['No such thing'] },
	'JSON text': { body: () => 'No such thing', words: ['No such thing'] },
	'plain text': { body: () => 'No such thing', type: 'text/plain', words: ['No such thing'] },
	'a long message': { body: () => ({ message: LONG }), words: [LONG.slice(0, 100)] },
	'an HTML page': { body: () => '<!doctype html><title>Bad gateway</title>', type: 'text/html', words: [] },
	nothing: { body: () => '', type: 'text/html', words: [] },
	'an empty object': { body: () => ({}), words: [] },
	null: { body: () => null, words: [] },
	'a BOM in front': {
		body: () => '\uFEFF{"message":"Invalid","errors":{"title":["The title is taken."]}}',
		type: 'application/json',
		words: ['Invalid', 'itle: The title is taken.'],
	},
	'the token repeated': {
		body: (_status, token) => ({
			message: `The token ${token} is no good`,
			errors: { token: [`${token} has run out`] },
		}),
		words: ['is no good', 'has run out'],
	},
} satisfies Record<string, RefusalBody>;

export type RefusalBodyKind = keyof typeof BODIES;

export const REFUSAL_BODIES = Object.keys(BODIES) as RefusalBodyKind[];

/** How a tenant refuses. */
export interface Refusal {
	status: RefusedStatus;
	body: RefusalBodyKind;
	/** Whether it does so once and then no more. */
	once: boolean;
	/** So many requests are answered well before. */
	after: number;
}

/** Refusals with these statuses and bodies. */
export function refusals(
	statuses: readonly RefusedStatus[],
	bodies: readonly RefusalBodyKind[],
): fc.Arbitrary<Refusal> {
	return fc.record({
		status: fc.constantFrom(...statuses),
		body: fc.constantFrom(...bodies),
		once: fc.boolean(),
		after: fc.nat({ max: 2 }),
	});
}

/** Answers with a refusal, after which the node may come back at once. */
export function sendRefusal(response: ServerResponse, { status, body: kind }: Refusal, token: string): void {
	const { body, type }: RefusalBody = BODIES[kind];
	const content = body(status, token);
	response
		.writeHead(status, { 'content-type': type ?? 'application/json', 'retry-after': '0' })
		.end(type ? String(content) : JSON.stringify(content));
}

/** Whether a request may be sent again after this refusal without doing anything twice. */
export function isWorthRepeating({ status }: Refusal, method: string): boolean {
	return status === 429 || (status >= 500 && method !== 'POST');
}

/** What is missing in a text that is shown for this refusal; undefined when nothing is. */
export function missingWords({ status, body }: Refusal, shown: string): string | undefined {
	const { words }: RefusalBody = BODIES[body];
	const wanted = words.length > 0 ? words : [String(status)];
	const missing = wanted.filter((word) => !shown.includes(word));
	if (missing.length > 0) return `the error does not say ${missing.map((word) => `"${word}"`).join(', ')}`;
	return shown.includes('<') ? 'the error shows markup' : undefined;
}
