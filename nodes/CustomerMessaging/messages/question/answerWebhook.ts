import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { decidedPage, PAGE_HEADERS, questionPage, thanksPage } from './answerPage';
import { ANSWER, askedQuestion, DEFAULT_WORDS, type GivenAnswer, MAX_TEXT, type Question } from './question';
import { ProcessMemory } from '../../n8nInternals/processMemory';
import { isObject } from '../../values/json';
import { stringOf } from '../../values/text';

/** Browsers send line breaks as CR LF. Of a text that is too long, so much stays that it is still too long. */
const withPlainBreaks = (text: string) => text.slice(0, 2 * MAX_TEXT + 1).replace(/\r\n?/g, '\n');

function problemOf({ responseType, title, declineLabel }: Question, text: string): string | undefined {
	const asked = `"${title.trim() || DEFAULT_WORDS.title}"`;
	if (responseType === 'approval') {
		const isChoice = text === 'approve' || (declineLabel !== undefined && text === 'decline');
		return isChoice ? undefined : `Choose an answer to ${asked}.`;
	}
	if (text.length > MAX_TEXT) return `${asked} is too long. Use at most ${MAX_TEXT} characters.`;
	return text.trim() === '' ? `Fill in ${asked}.` : undefined;
}

/**
 * Reads the body of a sent form, and ignores members that the page does not send: `{ approved: boolean }` or `{ text }`.
 * Never throws for a body without getters.
 */
export function readAnswer(question: Question, body: unknown): { data: IDataObject } | GivenAnswer {
	// The page does not send a choice that nobody made.
	const sent: unknown = isObject(body) && (Object.hasOwn(body, ANSWER) ? body[ANSWER] : '');
	if (typeof sent !== 'string') {
		const title = question.title.trim() || DEFAULT_WORDS.title;
		return { text: '', problem: `The answer to "${title}" did not arrive. Answer it again.` };
	}
	const text = withPlainBreaks(sent);
	const problem = problemOf(question, text);
	if (problem !== undefined) return { text: text.slice(0, MAX_TEXT), problem };
	return { data: question.responseType === 'approval' ? { approved: text === 'approve' } : { text } };
}

const MAX_BYTES = 1_000_000;
const OK = 200;
const GONE = 410;
const TOO_LARGE = 413;
const UNPROCESSABLE = 422;

/** For how long an answer is remembered, until n8n has stored that the execution goes on. */
const RESUMING_MS = 10_000;

/** Secrets of the questions that were answered lately. n8n would answer a second answer at the same instant with an error. */
const answeredLately = new ProcessMemory<true>('answered questions', RESUMING_MS);

function responseWithHeaders(context: IWebhookFunctions) {
	const response = context.getResponseObject();
	for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value);
	return response;
}

function show(context: IWebhookFunctions, status: number, page: string): IWebhookResponseData {
	const response = responseWithHeaders(context);
	response.statusCode = status;
	response.end(page);
	return { noWebhookResponse: true };
}

/** Returns the bytes of a body. n8n has read it, but for a multipart form. */
const sizeOf = (context: IWebhookFunctions): number =>
	Math.max(
		(context.getRequestObject().rawBody as Buffer | undefined)?.length ?? 0,
		Number(context.getHeaderData()['content-length'] ?? 0),
	);

/** Reads the answer of a person. A body that cannot be read, of whatever shape, has none: an error would end the execution. */
function answerOf(context: IWebhookFunctions, question: Question): ReturnType<typeof readAnswer> {
	try {
		return readAnswer(question, context.getBodyData());
	} catch {
		return readAnswer(question, undefined);
	}
}

/** Answers a request to the link of a question. Reading never decides, because programs open links too. */
export async function answerQuestion(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const { question: secret, choice } = context.getQueryData() as Record<string, unknown>;
	const asked = askedQuestion(context, secret);
	if (!asked?.isOpen) return show(context, GONE, decidedPage(asked?.question ?? { language: '' }));
	const { question } = asked;
	if (context.getRequestObject().method !== 'POST')
		return show(context, OK, questionPage(question, undefined, choice === 'decline' ? 'decline' : 'approve'));
	if (sizeOf(context) > MAX_BYTES) return show(context, TOO_LARGE, questionPage(question));
	const answer = answerOf(context, question);
	if (!('data' in answer)) return show(context, UNPROCESSABLE, questionPage(question, answer));
	if (answeredLately.get(stringOf(secret))) return show(context, GONE, decidedPage(question));
	answeredLately.set(stringOf(secret), true);
	responseWithHeaders(context);
	// n8n sends the page after it has begun to resume the execution, so that nobody is thanked for an answer that is lost.
	return { workflowData: [[{ json: { data: answer.data } }]], webhookResponse: thanksPage(question) };
}
