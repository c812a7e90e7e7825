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

/** Each text takes its direction from its own letters, whatever the direction of the page. */
const STYLE = `
:root{color-scheme:light dark;--ground:#f3f5f7;--card:#fff;--text:#1b2026;--quiet:#59626e;--line:#78818d;--accent:#0b5a9d;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--ground:#13161a;--card:#1d2126;--text:#e8ebef;--quiet:#a9b2be;--line:#838c98;--accent:#8cc2f7;--bad:#ffb4ab}}
*{box-sizing:border-box;margin:0;overflow-wrap:anywhere;unicode-bidi:plaintext}
body{background:var(--ground);color:var(--text);font:1.0625rem/1.5 system-ui,sans-serif}
main,form{display:grid;grid-template-columns:minmax(0,1fr);gap:1.5rem}
main{gap:1rem;align-content:start;max-width:34rem;min-height:100vh;margin:auto;padding:2rem 20px;background:var(--card)}
h1{font-size:1.5rem;line-height:1.25}
h1,#message{white-space:pre-wrap}
form{margin-top:.75rem}
fieldset{min-width:0;padding:0;border:0}
legend,label{display:block;padding:0;margin-bottom:.375rem;font-weight:600}
fieldset label{display:flex;gap:.75rem;align-items:center;min-height:2.75rem;margin:0;padding:.375rem 0;font-weight:400}
input,textarea,select,button{width:100%;min-height:3rem;padding:.625rem 12px;font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.5rem}
textarea{min-height:9rem;resize:vertical}
::placeholder{color:var(--quiet);opacity:1}
[type=radio]{flex:none;width:1.375rem;min-height:1.375rem;accent-color:var(--accent)}
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

const MAX_RADIOS = 8;

/** n8n takes a custom form in this encoding only. */
const MULTIPART = ' enctype="multipart/form-data"';

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

/** A control in an element of its own, with its problem below it. */
function withProblem(
	name: string,
	{ problems }: GivenAnswer,
	render: (attributes: string) => string,
): string {
	const problem = problems[name];
	if (!problem) return render(`name="${name}"`);
	const id = `${name}-problem`;
	const control = render(`name="${name}" aria-invalid="true" aria-describedby="${id}"`);
	return `${control}<p id="${id}"${ENGLISH}>${escape(problem)}</p>`;
}

const INPUTS = {
	text: `maxlength="${MAX_TEXT}"`,
	number: 'inputmode="decimal"',
	date: 'type="date"',
};

function formField(field: FormField, index: number, given: GivenAnswer): string {
	const { type, choices, isRequired, placeholder = '' } = field;
	const name = controlName(index);
	const value = given.values[name] ?? '';
	const label = `${escape(field.label || field.name)}${isRequired ? '<span aria-hidden="true"> *</span>' : ''}`;
	const required = isRequired ? ' required' : '';
	// Who has chosen one of the radio buttons cannot choose none again.
	if (type === 'choice' && isRequired && choices.length <= MAX_RADIOS) {
		const radios = (attributes: string) =>
			choices.map((choice, place) => {
				const id = place === 0 ? name : `${name}-${place}`;
				const checked = choice === value ? ' checked' : '';
				return `<label><input type="radio" id="${id}" ${attributes}${required} value="${escape(choice)}"${checked}><span>${escape(choice)}</span></label>`;
			});
		return `<fieldset><legend>${label}</legend>${withProblem(name, given, (attributes) => radios(attributes).join(''))}</fieldset>`;
	}
	const control = withProblem(name, given, (attributes) => {
		if (type !== 'choice') {
			return `<input id="${name}" ${INPUTS[type]} ${attributes}${required} placeholder="${escape(placeholder)}" value="${escape(value)}">`;
		}
		const options = choices.map((choice) => {
			const selected = choice === value ? ' selected' : '';
			return `<option value="${escape(choice)}"${selected}>${escape(choice)}</option>`;
		});
		return `<select id="${name}" ${attributes}${required}><option value=""></option>${options.join('')}</select>`;
	});
	return `<div><label for="${name}">${label}</label>${control}</div>`;
}

const button = (attributes: string, label: string) => `<button${attributes}>${escape(label)}</button>`;

function formOf(question: Question, given: GivenAnswer, preferred: ApprovalChoice): string {
	const { responseType, fields } = question;
	if (responseType === 'approval') {
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
	const controls =
		responseType === 'customForm'
			? fields.map((field, index) => formField(field, index, given)).join('')
			: // A parser drops the first line break of a text area.
				`<div>${withProblem(ANSWER, given, (attributes) => `<textarea id="${ANSWER}" ${attributes} maxlength="${MAX_TEXT}" required aria-labelledby="title message">\n${escape(given.values[ANSWER] ?? '')}</textarea>`)}</div>`;
	return `${controls}<div class="actions">${button(' class="first"', question.submitLabel || DEFAULT_WORDS.submitLabel)}</div>`;
}

/** The problems at the top of the page: read out first, and each a link to its control. */
function summary({ problems }: GivenAnswer): string {
	const links = Object.entries(problems).map(
		([name, problem]) => `<li><a href="#${escape(name)}">${escape(problem)}</a></li>`,
	);
	if (links.length === 0) return '';
	return `<div role="alert" tabindex="-1" autofocus${ENGLISH}><ul>${links.join('')}</ul></div>`;
}

/**
 * The page that asks. Its form posts to the address of the page, so that the signature of the link stays. Opening it
 * decides nothing.
 */
export function questionPage(
	question: Question,
	given: GivenAnswer = { values: {}, problems: {} },
	preferred: ApprovalChoice = 'approve',
): string {
	const title = question.title.trim() || DEFAULT_WORDS.title;
	const problems = summary(given);
	return page(
		question.language,
		problems ? `Problem: ${title}` : title,
		`${heading(title)}
<div id="message">${escape(question.message)}</div>
${problems}
<form method="post"${question.responseType === 'customForm' ? MULTIPART : ''}>${formOf(question, given, preferred)}</form>`,
	);
}

export function thanksPage({ language, thanks }: Question): string {
	const words = thanks.trim() || DEFAULT_WORDS.thanks;
	return page(language, words, heading(words));
}

export const decidedPage = ({ language }: Pick<Question, 'language'>): string =>
	page(language, ALREADY_ANSWERED, heading(ALREADY_ANSWERED, ENGLISH));
