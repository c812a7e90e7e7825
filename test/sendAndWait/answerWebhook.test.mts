import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { PAGE_HEADERS } from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import { answerQuestion } from '../../nodes/CustomerMessaging/messages/question/answerWebhook.ts';
import type { Question } from '../../nodes/CustomerMessaging/messages/question/question.ts';
import { approval, freeText } from './questions.mts';

/** A question that an execution waits with, and its link. */
interface Asked {
	question: Question;
	secret: string;
}

let secrets = 0;
const ask = (question: Question): Asked => ({ question, secret: `secret ${++secrets}` });

interface Visit {
	/** The form that is sent; without one, the page is opened. */
	form?: unknown;
	/** What stands in the link beside the secret. */
	query?: IDataObject;
	isMultipart?: boolean;
	/** Bytes of the body, as n8n has read it, or as the header says of a multipart form. */
	size?: number;
}

/** Opens the link of a question or sends its form, as n8n hands it to the node. */
async function visit(asked: Asked | undefined, { form, query, isMultipart = false, size = 0 }: Visit = {}) {
	const sent = { status: 200, headers: {} as Record<string, string>, page: '' };
	const response = {
		set statusCode(status: number) {
			sent.status = status;
		},
		setHeader: (name: string, value: string) => void (sent.headers[name] = value),
		end: (page: string) => void (sent.page = page),
	};
	const context: Partial<Record<keyof IWebhookFunctions, () => unknown>> = {
		getNode: () => ({ name: 'Node' }),
		evaluateExpression: () => asked && JSON.stringify(asked),
		getQueryData: () => ({ question: asked?.secret, ...query }),
		getRequestObject: () => ({
			method: form === undefined ? 'GET' : 'POST',
			...(!isMultipart && { rawBody: Buffer.alloc(size) }),
		}),
		getBodyData: () => (isMultipart ? { data: form, files: {} } : form),
		getHeaderData: () => ({
			'content-type': isMultipart ? 'multipart/form-data; boundary=x' : 'a/b',
			...(isMultipart && { 'content-length': String(size) }),
		}),
		getResponseObject: () => response,
	};
	const result = await answerQuestion(context as unknown as IWebhookFunctions);
	const isResumed = result.workflowData !== undefined;
	expect(result.noWebhookResponse ?? false).toBe(!isResumed);
	expect(sent.headers).toEqual(PAGE_HEADERS);
	const page = isResumed ? String(result.webhookResponse) : sent.page;
	const problem = /<p id="[^"]*-problem"[^>]*>([^<]*)</.exec(page)?.[1];
	const title = /<h1[^>]*>([^<]*)</.exec(page)?.[1];
	const data = result.workflowData?.[0]?.[0]?.json.data;
	return { status: sent.status, title, ...(problem && { problem }), ...(isResumed && { data }) };
}

const ANSWERED = { status: 410, title: 'This question has already been answered.' };

let now = Date.UTC(2026, 0, 1);
beforeEach(() => void jest.spyOn(Date, 'now').mockImplementation(() => now));
afterEach(() => jest.restoreAllMocks());

it('opening the link decides nothing, however often and whatever it names', async () => {
	const asked = ask(approval);
	for (const query of [{}, { choice: 'approve' }, { choice: 'decline' }, { answer: 'approve' }])
		expect(await visit(asked, { query })).toEqual({ status: 200, title: approval.title });
	const thanks = { status: 200, title: approval.thanks };
	expect(await visit(asked, { form: { answer: 'decline' } })).toEqual({
		...thanks,
		data: { approved: false },
	});
});

it.each([undefined, '', 'secret', ['secret'], 7, null])(
	'a link with the secret %j of another question answers nothing',
	async (question) => {
		const asked = ask(approval);
		const query = { question } as IDataObject;
		expect(await visit(asked, { query })).toEqual(ANSWERED);
		expect(await visit(asked, { query, form: { answer: 'approve' } })).toEqual(ANSWERED);
	},
);

