import type { IDataObject } from 'n8n-workflow';

import { isBlank, stringOf } from '../../values/text';
import { inSentence } from './formVariables';
import {
	bodySlot,
	buttonSlot,
	headerSlot,
	isButtonKind,
	isMediaKind,
	type Slot,
	slotName,
	type SlotValue,
} from './slots';
import { PLACE, type TemplatePart } from './templateRecord';

/** Parts and buttons that take no values. */
const WITHOUT_VALUES = ['call_permission_request', 'footer', 'phone_number', 'voice_call'];

export interface RenderedButton {
	type: string;
	text: string;
	url?: string;
	phone_number?: string;
	code?: string;
	payload?: string;
}

export interface RenderedHeader {
	type: string;
	text?: string;
	/** Address of a file. It is `null` for a file that the sending uploads. */
	link?: string | null;
	id?: string;
	filename?: string;
	location?: IDataObject;
}

/** Makes the function that replaces placeholders, each exactly as it is written, one after another. */
export function placeholderReplacer(replacements: Record<string, string> = {}): (text: string) => string {
	const entries = Object.entries(replacements);
	return (given) => entries.reduce((text, [name, value]) => text.split(name).join(value), given);
}

export class RenderedTemplate {
	header: RenderedHeader | null = null;
	body: string | null = null;
	footer: string | null = null;
	readonly buttons: RenderedButton[] = [];

	/** The variables without a value, by the name of the slot. They stay in the texts as they stand in the template. */
	readonly missing = new Map<string, string>();

	readonly notShown: string[] = [];

	/** The parts that no field of the form fills, by name, with the type of the component that does, and its button. */
	private readonly withoutField: Array<[name: string, type: string, index?: number]> = [];

	private readonly used = new Set<string>();
	private readonly values: ReadonlyMap<string, SlotValue>;

	constructor(parts: readonly TemplatePart[], values: readonly SlotValue[]) {
		this.values = new Map(values.map((one) => [slotName(one.slot), one]));
		for (const part of parts) this.add(part);
	}

	get unused(): Slot[] {
		return [...this.values].flatMap(([name, { slot }]) => (this.used.has(name) ? [] : slot));
	}

	/** Returns the parts that no field fills, such as a carousel, and that the components of a message do not fill either. */
	unfilled(components: IDataObject[] = []): string[] {
		const isOf = (type: string, index?: number) => (one: IDataObject) =>
			stringOf(one.type).toLowerCase() === type &&
			(index === undefined || stringOf(one.index) === String(index));
		return this.withoutField.flatMap(([name, type, index]) =>
			components.some(isOf(type, index)) ? [] : name,
		);
	}

	private hide(name: string, type: string, index?: number): void {
		this.notShown.push(name);
		if (!WITHOUT_VALUES.includes(type)) this.withoutField.push([name, type, index]);
	}

	/** @param missing what the template lacks without the value; undefined if it may be left out */
	private value(slot: Slot, missing?: string): string | undefined {
		const name = slotName(slot);
		this.used.add(name);
		const value = this.values.get(name)?.value;
		if (value === undefined && missing !== undefined && !this.missing.has(name))
			this.missing.set(name, missing);
		return value;
	}

	/** @param where the part with the text, if the text is no sentence */
	private filled(text: string, slotOf: (name: string) => Slot, where?: string): string {
		return text.replace(PLACE, (place, variable: string, at: number) => {
			const slot = slotOf(variable);
			const isKnown = this.values.has(slotName(slot)) || this.missing.has(slotName(slot));
			const missing = where === undefined && !isKnown ? inSentence(text, at) : `${place} in the ${where}`;
			return this.value(slot, missing) ?? place;
		});
	}

	private add(part: TemplatePart): void {
		switch (part.part) {
			case 'header':
				this.header = this.renderedHeader(part.format, part.text);
				break;
			case 'body':
			case 'footer':
				// The chat app itself writes some texts, e.g. those of an authentication template.
				if (part.text === '') this.hide(`the text of the ${part.part}`, part.part);
				this[part.part] = part.part === 'body' ? this.filled(part.text, bodySlot) : part.text;
				break;
			case 'button':
				this.buttons.push(this.button(part));
				if (!WITHOUT_VALUES.includes(part.type) && !isButtonKind(part.type))
					this.hide(`what button ${part.index + 1} does (${part.type || 'no type'})`, 'button', part.index);
				break;
			default:
				this.hide(part.type || 'a part without a type', part.type);
		}
	}

	private renderedHeader(format: string, text: string): RenderedHeader {
		if (isMediaKind(format)) {
			const id = this.value(headerSlot(format, 'id'));
			const missing = id === undefined ? `the ${format} of the header` : undefined;
			const link = this.value(headerSlot(format), missing);
			const filename = this.value(headerSlot(format, 'filename'));
			return { type: format, link: link === '' ? null : link, id, filename };
		}
		if (format !== 'location') {
			if (text === '') this.hide(`the header (${format})`, 'header');
			return { type: format, text: this.filled(text, (name) => headerSlot('text', name)) };
		}
		const location: IDataObject = {};
		for (const member of ['latitude', 'longitude'])
			location[member] = this.value(headerSlot(format, member), `the ${member} of the header`);
		for (const { slot } of this.values.values())
			if (slot.part === 'header' && slot.kind === format) location[slot.index] = this.value(slot);
		return { type: format, location };
	}

	private button({ index, type, text, url, phoneNumber }: TemplatePart & { part: 'button' }): RenderedButton {
		const where = `button ${index + 1}${text === '' ? '' : ` “${text}”`}`;
		if (type === 'phone_number') return { type, text, phone_number: phoneNumber };
		if (!isButtonKind(type)) return { type, text };
		const slot = buttonSlot(index, type);
		if (type === 'url') return { type, text, url: this.filled(url, () => slot, `URL of ${where}`) };
		if (type === 'copy_code') return { type, text, code: this.value(slot, `the code of ${where}`) };
		// The customer never sees the token of a flow.
		const payload = this.value(slot);
		return { type, text, ...(type === 'quick_reply' && { payload }) };
	}

	get text(): string {
		return [this.header?.text, this.body, this.footer].filter((text) => !isBlank(text)).join('\n\n');
	}
}
