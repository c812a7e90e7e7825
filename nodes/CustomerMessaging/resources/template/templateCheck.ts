import type { IDataObject } from 'n8n-workflow';

import { problemOfNames } from '../../messaging/template/slots';
import { placesIn, type TemplatePart, templateParts } from '../../messaging/template/templateRecord';
import type { Output } from '../../runner/operation';
import { noteOutcome } from '../../transport/nodeRun';
import { type Conversion, ValueProblem, whenConverted } from '../../values/conversion';
import { objectsOf } from '../../values/json';
import { optionalText, stringOf } from '../../values/text';

// The interface does not name the chat app, and the service decides about a template. So a template that breaks a rule of
// WhatsApp goes out, with a hint. Only what Send Template itself could not fill in is refused.

/** A template as the rules see it. */
interface NewTemplate {
	name: string;
	category: string;
	header: string;
	body: string;
	footer: string;
	buttons: Array<Extract<TemplatePart, { part: 'button' }>>;
	components: IDataObject[];
}

/** The pages of WhatsApp's documentation about templates. */
const SOURCES = { components: 'template components', guidelines: 'template guidelines' };

/**
 * A rule: what breaks it, as it continues "1 of 3 items have …"; the largest number that is allowed, and what is counted;
 * and where WhatsApp documents it: on a page about templates, or as the error when one is created.
 */
type Rule = [
	text: string,
	limit: number,
	count: (template: NewTemplate) => number,
	source: keyof typeof SOURCES | `error ${number}`,
];

/** Returns the variables of a text; none if they are too many to be read. */
function variablesOf(text: string): string[] {
	try {
		return [...placesIn(text).keys()];
	} catch {
		return [];
	}
}

/** More than two UTF-16 units for each character that a rule allows. */
const MOST_COUNTED = 4096;

/** Returns the number of characters of a text as Unicode counts them (code points), as far as the rules go. */
const lengthOf = (text: string) => [...text.slice(0, MOST_COUNTED)].length;

const numberOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length;

const OTHERS = /[^a-z0-9_]/g;
const NO_HEADER = /[\n*]|\ufe0f|\p{Emoji_Presentation}/gu;
const AT_END = /^\{\{[^{}]*\}\}|\{\{[^{}]*\}\}$/g;

const hasNoBody = ({ body, category, components }: NewTemplate) =>
	Number(body === '' && category !== 'AUTHENTICATION' && components.length > 0);

const buttonsOf =
	(type: string) =>
	({ buttons }: NewTemplate) =>
		buttons.filter((one) => one.type === type).length;

const longestOf =
	(member: 'text' | 'url') =>
	({ buttons }: NewTemplate) =>
		Math.max(0, ...buttons.map((one) => lengthOf(one[member])));

const oddVariables = ({ header, body }: NewTemplate) =>
	[header, body].flatMap(variablesOf).filter((name) => numberOf(name, OTHERS) > 0).length;

const variablesInUrls = ({ buttons }: NewTemplate) =>
	buttons.filter(({ url }) => variablesOf(url).length > 1 || /\}\}./.test(url)).length;

/** Returns how many groups the quick replies make among other buttons. */
function groupsOfReplies({ buttons }: NewTemplate): number {
	const isReply = buttons.map(({ type }) => type === 'quick_reply');
	return isReply.filter((is, index) => is && !isReply[index - 1]).length;
}

/** Returns how many components and buttons need a sample for those who approve the template, and have none. */
const withoutSample = ({ components }: NewTemplate) =>
	components
		.flatMap((component) => [component, ...objectsOf(component.buttons)])
		.filter(({ type, format, text, url, example }) => {
			const kind = stringOf(type).toUpperCase();
			const isFile =
				kind === 'HEADER' && ['DOCUMENT', 'IMAGE', 'VIDEO'].includes(stringOf(format).toUpperCase());
			const isVariable = kind !== 'FOOTER' && variablesOf(`${stringOf(text)} ${stringOf(url)}`).length > 0;
			return (isFile || isVariable || kind === 'COPY_CODE') && example === undefined;
		}).length;

