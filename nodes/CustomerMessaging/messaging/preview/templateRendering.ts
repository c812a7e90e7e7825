import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../../values/text';
import { MEDIA_KINDS, type MediaKind } from '../templateComponents';
import { inSentence, PLACE, type TemplatePart, TooManyParts } from '../templateRecord';

/** Maximum number of characters in one text with placeholders, and in all values that a template shows. */
const MAX_FILLED = 65_536;

/** Maximum number of variables without a value, to tell a person. */
const MAX_MISSING = 500;

/** A button as the customer sees it. */
export interface RenderedButton {
	type: string;
	text: string;
	url?: string;
	phone_number?: string;
	code?: string;
	payload?: string;
}

/** A header as the customer sees it. */
export interface RenderedHeader {
	type: string;
	text?: string;
	/** Address of a file. It is `null` for a file that the sending uploads. */
	link?: string | null;
	id?: string;
	filename?: string;
	location?: IDataObject;
}

/** A template with its variables filled in. */
export interface RenderedTemplate {
	header: RenderedHeader | null;
	body: string | null;
	footer: string | null;
	buttons: RenderedButton[];
	/** The variables without a value, by their ID. They stay in the texts as they stand in the template. */
	missing: Map<string, string>;
	/** The IDs of the values for which the template has no place. */
	unused: string[];
	/** The parts of the template that this does not show. */
	notShown: string[];
}

/** Maximum number of characters that are searched for placeholders, and what one search counts besides. */
const MAX_SEARCHED = 2_000_000;
const PER_SEARCH = 100;

/**
 * Makes the function that replaces placeholders, each exactly as it is written, one after another.
 *
 * @throws TooManyParts when a text becomes too long, since each placeholder can multiply the ones after it, or when there
 * is too much to search
 */
export function placeholderReplacer(replacements: Record<string, string> = {}): (text: string) => string {
	const entries = Object.entries(replacements).filter(([name]) => name !== '');
	let left = MAX_SEARCHED;
	return (given) => {
		let text = given;
		for (const [name, value] of entries) {
			left -= text.length + PER_SEARCH;
			if (left < 0) throw new TooManyParts('more placeholders than can be looked for');
			const pieces = text.length > MAX_FILLED ? [] : text.split(name);
			if (
				pieces.length === 0 ||
				text.length + (pieces.length - 1) * (value.length - name.length) > MAX_FILLED
			)
				throw new TooManyParts(`more than ${MAX_FILLED} characters in a text with placeholders`);
			text = pieces.join(value);
		}
		return text;
	};
}

/** Kinds of buttons of which everything is shown. */
const BUTTONS = ['copy_code', 'flow', 'phone_number', 'quick_reply', 'url'];

/** Fills in a template. */
class Rendering implements RenderedTemplate {
	header: RenderedHeader | null = null;

	body: string | null = null;

	footer: string | null = null;

	readonly buttons: RenderedButton[] = [];

	readonly missing = new Map<string, string>();

	readonly notShown: string[] = [];

	private readonly used = new Set<string>();

	private left = MAX_FILLED;

	constructor(private readonly values: ReadonlyMap<string, string>) {}

	get unused(): string[] {
		return [...this.values.keys()].filter((id) => !this.used.has(id));
	}

	/** @param missing what the template lacks without the value; undefined if it may be left out */
	private value(id: string, missing?: string): string | undefined {
		this.used.add(id);
		const value = this.values.get(id);
		if (value === undefined) {
			if (missing !== undefined) this.missing.set(id, missing);
			if (this.missing.size > MAX_MISSING)
				throw new TooManyParts(`more than ${MAX_MISSING} variables without a value`);
			return undefined;
		}
		this.left -= value.length;
		if (this.left < 0) throw new TooManyParts(`more than ${MAX_FILLED} characters with its values`);
		return value;
	}

	/**
	 * @param idOf returns the ID of the variable with that name
	 * @param where the part with the text, if the text is no sentence
	 */
	private filled(text: string, idOf: (name: string) => string, where?: string): string {
		return text.replace(PLACE, (place, name: string, at: number) => {
			const id = idOf(name);
			const isTold = this.values.has(id) || this.missing.has(id);
			const told = where === undefined && !isTold ? inSentence(text, at) : `${place} in the ${where}`;
			return this.value(id, this.missing.get(id) ?? told) ?? place;
		});
	}

	add(part: TemplatePart): void {
		switch (part.part) {
			case 'header':
				this.header = this.renderedHeader(part.format, part.text);
				break;
			case 'body':
				this.tellIfEmpty(part.text, 'the text of the body');
				this.body = this.filled(part.text, (name) => `body_${name}`);
				break;
			case 'footer':
				this.tellIfEmpty(part.text, 'the text of the footer');
				this.footer = part.text;
				break;
			case 'button':
				this.buttons.push(this.button(part));
				if (!BUTTONS.includes(part.type))
					this.notShown.push(`what button ${part.index + 1} does (${part.type || 'no type'})`);
				break;
			default:
				this.notShown.push(part.type || 'a part without a type');
		}
	}

	/** The chat app itself writes some texts, e.g. those of an authentication template. */
	private tellIfEmpty(text: string, what: string): void {
		if (text === '') this.notShown.push(what);
	}

	private renderedHeader(format: string, text: string): RenderedHeader {
		if (isMedia(format)) {
			const id = this.value(`header_${format}_id`);
			const link = this.value(
				`header_${format}`,
				id === undefined ? `the ${format} of the header` : undefined,
			);
			const filename = this.value(`header_${format}_filename`);
			return { type: format, link: link === '' ? null : link, id, filename };
		}
		if (format !== 'location') {
			this.tellIfEmpty(text, `the header (${format})`);
			return { type: format, text: this.filled(text, (name) => `header_text_${name}`) };
		}
		const location: IDataObject = {};
		for (const member of ['latitude', 'longitude'])
			location[member] = this.value(`header_location_${member}`, `the ${member} of the header`);
		for (const id of this.values.keys()) {
			const [, member] = /^header_location_(.+)$/.exec(id) ?? [];
			if (member) location[member] = this.value(id);
		}
		return { type: format, location };
	}

	private button({ index, type, text, url, phoneNumber }: TemplatePart & { part: 'button' }): RenderedButton {
		const id = `button_${index}_${type}`;
		const where = `button ${index + 1}${text === '' ? '' : ` “${text}”`}`;
		switch (type) {
			case 'url':
				return { type, text, url: this.filled(url, () => id, `URL of ${where}`) };
			case 'copy_code':
				return { type, text, code: this.value(id, `the code of ${where}`) };
			case 'phone_number':
				return { type, text, phone_number: phoneNumber };
			default: {
				// The customer never sees the token of a flow.
				const payload = this.value(id);
				return { type, text, ...(type === 'quick_reply' && { payload }) };
			}
		}
	}
}

const isMedia = (format: string): format is MediaKind => MEDIA_KINDS.some((kind) => kind === format);

/**
 * Fills in the parts of a template as a customer reads them.
 *
 * @param values texts by the IDs of the variables, see `TemplateVariable`
 * @throws TooManyParts when the text with the values becomes too long
 */
export function renderTemplate(parts: TemplatePart[], values: ReadonlyMap<string, string>): RenderedTemplate {
	const rendering = new Rendering(values);
	for (const part of parts) rendering.add(part);
	return rendering;
}

/** Returns the whole text of a message, in reading order. */
export function wholeText({ header, body, footer }: RenderedTemplate): string {
	return [header?.text, body, footer].filter((text) => !isBlank(text)).join('\n\n');
}
