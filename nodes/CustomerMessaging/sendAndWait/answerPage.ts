import { createHash } from 'node:crypto';

import {
	ANSWER,
	controlName,
	DEFAULT_WORDS,
	type FormField,
	type GivenAnswer,
	MAX_TEXT,
	type Question,
} from './question';

const STYLE = `
:root{color-scheme:light dark;--ground:#f3f5f7;--card:#fff;--text:#1b2026;--quiet:#59626e;--line:#78818d;--accent:#0b5a9d;--on:#fff;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#13161a;--card:#1d2126;--text:#e8ebef;--quiet:#a9b2be;--line:#838c98;--accent:#8cc2f7;--on:#08192a;--bad:#ffb4ab}}
*{box-sizing:border-box;overflow-wrap:anywhere}
body{margin:0;background:var(--ground);color:var(--text);font:1.0625rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:2rem 1.25rem;background:var(--card);min-height:100vh}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}
h1,#message{white-space:pre-wrap}
form{display:grid;gap:1.5rem;margin-top:2rem}
fieldset{min-width:0;margin:0;padding:0;border:0}
.label{display:block;padding:0;margin-bottom:.375rem;font-weight:600}
input,textarea,select,button{font:inherit;color:inherit;max-width:100%}
.box{display:block;width:100%;min-height:3rem;padding:.625rem .75rem;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
textarea{min-height:9rem;resize:vertical}
::placeholder{color:var(--quiet);opacity:1}
.choice{display:flex;gap:.75rem;align-items:center;min-height:2.75rem}
[type=radio]{flex:none;width:1.375rem;height:1.375rem;margin:0;accent-color:var(--accent)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem}
button{flex:1 1 12rem;min-height:3rem;padding:.625rem 1rem;background:none;color:var(--accent);border:2px solid var(--accent);border-radius:.5rem;font-weight:600;cursor:pointer}
.first{background:var(--accent);color:var(--on)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.problem,.problems a{color:var(--bad)}
.problem{margin:.375rem 0 0}
.problems{margin-top:1.5rem;padding:.75rem 1rem;border:2px solid var(--bad);border-radius:.5rem}
.problems ul{margin:0;padding:0;list-style:none}
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
 * The headers of each of the pages. Nothing is loaded or run, no other site shows the page or gets the form, and neither
 * the link nor the page stays elsewhere. They have to be set on the response itself: n8n drops a policy among the headers
 * that a node hands back.
 */
export const PAGE_HEADERS: Record<string, string> = {
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Content-Security-Policy': `${POLICY}; frame-ancestors 'none'`,
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Frame-Options': 'DENY',
	'X-Robots-Tag': 'noindex, nofollow',
};

const ALREADY_ANSWERED = 'This question has already been answered.';

/** The two answers to an approval. */
type Decision = 'approve' | 'decline';

/** More choices than this are a list that opens. */
const MAX_RADIOS = 8;

/** n8n takes a custom form in this encoding only. */
const MULTIPART = ' enctype="multipart/form-data"';

/** The sentences of the package are English, whatever the language of the question. */
const ENGLISH = ' lang="en" dir="ltr"';

const ENTITIES: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** Escapes a text for the content of an element and for a quoted attribute. */
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]);

/** The attributes of the root element: the language, and the direction of its usual script. */
function languageAttributes(language: string): string {
	let locale = new Intl.Locale('en');
	try {
		locale = new Intl.Locale(language.trim().replaceAll('_', '-'));
	} catch {
		// It is no language.
	}
	const isRightToLeft = /^(Arab|Hebr|Thaa|Syrc|Nkoo|Adlm|Rohg|Mand|Samr)$/.test(
		locale.maximize().script ?? '',
	);
	return `lang="${locale}" dir="${isRightToLeft ? 'rtl' : 'ltr'}"`;
}

const page = (language: string, title: string, content: string) => `<!doctype html>
<html ${languageAttributes(language)}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;

const heading = (words: string, attributes = ' dir="auto"') =>
	`<h1 id="title"${attributes}>${escape(words)}</h1>`;

/** The text of a control, and none for a name that every object has. */
const own = (texts: Record<string, string>, name: string) =>
	Object.hasOwn(texts, name) ? texts[name] : undefined;

/** What a control and its surroundings say about its problem, if it has one. */
function problemOf(name: string, { problems }: GivenAnswer) {
	const sentence = own(problems, name);
	if (sentence === undefined) return { attributes: '', note: '' };
	const id = `${name}-problem`;
	return {
		attributes: ` aria-invalid="true" aria-describedby="${id}"`,
		note: `<p class="problem" id="${id}"${ENGLISH}>${escape(sentence)}</p>`,
	};
}

const INPUTS = {
	text: `type="text" maxlength="${MAX_TEXT}"`,
	number: 'type="text" inputmode="decimal"',
	date: 'type="date"',
};

