import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import { type IDataObject, type IWebhookFunctions, type IWebhookResponseData, sleep } from 'n8n-workflow';

import {
	ANSWER,
	decidedPage,
	MAX_TEXT,
	pageHeaders,
	type Question,
	questionPage,
	thanksPage,
} from './answerPage';
import type { ItemContext } from '../../core/field';
import { ProcessMemory } from '../../n8nInternals/processMemory';
import { keptInContext, signedResumeUrl } from '../../n8nInternals/waiting';
import { ownMember } from '../../values/json';
import { stringOf } from '../../values/text';

/** Name under which the question stands in the node's context, which n8n stores with the execution. */
const MEMBER = 'askedQuestion';

const SECRET_BYTES = 16;

/**
 * Keeps a question with the execution, as it is now. Returns what makes the links to its page; the choice is the button that comes
 * first there. They have a secret: one of an earlier round of a loop answers nothing.
 */
export function openQuestion(context: ItemContext, question: Question) {
	const secret = randomBytes(SECRET_BYTES).toString('base64url');
	context.getContext('node')[MEMBER] = JSON.stringify({ secret, question });
	return (choice?: string) => signedResumeUrl(context, { question: secret, ...(choice && { choice }) });
}

/** Returns the question that the execution waits with, if it has one, and whether a link with this secret leads to it. */
function askedQuestion(context: IWebhookFunctions, given: string) {
	const kept = keptInContext(context, MEMBER);
	if (typeof kept !== 'string') return undefined;
	const { secret, question } = JSON.parse(kept) as { secret: string; question: Question };
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return { question, isOpen: timingSafeEqual(digest(given), digest(secret)) };
}

/** Returns what the page sent, with plain line breaks. They come as two characters, so a text cut at twice the limit is still too long. */
export const writtenIn = (body: unknown) =>
	stringOf(ownMember(body, ANSWER))
		.slice(0, 2 * MAX_TEXT + 1)
		.replace(/\r\n?/g, '\n');

/** Reads an answer, as n8n's own nodes give it: `{ approved }` or `{ text }`, or else `{ choice }`; undefined if it is none. */
export function answerOf({ responseType, buttons }: Question, written: string): IDataObject | undefined {
	if (responseType === 'freeText')
		return written.trim() === '' || written.length > MAX_TEXT ? undefined : { text: written };
	const chosen = buttons.find(({ value }) => value === written);
	if (!chosen) return undefined;
	return responseType === 'choice' ? { choice: chosen.label } : { approved: written === 'approve' };
}

const MAX_BYTES = 1_000_000;

/** Whether a body is too large. n8n has read it, but for a multipart form. */
const isTooLarge = (context: IWebhookFunctions): boolean =>
	Buffer.byteLength((context.getRequestObject().rawBody as Buffer | undefined) ?? '') > MAX_BYTES ||
	Number(context.getHeaderData()['content-length'] ?? 0) > MAX_BYTES;

/** For how long an answer is held back. n8n asks the node only while the execution waits, and then shows its own error. */
const SECOND_PRESS_MS = 1000;

/** For how long an answer is remembered, until n8n has stored that the execution goes on. */
const RESUMING_MS = 10_000;

/** Secrets of the questions that were answered lately. n8n would answer a second answer at the same instant with an error. */
const answeredLately = new ProcessMemory<true>(RESUMING_MS);

/** Answers a request to the link of a question. Reading never decides, because programs open links too. */
export async function answerQuestion(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(pageHeaders())) response.setHeader(name, value);
	const show = (status: 200 | 410 | 422, page: string) => {
		response.status(status).end(page);
		return { noWebhookResponse: true };
	};
	const { question: given, choice } = context.getQueryData() as IDataObject;
	const secret = stringOf(given);
	const asked = askedQuestion(context, secret);
	if (!asked?.isOpen || answeredLately.get(secret))
		return show(410, decidedPage(asked?.question.language ?? 'en'));
	const { question } = asked;
	if (context.getRequestObject().method !== 'POST')
		return show(200, questionPage(question, undefined, choice === 'decline'));
	const written = writtenIn(context.getBodyData());
	const answer = isTooLarge(context) ? undefined : answerOf(question, written);
	if (!answer) return show(422, questionPage(question, written.slice(0, MAX_TEXT)));
	answeredLately.set(secret, true);
	await sleep(SECOND_PRESS_MS);
	const data = { ...answer, respondedAt: new Date().toISOString() };
	// n8n sends the page after it has begun to resume the execution, so that nobody is thanked for an answer that is lost.
	return { workflowData: [[{ json: { data } }]], webhookResponse: thanksPage(question) };
}
