import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { IWebhookFunctions } from 'n8n-workflow';

import { keptInContext, signedResumeUrl } from '../../n8nInternals/waiting';
import type { ItemContext } from '../../core/field';

/** What a person is asked on the answer page. All texts are plain text: the page escapes them and makes no links of them. */
export interface Question {
	title: string;
	message: string;
	responseType: 'approval' | 'freeText';
	approveLabel: string;
	/** Without it, the only answer is to approve. */
	declineLabel?: string;
	submitLabel: string;
	thanks: string;
	/** BCP 47, such as `de-AT`, also with an underscore. What is no language counts as English. */
	language: string;
}

/** An answer that has a problem: what was written, and a sentence about it. */
export interface GivenAnswer {
	text: string;
	problem: string;
}

export const DEFAULT_WORDS = {
	title: 'A Question for You',
	approveLabel: 'Approve',
	declineLabel: 'Decline',
	submitLabel: 'Send Answer',
	thanks: 'Thank you. We have received your answer.',
} satisfies Partial<Question>;

/** The name of the control. */
export const ANSWER = 'answer';

export const MAX_TEXT = 10_000;

/** Name under which the question stands in the node's context, which n8n stores with the execution. */
const MEMBER = 'askedQuestion';

const SECRET_BYTES = 16;

/** Makes the link to the page of a question. The choice is the button that comes first there. */
export type LinkTo = (choice?: 'approve' | 'decline') => string;

/**
 * Keeps a question with the execution, as it is now, and makes the links to its page. They have a secret: one of an
 * earlier round of a loop answers nothing.
 */
export function openQuestion(context: ItemContext, question: Question): LinkTo {
	const secret = randomBytes(SECRET_BYTES).toString('base64url');
	context.getContext('node')[MEMBER] = JSON.stringify({ secret, question });
	return (choice) => signedResumeUrl(context, { question: secret, ...(choice && { choice }) });
}

function isSame(given: unknown, secret: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return typeof given === 'string' && timingSafeEqual(digest(given), digest(secret));
}

/** Returns the question that the execution waits with, if it has one, and whether a link with this secret leads to it. */
export function askedQuestion(context: IWebhookFunctions, given: unknown) {
	const kept = keptInContext(context, MEMBER);
	if (typeof kept !== 'string') return undefined;
	const { secret, question } = JSON.parse(kept) as { secret: string; question: Question };
	return { question, isOpen: isSame(given, secret) };
}
