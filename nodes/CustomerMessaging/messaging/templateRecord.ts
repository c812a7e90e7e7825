import { isObject } from '../values/json';

// The interface does not document the fields of a template record. So this module accepts the names and shapes that
// chat-app providers use.

/** A template record or a part of it. */
type Part = Partial<Record<string, unknown>>;

/** A variable of a template that gets its value at sending. */
export interface TemplateVariable {
	/**
	 * Position of the variable, e.g. `body_1`, `body_first_name`, `header_image`, `button_0_url`. `componentsOf` reads
	 * it.
	 */
	id: string;
	/** Label in the form, with the text around the variable. */
	label: string;
	required: boolean;
}

/** Returns the first of these members that holds text, or an empty text. */
function textOf(record: Part, names: string[]): string {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return '';
}

/** Returns the name of a template in a send request. */
export function templateName(template: Part): string {
	return textOf(template, ['name', 'template_name', 'element_name']);
}

/** Returns the language code of a template, or an empty text. */
export function templateLanguage(template: Part): string {
	const { language } = template;
	if (isObject(language)) return textOf(language, ['code']);
	return textOf(template, ['language', 'template_language', 'language_code', 'locale']);
}

/** Returns the objects of a list, which may be JSON text; undefined for anything else. */
function listOf(value: unknown): Part[] | undefined {
	let list = value;
	if (typeof value === 'string') {
		try {
			list = JSON.parse(value);
		} catch {
			return undefined;
		}
	}
	return Array.isArray(list) ? list.filter(isObject) : undefined;
}

/** Returns the components of a template under any of their usual names; undefined if the record has none. */
function templateComponents(template: Part): Part[] | undefined {
	const holders = [template, template.content, template.template, template.data, template.structure];
	for (const holder of holders) {
		if (!isObject(holder)) continue;
		for (const name of ['components', 'template_components', 'elements']) {
			const components = listOf(holder[name]);
			if (components) return components;
		}
	}
	return listOf(template.content) ?? listOf(template.structure);
}

const typeOf = (part: Part) => textOf(part, ['type', 'component_type']).toUpperCase();

/** Returns the names of the `{{…}}` variables in a text, in order and without duplicates. */
function placesIn(text: string): string[] {
	return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name))];
}

/** Returns the text around one variable, short enough for a label. */
function around(text: string, name: string): string {
	const blank = text.replace(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, 'g'), '▁▁').replace(/\s+/g, ' ');
	const at = blank.indexOf('▁▁');
	// n8n cuts labels after about twenty characters. The text after the variable is more useful than the text long before
	// it.
	const start = Math.max(0, at - 12);
	const end = Math.min(blank.length, at + 40);
	return `${start > 0 ? '…' : ''}${blank.slice(start, end).trim()}${end < blank.length ? '…' : ''}`;
}

function textVariables(part: 'body' | 'header', text: string): TemplateVariable[] {
	const [id, label] = part === 'body' ? ['body', ''] : ['header_text', 'Header '];
	return placesIn(text).map((name) => ({
		id: `${id}_${name}`,
		label: `${label}{{${name}}} “${around(text, name)}”`,
		required: true,
	}));
}

function headerVariables(header: Part): TemplateVariable[] {
	const format = textOf(header, ['format', 'sub_type', 'media_type']).toLowerCase() || 'text';
	switch (format) {
		case 'image':
		case 'video':
			return [
				{
					id: `header_${format}`,
					label: `${format === 'image' ? 'Image' : 'Video'} (URL or field)`,
					required: true,
				},
			];
		case 'document':
			return [
				{ id: 'header_document', label: 'Document (URL or field)', required: true },
				{ id: 'header_document_filename', label: 'Document: file name', required: false },
			];
		case 'location':
			return [
				{ id: 'header_location_latitude', label: 'Location: latitude', required: true },
				{ id: 'header_location_longitude', label: 'Location: longitude', required: true },
				{ id: 'header_location_name', label: 'Location: name', required: false },
				{ id: 'header_location_address', label: 'Location: address', required: false },
			];
		default:
			return textVariables('header', textOf(header, ['text', 'content', 'value']));
	}
}

function buttonVariables(button: Part, index: number): TemplateVariable[] {
	const label = `Button ${index + 1} “${textOf(button, ['text', 'title', 'label'])}”`;
	switch (textOf(button, ['type', 'sub_type', 'button_type']).toUpperCase()) {
		case 'URL': {
			const url = textOf(button, ['url', 'link', 'value']);
			return placesIn(url).length === 0
				? []
				: [{ id: `button_${index}_url`, label: `${label}: end of ${url}`, required: true }];
		}
		case 'QUICK_REPLY':
			return [{ id: `button_${index}_quick_reply`, label: `${label}: payload`, required: false }];
		case 'COPY_CODE':
			return [{ id: `button_${index}_copy_code`, label: `${label}: code to copy`, required: true }];
		case 'FLOW':
			return [{ id: `button_${index}_flow`, label: `${label}: flow token`, required: false }];
		default:
			return [];
	}
}

/**
 * Returns the variables of a template, in reading order.
 *
 * @returns undefined when the record does not contain its components
 */
export function templateVariables(template: Part): TemplateVariable[] | undefined {
	const components = templateComponents(template);
	if (!components) return undefined;
	let buttons = 0;
	return components.flatMap((component) => {
		switch (typeOf(component)) {
			case 'HEADER':
				return headerVariables(component);
			case 'BODY':
				return textVariables('body', textOf(component, ['text', 'content', 'value']));
			case 'BUTTONS':
				return (listOf(component.buttons) ?? listOf(component.items) ?? []).flatMap((button) =>
					buttonVariables(button, buttons++),
				);
			case 'BUTTON':
				return buttonVariables({ ...component, type: component.sub_type }, buttons++);
			default:
				return [];
		}
	});
}
