import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

import { keptInContext, signedResumeUrl } from '../n8nInternals/waiting';
import type { ItemContext } from '../runner/field';
import type { Question } from './question';

/** Name under which the question stands in the node's context, which n8n stores with the execution. */
const MEMBER = 'askedQuestion';

const SECRET_BYTES = 16;

/** A question that waits for its answer. */
interface OpenQuestion {
	/** Stands in the links of this question only: a link of an earlier round of a loop answers nothing. */
	secret: string;
	question: Question;
}

/** Makes the link to the page of a question. The choice is the button that comes first there. */
export type LinkTo = (choice?: 'approve' | 'decline') => string;

/**
 * Keeps a question with the execution, as it is now: an expression could give something else when the page is opened.
 *
 * @returns makes the links to the page
 */
export function openQuestion(context: ItemContext, question: Question): LinkTo {
	const secret = randomBytes(SECRET_BYTES).toString('base64url');
	const open: OpenQuestion = { secret, question };
	context.getContext('node')[MEMBER] = JSON.stringify(open);
	return (choice) => signedResumeUrl(context, { question: secret, ...(choice && { choice }) });
}

/** Compares secrets in a time that does not depend on them. */
function isSame(given: unknown, secret: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

/**
 * Returns the question that the execution waits with, and whether a link leads to it.
 *
 * @param given the secret of the link
 * @returns undefined if the execution has no question
 */
export function askedQuestion(
	context: IWebhookFunctions,
	given: unknown,
): { question: Question; isOpen: boolean } | undefined {
	const kept = keptInContext(context, MEMBER);
	if (typeof kept !== 'string') return undefined;
	const { secret, question } = JSON.parse(kept) as OpenQuestion;
	return { question, isOpen: isSame(given, secret) };
}