const LETTERS = 'a to z, 0 to 9 and _';

/** The rules of WhatsApp for templates, as far as they can be counted. */
const RULES: Rule[] = [
	['a name of more than 512 characters', 512, ({ name }) => lengthOf(name), 'components'],
	[`a name of others than ${LETTERS}`, 0, ({ name }) => numberOf(name, OTHERS), 'components'],
	['no body', 0, hasNoBody, 'components'],
	['a header of more than 60 characters', 60, ({ header }) => lengthOf(header), 'error 2388040'],
	['a body of more than 1,024 characters', 1024, ({ body }) => lengthOf(body), 'error 2388040'],
	['a footer of more than 60 characters', 60, ({ footer }) => lengthOf(footer), 'error 2388040'],
	['a button text of more than 25 characters', 25, longestOf('text'), 'error 2388040'],
	['a button URL of more than 2,000 characters', 2000, longestOf('url'), 'components'],
	['several variables in the header', 1, ({ header }) => variablesOf(header).length, 'components'],
	['a line break, * or emoji in the header', 0, ({ header }) => numberOf(header, NO_HEADER), 'error 2388047'],
	['more than two line breaks in a row', 0, ({ body }) => numberOf(body, /\n{3}/g), 'error 2388072'],
	['a variable at an end of the body', 0, ({ body }) => numberOf(body.trim(), AT_END), 'error 2388299'],
	['two variables without words between them', 0, ({ body }) => numberOf(body, /\}\}\s*\{\{/g), 'guidelines'],
	[`a name of a variable of others than ${LETTERS}`, 0, oddVariables, 'components'],
	['a variable in the footer', 0, ({ footer }) => variablesOf(footer).length, 'components'],
	['a button URL with a variable before its end', 0, variablesInUrls, 'components'],
	['more than 10 buttons', 10, ({ buttons }) => buttons.length, 'components'],
	['more than 2 URL buttons', 2, buttonsOf('url'), 'components'],
	['more than 1 phone number button', 1, buttonsOf('phone_number'), 'components'],
	['more than 1 copy code button', 1, buttonsOf('copy_code'), 'components'],
	['quick replies on both sides of another button', 1, groupsOfReplies, 'components'],
	['a variable, a file or a code without a sample', 0, withoutSample, 'components'],
];

/** Reads a template; undefined if it has more parts than can be read. */
function read(template: IDataObject): NewTemplate | undefined {
	try {
		const parts = templateParts(template) ?? [];
		const textOf = (name: 'body' | 'footer' | 'header') =>
			parts.flatMap((part) => (part.part === name ? part.text : [])).join('\n');
		return {
			name: stringOf(template.name),
			category: stringOf(template.category).toUpperCase(),
			header: textOf('header'),
			body: textOf('body'),
			footer: textOf('footer'),
			buttons: parts.filter((part) => part.part === 'button'),
			components: objectsOf(template.components),
		};
	} catch {
		// The template is created, whatever a hint could say about it.
		return undefined;
	}
}

/** Makes an output that tells in the hints of the execution which rules of WhatsApp a new template breaks. */
export const checkedTemplate = (output: Output): Output => ({
	...output,
	itemsOf(answer, item) {
		const template = read(item.request.body as IDataObject);
		const broken = template ? RULES.filter(([, limit, count]) => count(template) > limit) : [];
		for (const [text, , , source] of broken) {
			const where = source in SOURCES ? SOURCES[source as keyof typeof SOURCES] : source;
			void noteOutcome(item.context, `have ${text}, which WhatsApp may refuse (${where})`);
		}
		return output.itemsOf(answer, item);
	},
});

/** Converts a text of a new template. *Send Template* could not fill in the variables that are refused here. */
export const fillableText: Conversion<string> = (value) =>
	whenConverted(optionalText(value), (words) => {
		const problem = problemOfNames(variablesOf(words));
		const remedy = 'Number the variables of a text from {{1}} on, without a gap, or name all of them.';
		return problem
			? new ValueProblem(`has variables that do not fit: they ${problem.problem}`, remedy)
			: words;
	});
