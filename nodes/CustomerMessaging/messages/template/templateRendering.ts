import type { IDataObject } from 'n8n-workflow';

import { isBlank, stringOf } from '../../values/text';
import { PLACE, type TemplatePart } from './templateRecord';
import { buttonVariable, isButtonKind, isMediaKind, type Variables } from './variables';

/** Parts and buttons that take no values. */
const WITHOUT_VALUES = ['call_permission_request', 'footer', 'phone_number', 'voice_call'];

export interface RenderedTemplate {
	/** The parts as people read them. What is no text is named in brackets: `[image]`, `[Track] https://…`. */
	lines: Array<{ part: TemplatePart['part']; text: string }>;
	/** The parts that nobody here can show, such as a carousel. */
	unknown: string[];
	/** Those of them that need values, and that the components do not fill either. */
	unfilled: string[];
}

/** Fills the variables into the parts of a template. The place of one without a value stays in the text. */
export function renderTemplate(
	parts: readonly TemplatePart[],
	variables: Variables = new Map(),
	components: IDataObject[] = [],
): RenderedTemplate {
	const unknown: string[] = [];
	const unfilled: string[] = [];
	const fill = (text: string, nameOf: (variable: string) => string) =>
		text.replace(PLACE, (place, variable: string) => variables.get(nameOf(variable)) ?? place);
	const hide = (name: string, type: string, index?: number) => {
		unknown.push(name);
		const isFilled = components.some(
			(one) =>
				stringOf(one.type).toLowerCase() === type &&
				(index === undefined || stringOf(one.index) === String(index)),
		);
		if (!WITHOUT_VALUES.includes(type) && !isFilled) unfilled.push(name);
		return `[${name}]`;
	};
	/** People see neither the payload of a reply nor the token of a flow. */
	const showButton = ({ index, type, text, url, phoneNumber }: TemplatePart & { part: 'button' }) => {
		let target = '';
		if (type === 'url') target = fill(url, () => buttonVariable(index, type));
		else if (type === 'copy_code') target = variables.get(buttonVariable(index, type)) ?? '';
		else if (type === 'phone_number') target = phoneNumber;
		else if (!isButtonKind(type) && !WITHOUT_VALUES.includes(type))
			hide(`what button ${index + 1} does (${type || 'no type'})`, 'button', index);
		return `[${text}] ${target}`.trimEnd();
	};
	const show = (part: TemplatePart): string => {
		if (part.part === 'button') return showButton(part);
		if (part.part === 'other') return hide(part.type || 'a part without a type', part.type);
		if (part.part === 'header') {
			const { format, text } = part;
			if (isMediaKind(format) || format === 'location') return `[${format}]`;
			return text === ''
				? hide(`the header (${format})`, 'header')
				: fill(text, (one) => `header_text_${one}`);
		}
		// The chat app itself writes some texts, e.g. those of an authentication template.
		if (part.text === '') return hide(`the text of the ${part.part}`, part.part);
		return part.part === 'body' ? fill(part.text, (one) => `body_${one}`) : part.text;
	};
	const lines = parts.map((part) => ({ part: part.part, text: show(part) }));
	return { lines, unknown, unfilled };
}

/** Returns a template as one text: its parts, and then a line for each button. */
export function textOfLines(lines: RenderedTemplate['lines']): string {
	const shown = lines.filter(({ text }) => !isBlank(text));
	const buttons = shown.filter(({ part }) => part === 'button').map(({ text }) => text);
	const others = shown.filter(({ part }) => part !== 'button').map(({ text }) => text);
	return [...others, buttons.join('\n')].filter(Boolean).join('\n\n');
}
