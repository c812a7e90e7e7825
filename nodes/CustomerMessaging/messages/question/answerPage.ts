import { createHash } from 'node:crypto';

import { ANSWER, DEFAULT_WORDS, type GivenAnswer, MAX_TEXT, type Question } from './question';

/** Each text takes its direction from its own letters, whatever the direction of the page. */
const STYLE = `
:root{color-scheme:light dark;--ground:#f3f5f7;--card:#fff;--text:#1b2026;--line:#78818d;--accent:#0b5a9d;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#13161a;--card:#1d2126;--text:#e8ebef;--line:#838c98;--accent:#8cc2f7;--bad:#ffb4ab}}
*{box-sizing:border-box;margin:0;overflow-wrap:anywhere;unicode-bidi:plaintext}
body{background:var(--ground);color:var(--text);font:1.0625rem/1.5 system-ui,sans-serif}
main,form{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
main{gap:1rem;align-content:start;max-width:34rem;min-height:100vh;margin:auto;padding:2rem 20px;background:var(--card)}
h1{font-size:1.5rem;line-height:1.25}
h1,#message{white-space:pre-wrap}
form{margin-top:.75rem}
textarea,button{width:100%;min-height:3rem;padding:.625rem 12px;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
textarea{min-height:9rem;resize:vertical}
.actions{display:flex;flex-wrap:wrap;gap:.75rem}
button{flex:1 1 12rem;color:var(--accent);border:2px solid;font-weight:600;cursor:pointer}
.first{color:var(--card);background:var(--accent);border-color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
p,[role=alert],a{color:var(--bad)}
p{margin-top:.375rem}
ul{padding:.75rem 1rem;border:2px solid;border-radius:.5rem;list-style:none}
[aria-invalid]{border-color:var(--bad)}
@media(min-width:40rem){main{min-height:0;margin:10vh auto 2rem;padding:2.5rem;border-radius:1rem}}
`;

/** Also in the pages themselves, because n8n replaces the header where it sends a page for a node. */
const POLICY = [
	"default-src 'none'",
	`style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
	"form-action 'self'",
	"base-uri 'none'",
].join('; ');

/**
 * Nothing is loaded or run, no other site shows the page or gets the form, and neither the link nor the page stays
 * elsewhere. n8n drops a policy among the headers that a node hands back.
 */
export const PAGE_HEADERS: Record<string, string> = {
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex, nofollow',
};

const ALREADY_ANSWERED = 'This question has already been answered.';

type ApprovalChoice = 'approve' | 'decline';

/** The sentences of the package are English, whatever the language of the question. */
const ENGLISH = ' lang="en"';

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

function languageAttributes(language: string): string {
	let locale = new Intl.Locale('en');
	try {
		locale = new Intl.Locale(language.trim().replaceAll('_', '-'));
	} catch {
		// It is no language.
	}
	const isRightToLeft = /Arab|Hebr|Thaa|Syrc|Nkoo|Adlm|Rohg/.test(locale.maximize().script ?? '');
	return `lang="${locale.toString()}" dir="${isRightToLeft ? 'rtl' : 'ltr'}"`;
}

const page = (language: string, title: string, content: string) => `<!doctype html>
<html ${languageAttributes(language)}>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<main>
${content}
</main>
</html>
`;

const heading = (words: string, attributes = '') => `<h1 id="title"${attributes}>${escape(words)}</h1>`;

const button = (attributes: string, label: string) => `<button${attributes}>${escape(label)}</button>`;

function formOf(question: Question, given: GivenAnswer | undefined, preferred: ApprovalChoice): string {
	if (question.responseType === 'approval') {
		const labels: Array<[ApprovalChoice, string]> = [
			['approve', question.approveLabel || DEFAULT_WORDS.approveLabel],
		];
		if (question.declineLabel) labels.push(['decline', question.declineLabel]);
		if (preferred === 'decline') labels.reverse();
		const buttons = labels.map(([value, label], place) => {
			const first = place === 0 ? ` class="first" id="${ANSWER}"` : '';
			return button(` name="${ANSWER}" value="${value}"${first}`, label);
		});
		return `<div class="actions" role="group" aria-labelledby="title">${buttons.join('')}</div>`;
	}
	const id = `${ANSWER}-problem`;
	const invalid = given ? ` aria-invalid="true" aria-describedby="${id}"` : '';
	const problem = given ? `<p id="${id}"${ENGLISH}>${escape(given.problem)}</p>` : '';
	// A parser drops the first line break of a text area.
	const control = `<textarea id="${ANSWER}" name="${ANSWER}"${invalid} maxlength="${MAX_TEXT}" required aria-labelledby="title message">\n${escape(given?.text ?? '')}</textarea>`;
	const send = button(' class="first"', question.submitLabel || DEFAULT_WORDS.submitLabel);
	return `<div>${control}${problem}</div><div class="actions">${send}</div>`;
}

/** The problem at the top of the page: read out first, and a link to the control. */
const summary = (problem: string) =>
	`<div role="alert" tabindex="-1" autofocus${ENGLISH}><ul><li><a href="#${ANSWER}">${escape(problem)}</a></li></ul></div>`;

/**
 * The page that asks. Its form posts to the address of the page, so that the signature of the link stays. Opening it
 * decides nothing.
 */
export function questionPage(
	question: Question,
	given?: GivenAnswer,
	preferred: ApprovalChoice = 'approve',
): string {
	const title = question.title.trim() || DEFAULT_WORDS.title;
	return page(
		question.language,
		given ? `Problem: ${title}` : title,
		`${heading(title)}
<div id="message">${escape(question.message)}</div>
${given ? summary(given.problem) : ''}
<form method="post">${formOf(question, given, preferred)}</form>`,
	);
}

export function thanksPage({ language, thanks }: Question): string {
	const words = thanks.trim() || DEFAULT_WORDS.thanks;
	return page(language, words, heading(words));
}

export const decidedPage = ({ language }: Pick<Question, 'language'>): string =>
	page(language, ALREADY_ANSWERED, heading(ALREADY_ANSWERED, ENGLISH));
