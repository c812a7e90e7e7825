import type { IDataObject } from 'n8n-workflow';

import { isBlank, stringOf } from '../../values/text';
import { inSentence } from './formVariables';
import { PLACE, type TemplatePart } from './templateRecord';
import { buttonVariable, isButtonKind, isMediaKind, type Variables } from './variables';

/** Parts and buttons that take no values. */
const WITHOUT_VALUES = ['call_permission_request', 'footer', 'phone_number', 'voice_call'];

export interface RenderedTemplate {
	/** The parts as people read them. What is no text is named in brackets: `[image]`, `[Track] https://…`. */
	lines: Array<{ part: TemplatePart['part']; text: string }>;
	/** What the template lacks, by the name of the variable. Its place stays in the text. */
	missing: Map<string, string>;
	/** The variables for which the template has no place; none where a part of it is not known. */
	unused: string[];
	/** The parts that no field of the form fills, such as a carousel, and that the components do not fill either. */
	unfilled: string[];
}

/** Fills the variables into the parts of a template. */
export function renderTemplate(
	parts: readonly TemplatePart[],
	variables: Variables = new Map(),
	components: IDataObject[] = [],
): RenderedTemplate {
	const missing = new Map<string, string>();
	const used = new Set<string>();
	const unfilled: string[] = [];
	let isKnown = true;

	/** Takes the value of a variable. Without one, the template lacks something, unless it can do without. */
	const take = (name: string, what?: () => string): string | undefined => {
		used.add(name);
		const value = variables.get(name);
		if (value === undefined && what && !missing.has(name)) missing.set(name, what());
		return value;
	};
	/** @param where the part with the text, if the text is no sentence */
	const fill = (text: string, nameOf: (variable: string) => string, where?: string) =>
		text.replace(PLACE, (place, variable: string, at: number) => {
			const what = () => (where === undefined ? inSentence(text, at) : `${place} in the ${where}`);
			return take(nameOf(variable), what) ?? place;
		});
	/** Names a part that nobody here can show. */
	const hide = (name: string, type: string, index?: number) => {
		isKnown = false;
		const isFilled = components.some(
			(one) =>
				stringOf(one.type).toLowerCase() === type &&
				(index === undefined || stringOf(one.index) === String(index)),
		);
		if (!WITHOUT_VALUES.includes(type) && !isFilled) unfilled.push(name);
		return `[${name}]`;
	};

	const showHeader = (format: string, text: string): string => {
		const name = `header_${format}`;
		if (isMediaKind(format)) {
			take(`${name}_filename`);
			if (take(`${name}_id`) === undefined) take(name, () => `the ${format} of the header`);
			return `[${format}]`;
		}
		if (format === 'location') {
			for (const member of ['latitude', 'longitude'])
				take(`${name}_${member}`, () => `the ${member} of the header`);
			for (const other of variables.keys()) if (other.startsWith(name)) used.add(other);
			return '[location]';
		}
		return text === '' ? hide(`the header (${format})`, 'header') : fill(text, (one) => `header_text_${one}`);
	};
	const showButton = ({ index, type, text, url, phoneNumber }: TemplatePart & { part: 'button' }) => {
		const label = `[${text}]`;
		const name = isButtonKind(type) ? buttonVariable(index, type) : '';
		const where = `button ${index + 1}${text === '' ? '' : ` “${text}”`}`;
		if (type === 'url') return `${label} ${fill(url, () => name, `URL of ${where}`)}`.trimEnd();
		if (type === 'copy_code') return `${label} ${take(name, () => `the code of ${where}`) ?? ''}`.trimEnd();
		if (type === 'phone_number') return `${label} ${phoneNumber}`.trimEnd();
		// People see neither the token of a flow nor the payload of a reply.
		if (name !== '') take(name);
		else if (!WITHOUT_VALUES.includes(type))
			hide(`what button ${index + 1} does (${type || 'no type'})`, 'button', index);
		return label;
	};
	const show = (part: TemplatePart): string => {
		if (part.part === 'header') return showHeader(part.format, part.text);
		if (part.part === 'button') return showButton(part);
		if (part.part === 'other') return hide(part.type || 'a part without a type', part.type);
		// The chat app itself writes some texts, e.g. those of an authentication template.
		if (part.text === '') return hide(`the text of the ${part.part}`, part.part);
		return part.part === 'body' ? fill(part.text, (one) => `body_${one}`) : part.text;
	};

	const lines = parts.map((part) => ({ part: part.part, text: show(part) }));
	const unused = isKnown ? [...variables.keys()].filter((name) => !used.has(name)) : [];
	return { lines, missing, unused, unfilled };
}

/** Returns a template as one text: its parts, and then a line for each button. */
export function textOfLines(lines: RenderedTemplate['lines']): string {
	const isButton = ({ part }: (typeof lines)[number]) => part === 'button';
	const textsOf = (some: typeof lines) => some.map(({ text }) => text).filter((text) => !isBlank(text));
	const buttons = textsOf(lines.filter(isButton)).join('\n');
	return [...textsOf(lines.filter((line) => !isButton(line))), ...(buttons ? [buttons] : [])].join('\n\n');
}
