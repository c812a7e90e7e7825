import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
	decidedPage,
	pageHeaders,
	questionPage,
	thanksPage,
} from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import type { Question } from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import { meetAll, textOf, texts } from '../generated/hostile/recipes.mts';
import { approval, choice, freeText } from './questions.mts';

/** Texts that break out of a page that does not escape them. */
const HOSTILE = [
	'<script>alert(1)</script>',
	'</title><script>alert(1)</script>',
	'</style></main><img src=x onerror=alert(1)>',
	'</textarea><iframe src=//evil.example>',
	'"><svg onload=alert(1)>',
	'" autofocus onfocus="alert(1)',
	"' onclick='alert(1)",
	'`onclick=alert(1)`',
	'<!--',
	'-->',
	']]>',
	'&lt;b&gt; &amp; &quot; &#39;',
	'&',
	'a\0b',
	'\u202eevil\u2066',
	'\ud800',
	'${alert(1)} {{1}} $& $1',
	'javascript:alert(1)',
	'https://evil.example/ +49 30 1234567',
	'\n\n',
];

/** The tags of a page with the names of their attributes: all that texts must not change. */
const skeleton = (page: string) => (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''));

const readable = (page: string) => page.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/** A question of the kind of another, with one text in the place of all of its own. */
function saying(text: string, question: Question): Question {
	return {
		...question,
		title: text,
		message: text,
		buttons: question.buttons.map(({ value }) => ({ value, label: text })),
		submitLabel: text,
		thanks: text,
	};
}

/** Pages that hold a text wherever a text can be. */
const pagesSaying = (text: string) => [
	...[approval, choice, freeText].map((question) => questionPage(saying(text, question), text)),
	thanksPage(saying(text, approval)),
];

const plain = pagesSaying('plain').map(skeleton);

describe('a text', () => {
	it.each(HOSTILE)('%j stays text', (text) => {
		const pages = pagesSaying(text);
		expect(pages.map(skeleton)).toEqual(plain);
		for (const page of pages) if (text.trim()) expect(readable(page)).toContain(text);
	});

	it('stays text, however it is made', async () => {
		const recipes = fc.oneof(
			texts(2000).map(textOf),
			fc.string({
				unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', ' ', 'a', ';', '!', '-', '\0', '\n'),
			}),
		);
		await meetAll(recipes, 200, async (text) => {
			const pages = pagesSaying(`x${text}x`);
			expect(pages.map(skeleton)).toEqual(plain);
			for (const page of pages) expect(readable(page)).toContain(text);
		});
	});

	it.each([
		['of quotes', '"'],
		['of ampersands', '&'],
		['of tags', '<br>'],
		['of line breaks', '\n'],
		['that turns around', '\u202e'],
	])('%s takes a place of its own or two', (_name, unit) => {
		const long = unit.repeat(100_000 / unit.length);
		// An escaped character has six characters at most.
		expect(questionPage({ ...approval, message: long }).length).toBeLessThan(10_000 + 6 * long.length);
		const text = unit.repeat(10_000 / unit.length);
		for (const question of [approval, choice, freeText]) {
			const page = questionPage(saying(text, question), text);
			// Title twice, message, three labels, what was written.
			expect(page.length).toBeLessThan(10_000 + 6 * text.length * 7);
		}
	});
});

describe('the page', () => {
	const pages = {
		approval: questionPage(approval),
		choice: questionPage(choice),
		freeText: questionPage(freeText),
	};

	it.each(Object.entries(pages))('of a question of type %s posts to its own address', (_name, page) => {
		expect(page.match(/<form[^>]*>/g)).toEqual(['<form method="post">']);
		expect(page).not.toMatch(
			/formaction|formmethod|<script|<link|<img|<a |\bsrc=|\bon[a-z]+=|\bstyle=|url\(|@import/,
		);
	});

	it('shows line breaks of the message and makes no links', () => {
		const message = 'See https://shop.example\n<b>now</b>';
		expect(questionPage({ ...approval, message })).toContain(
			'<div id="message">See https://shop.example\n&#60;b&#62;now&#60;/b&#62;</div>',
		);
	});

	const buttons = (page: string) => page.match(/(?<=<button)[^>]*(?=>)/g);

	it('puts the decision of the link first, and decides nothing', () => {
		expect(buttons(questionPage(approval))).toEqual([
			' name="answer" value="approve" class="first"',
			' name="answer" value="decline"',
		]);
		expect(buttons(questionPage(approval, undefined, true))).toEqual([
			' name="answer" value="decline" class="first"',
			' name="answer" value="approve"',
		]);
	});

	it('has a button for each choice, in their order, of which none stands out', () => {
		const [monday, tuesday, approve] = ['0', '1', '2'].map((place) => ` name="answer" value="${place}"`);
		expect(buttons(questionPage(choice))).toEqual([monday, tuesday, approve]);
	});

	it('keeps what was written where it is refused, and says why in its title too', () => {
		const page = questionPage(freeText, 'What I wrote');
		expect(page).toContain('What I wrote</textarea>');
		expect(page).toContain(
			'<title>Please answer with at most 10,000 characters. How was your visit?</title>',
		);
	});
});

describe('the words of the package', () => {
	it.each([
		['de-AT', 'Sie haben schon geantwortet, oder die Zeit ist abgelaufen.', ''],
		['pt-BR', 'Você já respondeu, ou o prazo terminou.', ''],
		['sv', 'You have already answered, or the time is over.', ' lang="en"'],
	])('are in the language of the page, or say that they are English: %s', (language, words, mark) => {
		expect(decidedPage(language)).toContain(`<h1 id="title"${mark}>${words}</h1>`);
		expect(questionPage({ ...freeText, language }, '')).toContain(`autofocus${mark}>`);
	});
});

describe('the language', () => {
	it.each([
		['de', 'lang="de" dir="ltr"'],
		['zh-Hant-TW', 'lang="zh-Hant-TW" dir="ltr"'],
		['ar', 'lang="ar" dir="rtl"'],
		['he-IL', 'lang="he-IL" dir="rtl"'],
		['fa', 'lang="fa" dir="rtl"'],
		['ur', 'lang="ur" dir="rtl"'],
		['dv', 'lang="dv" dir="rtl"'],
		['uz-Arab', 'lang="uz-Arab" dir="rtl"'],
		['ar-Latn', 'lang="ar-Latn" dir="ltr"'],
	])('%.20j becomes %s', (language, attributes) => {
		expect(questionPage({ ...approval, language }).split('\n')[1]).toBe(`<html ${attributes}>`);
	});
});

describe('the headers', () => {
	it('let the page show its style and send its form, and nothing else', () => {
		const [, style] = /<style>(.*)<\/style>/s.exec(questionPage(approval)) ?? [];
		const hash = createHash('sha256').update(style!).digest('base64');
		expect(pageHeaders()).toEqual({
			'Content-Type': 'text/html; charset=utf-8',
			'Cache-Control': 'no-store',
			'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
			'X-Robots-Tag': 'noindex, nofollow',
		});
	});
});