it('an execution without a question says that it has its answer', async () => {
	expect(await visit(undefined)).toEqual(ANSWERED);
	expect(await visit(undefined, { form: { answer: 'approve' } })).toEqual(ANSWERED);
});

it('an answer that was corrected after a mistake is taken, within the same second', async () => {
	for (const [question, wrong, problem, right, data] of [
		[freeText, { answer: ' ' }, /Fill in/, { answer: 'Fine' }, { text: 'Fine' }],
		[approval, {}, /Choose an answer/, { answer: 'approve' }, { approved: true }],
	] as const) {
		const asked = ask(question);
		const { title, thanks } = question;
		for (const mistake of [wrong, wrong]) {
			const refused = await visit(asked, { form: mistake });
			expect(refused).toMatchObject({ status: 422, title });
			if (question !== approval) expect(refused.problem).toMatch(problem);
		}
		expect(await visit(asked, { form: right })).toEqual({ status: 200, title: thanks, data });
	}
});

it('a second answer comes too late, and that of another question does not', async () => {
	const [one, other] = [ask(freeText), ask(freeText)];
	expect(await visit(one, { form: { answer: 'a' } })).toMatchObject({ data: { text: 'a' } });
	expect(await visit(other, { form: { answer: 'b' } })).toMatchObject({ data: { text: 'b' } });
	for (const asked of [one, other]) expect(await visit(asked, { form: { answer: 'c' } })).toEqual(ANSWERED);
});

it('an answer is remembered for ten seconds, until n8n has stored that the execution goes on', async () => {
	const asked = ask(freeText);
	await visit(asked, { form: { answer: 'a' } });
	now += 10_000;
	expect(await visit(asked, { form: { answer: 'b' } })).toEqual(ANSWERED);
	now += 1;
	expect(await visit(asked, { form: { answer: 'c' } })).toMatchObject({ data: { text: 'c' } });
});

it.each([false, true])(
	'an answer has at most a million bytes; in a form with parts: %s',
	async (isMultipart) => {
		const asked = ask(freeText);
		const form = { answer: 'a' };
		const tooLarge = await visit(asked, { form, isMultipart, size: 1_000_001 });
		expect(tooLarge).toEqual({ status: 413, title: freeText.title });
		const read = await visit(asked, { form, isMultipart, size: 1_000_000 });
		expect(read.status).toBe(isMultipart ? 422 : 200);
	},
);

/** A body as n8n parses it, of so many levels. */
const nested = (levels: number, name: string) => {
	let body: object = { [name]: 'x' };
	for (let level = 1; level < levels; level++) body = { [name]: body };
	return body;
};

describe('a body that is made to break the node gets the page again, and ends nothing', () => {
	const unreadable = {
		get answer(): string {
			throw new RangeError('Maximum call stack size exceeded');
		},
	};

	it.each<[what: string, form: unknown, size: number]>([
		['10 kB of JSON with 5,000 levels', nested(5000, 'a'), 10_000],
		['the same in the place of the answer', { answer: nested(5000, 'a') }, 10_000],
		['a list of 5,000 levels', JSON.parse('['.repeat(5000) + ']'.repeat(5000)), 10_000],
		['XML with 6,000 levels', nested(6000, 'answer'), 42_000],
		['what throws when it is read', unreadable, 10],
	])('%s', async (_what, form, size) => {
		for (const question of [approval, freeText]) {
			const asked = ask(question);
			expect(await visit(asked, { form, size })).toMatchObject({ status: 422, title: question.title });
			const right = { answer: question.responseType === 'approval' ? 'approve' : 'Anna' };
			expect(await visit(asked, { form: right })).toMatchObject({ status: 200, data: expect.anything() });
		}
	});
});

it('the page sends no form with parts, so one has no answer', async () => {
	const form = { answer: 'Anna' };
	expect(await visit(ask(freeText), { form, isMultipart: true })).toMatchObject({ status: 422 });
});