/** A field of a custom form, with its label and its problem. */
function formField(field: FormField, index: number, given: GivenAnswer): string {
	const name = controlName(index);
	const value = own(given.values, name) ?? '';
	const { attributes, note } = problemOf(name, given);
	const label = `${escape(field.label || field.name)}${field.isRequired ? '<span aria-hidden="true"> *</span>' : ''}`;
	const common = `name="${name}" dir="auto"${field.isRequired ? ' required' : ''}${attributes}`;
	// Who has chosen one of the radio buttons cannot choose none again.
	if (field.type === 'choice' && field.isRequired && field.choices.length <= MAX_RADIOS) {
		const radios = field.choices.map((choice, place) => {
			const id = place === 0 ? name : `${name}-${place}`;
			const checked = choice === value ? ' checked' : '';
			return `<label class="choice"><input type="radio" id="${id}" ${common} value="${escape(choice)}"${checked}><span dir="auto">${escape(choice)}</span></label>`;
		});
		return `<fieldset><legend class="label" dir="auto">${label}</legend>${radios.join('')}${note}</fieldset>`;
	}
	const placeholder = field.placeholder ? ` placeholder="${escape(field.placeholder)}"` : '';
	const options = field.choices.map(
		(choice) =>
			`<option value="${escape(choice)}"${choice === value ? ' selected' : ''}>${escape(choice)}</option>`,
	);
	const input =
		field.type === 'choice'
			? `<select class="box" id="${name}" ${common}><option value=""></option>${options.join('')}</select>`
			: `<input class="box" id="${name}" ${INPUTS[field.type]} ${common}${placeholder} value="${escape(value)}">`;
	return `<div><label class="label" for="${name}" dir="auto">${label}</label>${input}${note}</div>`;
}

/** The buttons of an approval. One of them comes first, and the keyboard reaches both. */
function decisions({ approveLabel, declineLabel }: Question, preferred: Decision): string {
	const buttons: Array<[Decision, string]> = [['approve', approveLabel || DEFAULT_WORDS.approveLabel]];
	if (declineLabel) buttons.push(['decline', declineLabel]);
	if (preferred === 'decline') buttons.reverse();
	return buttons
		.map(([value, label], place) => {
			const first = place === 0 ? ` class="first" id="${ANSWER}"` : '';
			return `<button name="${ANSWER}" value="${value}" dir="auto"${first}>${escape(label)}</button>`;
		})
		.join('');
}

/** What stands in the form: the controls, and the buttons that send it. */
function formOf(question: Question, given: GivenAnswer, preferred: Decision): string {
	const { responseType, fields, submitLabel } = question;
	const submit = `<div class="actions"><button class="first" dir="auto">${escape(submitLabel || DEFAULT_WORDS.submitLabel)}</button></div>`;
	switch (responseType) {
		case 'approval':
			return `<div class="actions" role="group" aria-labelledby="title">${decisions(question, preferred)}</div>`;
		case 'freeText': {
			const { attributes, note } = problemOf(ANSWER, given);
			// A parser drops the first line break of a text area.
			const text = `\n${escape(own(given.values, ANSWER) ?? '')}`;
			return `<div><textarea class="box" id="${ANSWER}" name="${ANSWER}" dir="auto" rows="6" maxlength="${MAX_TEXT}" required aria-labelledby="title message"${attributes}>${text}</textarea>${note}</div>${submit}`;
		}
		case 'customForm':
			return `${fields.map((field, index) => formField(field, index, given)).join('')}${submit}`;
	}
}

/** The problems at the top of the page: read out first, and each a link to its control. */
function summary({ problems }: GivenAnswer): string {
	const links = Object.entries(problems).map(
		([name, sentence]) => `<li><a href="#${escape(name)}">${escape(sentence)}</a></li>`,
	);
	if (links.length === 0) return '';
	return `<div class="problems" role="alert" tabindex="-1" autofocus${ENGLISH}><ul>${links.join('')}</ul></div>`;
}

/**
 * The page that asks. Its form posts to the address of the page, so that the signature of the link stays. Nothing is
 * decided by opening the page.
 * @param given What {@link readAnswer} found in a form with problems: it is shown again, with the problems.
 * @param preferred The decision whose button comes first.
 */
export function questionPage(
	question: Question,
	given: GivenAnswer = { values: {}, problems: {} },
	preferred: Decision = 'approve',
): string {
	const title = question.title.trim() || DEFAULT_WORDS.title;
	const problems = summary(given);
	return page(
		question.language,
		problems ? `Problem: ${title}` : title,
		`${heading(title)}
${question.message ? `<div id="message" dir="auto">${escape(question.message)}</div>` : ''}
${problems}
<form method="post"${question.responseType === 'customForm' ? MULTIPART : ''}>${formOf(question, given, preferred)}</form>`,
	);
}

/** The page after the answer. */
export function thanksPage({ language, thanks }: Question): string {
	const words = thanks.trim() || DEFAULT_WORDS.thanks;
	return page(language, words, heading(words));
}

/** The page for a question that has its answer already. */
export const decidedPage = ({ language }: Pick<Question, 'language'>): string =>
	page(language, ALREADY_ANSWERED, heading(ALREADY_ANSWERED, ENGLISH));
