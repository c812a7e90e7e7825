import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import { ProcessMemory } from '../../n8nInternals/processMemory';
import { stringOf } from '../../values/text';
import { decidedPage, PAGE_HEADERS, questionPage, thanksPage } from './answerPage';
import { readAnswer } from './formAnswer';
import { askedQuestion, type Question } from './question';

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
