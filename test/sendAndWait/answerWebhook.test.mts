import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { pageHeaders } from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import {
	answerOf,
	answerQuestion,
	writtenIn,
} from '../../nodes/CustomerMessaging/messages/question/question.ts';
import type { Question } from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import { VirtualTime } from '../context/virtualTime.mts';
import { approval, choice, freeText } from './questions.mts';

const time = VirtualTime.inEachTest();

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
		status(status: number) {
			sent.status = status;
			return response;
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
		getHeaderData: () => ({ ...(isMultipart && { 'content-length': String(size) }) }),
		getResponseObject: () => response,
	};
	const result = await time.until(answerQuestion(context as unknown as IWebhookFunctions));
	const isResumed = result.workflowData !== undefined;
	expect(result.noWebhookResponse ?? false).toBe(!isResumed);
	expect(sent.headers).toEqual(pageHeaders());
	const page = isResumed ? String(result.webhookResponse) : sent.page;
	const problem = /<p id="problem"[^>]*>([^<]*)</.exec(page)?.[1];
	const written = /<textarea[^>]*>\n([^<]*)</.exec(page)?.[1];
	const title = /<h1[^>]*>([^<]*)</.exec(page)?.[1];
	const data = result.workflowData?.[0]?.[0]?.json.data;
	return {
		...{ status: sent.status, title },
		...(problem && { problem, ...(written !== undefined && { written }) }),
		...(isResumed && { data }),
	};
}

const ANSWERED = { status: 410, title: 'You have already answered, or the time is over.' };

const PROBLEM = 'Please answer with at most 10,000 characters.';

const read = (question: Question, answer: unknown) => answerOf(question, writtenIn({ answer }));

