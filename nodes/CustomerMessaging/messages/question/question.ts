import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

import { keptInContext, signedResumeUrl } from '../../n8nInternals/waiting';
import type { ItemContext } from '../../core/field';

/** What a person is asked on the answer page. All texts are plain text: the page escapes them and makes no links of them. */
export interface Question {
	title: string;
	message: string;
	/** Stands between the message and the link to the page. */
	beforeLink: string;
	responseType: 'approval' | 'choice' | 'freeText';
	/** What can be chosen: `approve` and `decline`, or the places of the choices. Nothing for a text. */
	buttons: Array<{ value: string; label: string }>;
	submitLabel: string;
	thanks: string;
	/** BCP 47, such as `de-AT`. */
	language: string;
}

/** Name under which the question stands in the node's context, which n8n stores with the execution. */
const MEMBER = 'askedQuestion';

const SECRET_BYTES = 16;

/** Makes the link to the page of a question. The choice is the button that comes first there. */
export type LinkTo = (choice?: string) => string;

/**
 * Keeps a question with the execution, as it is now, and makes the links to its page. They have a secret: one of an
 * earlier round of a loop answers nothing.
 */
export function openQuestion(context: ItemContext, question: Question): LinkTo {
	const secret = randomBytes(SECRET_BYTES).toString('base64url');
	context.getContext('node')[MEMBER] = JSON.stringify({ secret, question });
	return (choice) => signedResumeUrl(context, { question: secret, ...(choice && { choice }) });
}

/** Returns the question that the execution waits with, if it has one, and whether a link with this secret leads to it. */
export function askedQuestion(context: IWebhookFunctions, given: string) {
	const kept = keptInContext(context, MEMBER);
	if (typeof kept !== 'string') return undefined;
	const { secret, question } = JSON.parse(kept) as { secret: string; question: Question };
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return { question, isOpen: timingSafeEqual(digest(given), digest(secret)) };
}
