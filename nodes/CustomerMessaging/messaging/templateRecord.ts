import { isObject } from '../values/json';

// The fields of a template record are not shown by the interface. So it is read tolerantly, by the names and in the
// shapes that chat-app providers use.

/** A part of a template record, or all of it. */
type Part = Partial<Record<string, unknown>>;

/** Something of a template that is filled in when it is sent. */
export interface TemplateVariable {
	/** Where it goes, e.g. `body_1`, `body_first_name`, `header_image`, `button_0_url`; read by `componentsOf`. */
	id: string;
	/** What it is called in the form, with the text around it. */
	label: string;
	required: boolean;
}

/** The first of these members that holds text. */
function textOf(record: Part, names: string[]): string {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return '';
}

/** The name by which a template is sent. */
export function templateName(template: Part): string {
	return textOf(template, ['name', 'template_name', 'element_name']);
}

/** The code of the language a template is in, or an empty text. */
export function templateLanguage(template: Part): string {
	const { language } = template;
	if (isObject(language)) return textOf(language, ['code']);
	return textOf(template, ['language', 'template_language', 'language_code', 'locale']);
}

/** A list, as it is or as JSON text. */
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

/** The components of a template, under any of their usual names; undefined when the record has none. */
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

/** Names of the `{{…}}` places of a text, each once, in order. */
function placesIn(text: string): string[] {
	return [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name))];
}

/** The text around one place, short enough for a label. */
function around(text: string, name: string): string {
	const blank = text.replace(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, 'g'), '▁▁').replace(/\s+/g, ' ');
	const at = blank.indexOf('▁▁');
	// n8n cuts labels after some twenty characters: what comes behind the place tells more than what came long before.
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
 * What has to be filled in to send a template, in the order in which a reader meets it.
 *
 * @returns undefined when the record does not show its components
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