describe('an answer', () => {
	it.each([
		['an approval', approval, 'approve', { approved: true }],
		['an approval', approval, 'decline', { approved: false }],
		['a choice', choice, '1', { choice: 'On Tuesday' }],
		['a text, with plain line breaks', freeText, ' Gut,\r\nja!\r😀 ', { text: ' Gut,\nja!\n😀 ' }],
	])('to %s: %j %j', (_name, question, answer, data) => {
		expect(read(question, answer)).toEqual(data);
	});

	it.each([
		[
			'approval',
			approval,
			['', 'Approve', ' approve', 'approve\0', 'true', 'Accept', true, ['approve'], null],
		],
		['single approval', { ...approval, buttons: approval.buttons.slice(0, 1) }, ['decline']],
		['choice', choice, ['', '3', '-1', 'On Monday', 'approve', '__proto__', {}]],
		['text', freeText, ['', ' ', '\r\n\t\u00a0', {}, ['a'], undefined]],
	])('is not taken for one to a question of the kind %s', (_name, question, answers) => {
		for (const answer of answers) expect([answer, read(question, answer)]).toEqual([answer, undefined]);
	});

	it.each([
		['letters', 'a', 'a'],
		['line breaks of browsers', '\r\n', '\n'],
		['line breaks of old systems', '\r', '\n'],
	])('has at most 10,000 characters of %s, and what is more stays for the person', async (_, sent, kept) => {
		const text = `a${kept.repeat(9_999)}`;
		const most = `a${sent.repeat(9_999)}`;
		expect(read(freeText, most)).toEqual({ text });
		for (const more of ['b', '\r\n', 'b'.repeat(100_000)])
			expect(await visit(ask(freeText), { form: { answer: most + more } })).toMatchObject({
				...{ status: 422, problem: PROBLEM, written: text },
			});
	});

	it.each([undefined, null, '', 'answer=approve', 7, true, [], ['approve'], [['answer', 'approve']]])(
		'is not in the body %j, nor in what an object inherits',
		async (body) => {
			for (const question of [approval, choice, freeText])
				for (const form of [body ?? null, Object.create({ answer: 'approve' })])
					expect(await visit(ask(question), { form })).toMatchObject({ status: 422, problem: PROBLEM });
		},
	);

	it('that is refused is told of in the language of the page', async () => {
		const form = { answer: ' ' };
		expect(await visit(ask({ ...freeText, language: 'de-AT' }), { form })).toEqual({
			...{ status: 422, title: freeText.title, written: ' ' },
			problem: 'Bitte antworten Sie mit höchstens 10.000 Zeichen.',
		});
	});

	it('comes out with its time, as of the own nodes of n8n, and the person is thanked', async () => {
		const before = new Date().toISOString();
		const { data, ...page } = await visit(ask(choice), { form: { answer: '0' } });
		expect(page).toEqual({ status: 200, title: choice.thanks });
		expect(data).toEqual({ choice: 'On Monday', respondedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
		expect((data as { respondedAt: string }).respondedAt >= before).toBe(true);
	});
});

it('opening the link decides nothing, however often and whatever it names', async () => {
	const asked = ask(approval);
	for (const query of [{}, { choice: 'approve' }, { choice: 'decline' }, { answer: 'approve' }])
		expect(await visit(asked, { query })).toEqual({ status: 200, title: approval.title });
	expect(await visit(asked, { form: { answer: 'decline' } })).toMatchObject({ data: { approved: false } });
});

it.each([undefined, '', 'secret', ['secret'], 7, null])(
	'a link with the secret %j of another question answers nothing, and says so in its language',
	async (question) => {
		const asked = ask({ ...approval, language: 'fr' });
		const query = { question } as IDataObject;
		for (const form of [undefined, { answer: 'approve' }])
			expect(await visit(asked, { query, form })).toEqual({
				...ANSWERED,
				title: 'Vous avez déjà répondu, ou le délai est écoulé.',
			});
	},
);

it('an execution without a question says that it has its answer', async () => {
	expect(await visit(undefined)).toEqual(ANSWERED);
	expect(await visit(undefined, { form: { answer: 'approve' } })).toEqual(ANSWERED);
});

it('an answer that was corrected after a mistake is taken, within the same second', async () => {
	for (const [question, answer] of [
		[freeText, 'Fine'],
		[approval, 'approve'],
	] as const) {
		const asked = ask(question);
		for (const mistake of [{}, { answer: ' ' }])
			expect(await visit(asked, { form: mistake })).toMatchObject({ status: 422, title: question.title });
		expect(await visit(asked, { form: { answer } })).toMatchObject({ status: 200, data: expect.anything() });
	}
});

it('a button that is pressed twice decides once, and the page says so while n8n still asks the node', async () => {
	const asked = ask(approval);
	const start = time.now;
	const first = visit(asked, { form: { answer: 'approve' } });
	const again = [{ form: { answer: 'approve' } }, { form: { answer: 'decline' } }, {}];
	expect(await Promise.all(again.map(async (one) => await visit(asked, one)))).toEqual(
		again.map(() => ANSWERED),
	);
	expect(await first).toMatchObject({ status: 200, data: { approved: true } });
	expect(time.now - start).toBe(1000);
});

it('an answer is remembered for ten seconds, until n8n has stored that the execution goes on', async () => {
	const asked = ask(freeText);
	const start = time.now;
	await visit(asked, { form: { answer: 'a' } });
	await time.pass(start + 10_000 - time.now);
	expect(await visit(asked, { form: { answer: 'b' } })).toEqual(ANSWERED);
	await time.pass(1);
	expect(await visit(asked, { form: { answer: 'c' } })).toMatchObject({ data: { text: 'c' } });
});

it.each([false, true])(
	'an answer has at most a million bytes; in a form with parts: %s',
	async (isMultipart) => {
		const form = { answer: 'a' };
		const tooLarge = await visit(ask(freeText), { form, isMultipart, size: 1_000_001 });
		expect(tooLarge).toMatchObject({ status: 422, problem: PROBLEM });
		// The page sends no form with parts, so one has no answer.
		const read = await visit(ask(freeText), { form, isMultipart, size: 1_000_000 });
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
	it.each<[what: string, form: unknown, size: number]>([
		['10 kB of JSON with 5,000 levels', nested(5000, 'a'), 10_000],
		['the same in the place of the answer', { answer: nested(5000, 'a') }, 10_000],
		['a list of 5,000 levels', JSON.parse('['.repeat(5000) + ']'.repeat(5000)), 10_000],
		['XML with 6,000 levels', nested(6000, 'answer'), 42_000],
		['a megabyte of spaces', { answer: ' '.repeat(999_000) }, 999_009],
	])('%s', async (_what, form, size) => {
		for (const question of [approval, choice, freeText])
			expect(await visit(ask(question), { form, size })).toMatchObject({
				status: 422,
				title: question.title,
			});
	});
});
