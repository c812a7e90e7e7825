import type { FieldErrors } from '../refusal.mts';
import type { Template, TemplateButton, TemplateComponent } from '../resources/template.mts';
import { isRecord, stringOf } from '../texts.mts';

/** A component as it is sent: how to fill one part of a template. */
export type SentComponent = Record<string, unknown>;

interface Parameter {
	type?: unknown;
	text?: unknown;
	parameter_name?: unknown;
	[member: string]: unknown;
}

/** The header as the customer sees it. */
export interface RenderedHeader {
	type: string;
	text?: string;
	/** Address or id of an image, video or document, as it was sent. */
	link?: string;
	id?: string;
	filename?: string;
	location?: Record<string, unknown>;
}

export interface RenderedButton {
	type: string;
	text: string;
	url?: string;
	phone_number?: string;
	code?: string;
	payload?: string;
}

/** A template with everything filled in. */
export interface RenderedTemplate {
	id: number;
	name: string;
	language: string;
	header?: RenderedHeader;
	body?: { text: string };
	footer?: { text: string };
	buttons?: RenderedButton[];
	/** What was sent, after placeholders were replaced. */
	components: SentComponent[];
}

const MEDIA_FORMATS = ['image', 'video', 'document'];

/** Names that JavaScript objects and texts are compared by, without regard to case. */
const lower = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');

/** Whether a value is a list of components that each have a type. */
export const isComponentList = (value: unknown): value is TemplateComponent[] =>
	Array.isArray(value) &&
	value.every(
		(component) =>
			isRecord(component) &&
			typeof component.type === 'string' &&
			(component.buttons === undefined ||
				(Array.isArray(component.buttons) &&
					component.buttons.every((button) => isRecord(button) && typeof button.type === 'string'))),
	);

/** Replaces each placeholder in every text of a component by its value, as it is, without delimiters. */
export function applyPlaceholders<Value>(value: Value, placeholders: Record<string, unknown>): Value {
	const entries = Object.entries(placeholders).filter(([name]) => name !== '');
	const replace = (part: unknown): unknown => {
		if (typeof part === 'string') {
			return entries.reduce(
				(text, [name, replacement]) =>
					text.replaceAll(name, () =>
						isRecord(replacement) || Array.isArray(replacement)
							? JSON.stringify(replacement)
							: stringOf(replacement),
					),
				part,
			);
		}
		if (Array.isArray(part)) return part.map(replace);
		if (isRecord(part))
			return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, replace(member)]));
		return part;
	};
	return replace(value) as Value;
}

const parametersOf = (component: SentComponent | undefined): Parameter[] =>
	Array.isArray(component?.parameters) ? component.parameters.filter(isRecord) : [];

/** The text a parameter stands for; currencies and dates carry theirs as a fallback value. */
function textOf(parameter: Parameter | undefined): string | undefined {
	if (!parameter) return undefined;
	if (typeof parameter.text === 'string') return parameter.text;
	const nested = parameter[typeof parameter.type === 'string' ? parameter.type : ''];
	return isRecord(nested) && typeof nested.fallback_value === 'string' ? nested.fallback_value : undefined;
}

/** Collects what is missing while a template is filled in. */
class Filler {
	readonly missing: string[] = [];

	/** Fills `{{1}}` from the first parameter, `{{first_name}}` from the parameter of that name. */
	text(text: string, parameters: Parameter[], where: string): string {
		return text.replace(/\{\{\s*(\w+)\s*\}\}/g, (variable, name: string) => {
			const isPosition = /^\d+$/.test(name);
			const parameter = isPosition
				? parameters[Number(name) - 1]
				: parameters.find(({ parameter_name }) => parameter_name === name);
			const value = textOf(parameter);
			if (value === undefined) this.missing.push(`The ${where} needs a value for ${variable}.`);
			return value ?? variable;
		});
	}

	header(component: TemplateComponent, sent: SentComponent | undefined): RenderedHeader {
		const format = lower(component.format) || 'text';
		const parameters = parametersOf(sent);
		if (format === 'text')
			return { type: 'text', text: this.text(component.text ?? '', parameters, 'header') };
		const parameter = parameters.find(({ type }) => lower(type) === format);
		const value = parameter?.[format];
		if (!isRecord(value)) {
			this.missing.push(`The header needs a parameter of type ${format}.`);
			return { type: format };
		}
		if (!MEDIA_FORMATS.includes(format)) return { type: format, location: value };
		const text = (member: unknown) => (typeof member === 'string' ? member : undefined);
		const rendered = {
			type: format,
			link: text(value.link),
			id: text(value.id),
			filename: text(value.filename),
		};
		if (rendered.link === undefined && rendered.id === undefined) {
			this.missing.push(`The ${format} of the header needs a link.`);
		}
		return rendered;
	}

	button(button: TemplateButton, index: number, components: SentComponent[]): RenderedButton {
		const type = lower(button.type);
		const sent = components.find(
			(component) => lower(component.type) === 'button' && stringOf(component.index) === String(index),
		);
		const [parameter] = parametersOf(sent);
		const text = typeof button.text === 'string' ? button.text : type.replaceAll('_', ' ');
		switch (type) {
			case 'url':
				return { type, text, url: this.text(button.url ?? '', parametersOf(sent), `URL of button ${index}`) };
			case 'copy_code': {
				const code = parameter?.coupon_code;
				if (typeof code !== 'string') this.missing.push(`Button ${index} needs a coupon_code.`);
				return { type, text, code: typeof code === 'string' ? code : undefined };
			}
			case 'phone_number':
				return { type, text, phone_number: button.phone_number };
			default: {
				const payload = parameter?.payload;
				return { type, text, payload: typeof payload === 'string' ? payload : undefined };
			}
		}
	}
}

/**
 * Fills a template in.
 * @param components how to fill the variables, in the chat-app provider's format, placeholders already replaced.
 * @returns the filled template, or field errors when a variable has no value.
 */
export function renderTemplate(
	template: Template,
	components: SentComponent[],
): { template: RenderedTemplate } | { errors: FieldErrors } {
	const filler = new Filler();
	const sentOf = (type: string) => components.find((component) => lower(component.type) === type);
	const rendered: RenderedTemplate = {
		id: template.id,
		name: template.name,
		language: template.language,
		components,
	};
	for (const component of template.components) {
		switch (lower(component.type)) {
			case 'header':
				rendered.header = filler.header(component, sentOf('header'));
				break;
			case 'body':
				rendered.body = { text: filler.text(component.text ?? '', parametersOf(sentOf('body')), 'body') };
				break;
			case 'footer':
				rendered.footer = { text: component.text ?? '' };
				break;
			case 'buttons':
				rendered.buttons = (component.buttons ?? []).map((button, index) =>
					filler.button(button, index, components),
				);
				break;
		}
	}
	return filler.missing.length > 0
		? { errors: { template_components: filler.missing } }
		: { template: rendered };
}
