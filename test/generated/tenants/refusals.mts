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
	'message alone': { body: () => ({ message: 'No such thing' }), words: ['No such thing'] },
	'error as text': { body: () => ({ error: 'No such thing' }), words: ['No such thing'] },
	'error.code and error.message': {
		body: (status) => ({ error: { code: status, message: 'No such thing' } }),
		words: ['No such thing'],
	},
	'errors with fields and messages': {
		body: () => ({
			message: 'Invalid',
			errors: [
				{ field: 'pin', message: 'must be a number' },
				{ path: 'colour', detail: 'is unknown' },
			],
		}),
		words: ['Invalid', 'pin: must be a number', 'colour: is unknown'],
	},
	'errors by field as text': {
		body: () => ({ errors: { colour: 'is unknown' } }),
		words: ['colour: is unknown'],
	},
	'words in another member, which nobody reads': {
		body: (status) => ({ type: 'about:blank', title: 'Refused', status, detail: 'No such thing' }),
		words: [],
	},
	'plain text': { body: () => 'No such thing', type: 'text/plain', words: [] },
	'a long message': { body: () => ({ message: LONG }), words: [LONG.slice(0, 100)] },
	'an HTML page': { body: () => '<!doctype html><title>Bad gateway</title>', type: 'text/html', words: [] },
	nothing: { body: () => '', type: 'text/html', words: [] },
	'an empty object': { body: () => ({}), words: [] },
	null: { body: () => null, words: [] },
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
