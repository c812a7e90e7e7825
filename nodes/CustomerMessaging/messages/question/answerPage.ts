import { createHash } from 'node:crypto';

/** What a person is asked on the answer page. All texts are plain text: the page escapes them and makes no links of them. */
export interface Question {
	title: string;
	message: string;
	responseType: 'approval' | 'choice' | 'freeText';
	/** What can be chosen: `approve` and `decline`, or the places of the choices. Nothing for a text. */
	buttons: Array<{ value: string; label: string }>;
	submitLabel: string;
	thanks: string;
	/** BCP 47, such as `de-AT`. */
	language: string;
}

/** The words of the page by language: its title | its button, and what stands before the link | thanks | a late answer | a refused one. */
const WORDS: Partial<Record<string, string>> = {
	ar: 'سؤال لك | الإجابة | شكرًا لك. لقد تلقينا إجابتك. | لقد أجبت بالفعل، أو انتهى الوقت. | يرجى الإجابة بما لا يزيد عن 10,000 حرف.',
	de: 'Eine Frage an Sie | Antworten | Vielen Dank. Wir haben Ihre Antwort erhalten. | Sie haben schon geantwortet, oder die Zeit ist abgelaufen. | Bitte antworten Sie mit höchstens 10.000 Zeichen.',
	en: 'A Question for You | Answer | Thank you. We have received your answer. | You have already answered, or the time is over. | Please answer with at most 10,000 characters.',
	es: 'Una pregunta para usted | Responder | Gracias. Hemos recibido su respuesta. | Ya ha respondido, o el plazo ha terminado. | Por favor, responda con 10.000 caracteres como máximo.',
	fr: 'Une question pour vous | Répondre | Merci. Nous avons bien reçu votre réponse. | Vous avez déjà répondu, ou le délai est écoulé. | Veuillez répondre en 10 000 caractères au maximum.',
	pt: 'Uma pergunta para você | Responder | Obrigado. Recebemos a sua resposta. | Você já respondeu, ou o prazo terminou. | Por favor, responda com no máximo 10.000 caracteres.',
};

/** Returns the words in a language (BCP 47), or else in English. `mark` says in HTML that the page has another language. */
export function wordsIn(language: string) {
	const known = WORDS[new Intl.Locale(language).language];
	const [title, answer, thanks, answered, problem] = (known ?? WORDS.en ?? '').split(' | ');
	return { words: { title, answer, thanks, answered, problem }, mark: known ? '' : ' lang="en"' };
}

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
[role=alert]{padding:.75rem 1rem;border:2px solid;border-radius:.5rem;color:var(--bad)}
[aria-invalid]{border-color:var(--bad)}
@media(min-width:40rem){main{min-height:0;margin:10vh auto 2rem;padding:2.5rem;border-radius:1rem}}
`;

/** Also in the pages themselves, because n8n replaces the header where it sends a page for a node. */
const policy = () =>
	[
		"default-src 'none'",
		`style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
		"form-action 'self'",
		"base-uri 'none'",
	].join('; ');

/**
 * Nothing is loaded or run, no other site shows the page or gets the form, and neither the link nor the page stays
 * elsewhere.
 */
export const pageHeaders = (): Record<string, string> => ({
	'Content-Type': 'text/html; charset=utf-8',
	'Cache-Control': 'no-store',
	'Content-Security-Policy': `${policy()}; frame-ancestors 'none'`,
	'Referrer-Policy': 'no-referrer',
	'X-Content-Type-Options': 'nosniff',
	'X-Robots-Tag': 'noindex, nofollow',
});

export const ANSWER = 'answer';

/** As the words of the page say. */
export const MAX_TEXT = 10_000;

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function page(language: string, title: string, content: string): string {
	const isRightToLeft = /Arab|Hebr|Thaa|Syrc|Nkoo|Adlm|Rohg/.test(
		String(new Intl.Locale(language).maximize()),
	);
	return `<!doctype html>
<html lang="${language}" dir="${isRightToLeft ? 'rtl' : 'ltr'}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy()}">
<meta name="viewport" content="width=device-width">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${escape(title)}</title>
<style>${STYLE}</style>
<main>
${content}
</main>
</html>
`;
}

const heading = (words: string, mark = '') => `<h1 id="title"${mark}>${escape(words)}</h1>`;

/** The buttons to choose from. That of a link for a decision comes first, and stands out. */
function choicesOf({ responseType, buttons }: Question, isDecline: boolean): string {
	const written = (isDecline ? buttons.toReversed() : buttons).map(({ value, label }, place) => {
		const first = responseType === 'approval' && place === 0 ? ' class="first"' : '';
		return `<button name="${ANSWER}" value="${value}"${first}>${escape(label)}</button>`;
	});
	return `<div class="actions" role="group" aria-labelledby="title">${written.join('')}</div>`;
}

/**
 * The page that asks. Its form posts to the address of the page, so that the signature of the link stays. Opening it
 * decides nothing.
 *
 * @param refused what was written, if it was refused. The sentence about it has the focus, and is read out first.
 */
export function questionPage(question: Question, refused?: string, isDecline = false): string {
	const { title, message, responseType, submitLabel, language } = question;
	const { words, mark } = wordsIn(language);
	const isRefused = refused !== undefined;
	const problem = `<p id="problem" role="alert" tabindex="-1" autofocus${mark}>${escape(words.problem)}</p>`;
	const invalid = isRefused ? ' aria-invalid="true" aria-describedby="problem"' : '';
	// A parser drops the first line break of a text area.
	const text = `<textarea name="${ANSWER}"${invalid} maxlength="${MAX_TEXT}" required aria-labelledby="title message">
${escape(refused ?? '')}</textarea>
<div class="actions"><button class="first">${escape(submitLabel)}</button></div>`;
	const content = `${heading(title)}
<div id="message">${escape(message)}</div>
<form method="post">
${isRefused ? problem : ''}
${responseType === 'freeText' ? text : choicesOf(question, isDecline)}
</form>`;
	return page(language, isRefused ? `${words.problem} ${title}` : title, content);
}

export const thanksPage = ({ language, thanks }: Question): string => page(language, thanks, heading(thanks));

export function decidedPage(language: string): string {
	const { words, mark } = wordsIn(language);
	return page(language, words.answered, heading(words.answered, mark));
}
