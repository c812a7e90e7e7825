import { createHash } from 'node:crypto';

import fc from 'fast-check';

import {
	decidedPage,
	PAGE_HEADERS,
	questionPage,
	thanksPage,
} from '../../nodes/CustomerMessaging/messages/question/answerPage.ts';
import type { GivenAnswer, Question } from '../../nodes/CustomerMessaging/messages/question/question.ts';
import { meetAll, textOf, texts } from '../generated/hostile/recipes.mts';
import { approval, freeText } from './questions.mts';

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

const ENTITIES: Record<string, string> = {
	'&lt;': '<',
	'&gt;': '>',
	'&quot;': '"',
	'&#39;': "'",
	'&amp;': '&',
};
const readable = (page: string) => page.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity]!);

/** A question of the kind of another, with one text in the place of all of its own. */
function saying(text: string, question: Question): Question {
	return {
		...question,
		title: text,
		message: text,
		approveLabel: text,
		declineLabel: text,
		submitLabel: text,
		thanks: text,
	};
}

const given = (text: string): GivenAnswer => ({ text, problem: text });

/** Pages that hold a text wherever a text can be. */
const pagesSaying = (text: string) => [
	...[approval, freeText].map((question) => questionPage(saying(text, question), given(text))),
	thanksPage(saying(text, approval)),
];

const plain = pagesSaying('plain').map(skeleton);

describe('a text', () => {
	it.each(HOSTILE)('%j stays text', (text) => {
		const pages = pagesSaying(text);
		expect(pages.map(skeleton)).toEqual(plain);
		// An empty title or label gives way to the usual words.
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
		for (const question of [approval, freeText]) {
			const page = questionPage(saying(text, question), given(text));
			// Title twice, message, two labels, what was written, its problem twice.
			expect(page.length).toBeLessThan(10_000 + 6 * text.length * 8);
		}
	});
});

describe('the page', () => {
	const pages = {
		approval: questionPage(approval),
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
			'<div id="message">See https://shop.example\n&lt;b&gt;now&lt;/b&gt;</div>',
		);
	});

	const buttons = (page: string) => page.match(/(?<=<button)[^>]*(?=>)/g);

	it('puts the preferred decision first, and decides nothing', () => {
		const [first, second] = [' class="first" id="answer"', ''];
		expect(buttons(questionPage(approval))).toEqual([
			` name="answer" value="approve"${first}`,
			` name="answer" value="decline"${second}`,
		]);
		expect(buttons(questionPage(approval, undefined, 'decline'))).toEqual([
			` name="answer" value="decline"${first}`,
			` name="answer" value="approve"${second}`,
		]);
	});

	it.each(['approve', 'decline'] as const)(
		'has one button if nothing can be declined (%s preferred)',
		(preferred) => {
			const page = questionPage({ ...approval, declineLabel: undefined }, undefined, preferred);
			expect(buttons(page)).toEqual([' name="answer" value="approve" class="first" id="answer"']);
		},
	);

	it('keeps what was written where it has a problem', () => {
		const page = questionPage(freeText, { text: 'What I wrote', problem: 'Too long' });
		expect(page).toContain('What I wrote</textarea>');
	});

	it('has words where the question has none', () => {
		const silent = saying('', approval);
		expect(questionPage(silent)).toMatch(/<h1[^>]*>A Question for You<.*<button[^>]*>Approve</s);
		expect(questionPage({ ...silent, responseType: 'freeText' })).toMatch(/<button[^>]*>Send Answer</);
		expect(thanksPage(silent)).toMatch(/<h1[^>]*>Thank you\. We have received your answer\.</);
	});

	it('says that a question has its answer', () => {
		expect(decidedPage({ ...approval, language: 'de' })).toMatch(
			/<html lang="de".*<h1 id="title" lang="en">This question has already been answered\.</s,
		);
	});
});

describe('the language', () => {
	it.each([
		['de', 'lang="de" dir="ltr"'],
		['de_AT', 'lang="de-AT" dir="ltr"'],
		[' pt-br ', 'lang="pt-BR" dir="ltr"'],
		['zh-Hant-TW', 'lang="zh-Hant-TW" dir="ltr"'],
		['ar', 'lang="ar" dir="rtl"'],
		['he-IL', 'lang="he-IL" dir="rtl"'],
		['fa', 'lang="fa" dir="rtl"'],
		['ur', 'lang="ur" dir="rtl"'],
		['dv', 'lang="dv" dir="rtl"'],
		['uz-Arab', 'lang="uz-Arab" dir="rtl"'],
		['ar-Latn', 'lang="ar-Latn" dir="ltr"'],
		['', 'lang="en" dir="ltr"'],
		['de DE', 'lang="en" dir="ltr"'],
		['en"><script>', 'lang="en" dir="ltr"'],
		['e'.repeat(100_000), 'lang="en" dir="ltr"'],
	])('%.20j becomes %s', (language, attributes) => {
		expect(questionPage({ ...approval, language }).split('\n')[1]).toBe(`<html ${attributes}>`);
	});
});

describe('the headers', () => {
	it('let the page show its style and send its form, and nothing else', () => {
		const [, style] = /<style>(.*)<\/style>/s.exec(questionPage(approval)) ?? [];
		const hash = createHash('sha256').update(style!).digest('base64');
		expect(PAGE_HEADERS).toEqual({
			'Content-Type': 'text/html; charset=utf-8',
			'Cache-Control': 'no-store',
			'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
			'Referrer-Policy': 'no-referrer',
			'X-Content-Type-Options': 'nosniff',
			'X-Robots-Tag': 'noindex, nofollow',
		});
	});
});
