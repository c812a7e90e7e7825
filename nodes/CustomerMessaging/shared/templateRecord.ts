import type { IDataObject } from 'n8n-workflow';

/** The first of these members that holds text; records are only partly shown by the interface. */
function textOf(record: IDataObject, names: string[]): string {
	for (const name of names) {
		const value = record[name];
		if (typeof value === 'string' && value.trim() !== '') return value;
	}
	return '';
}

/** The name by which a template is sent. The template record is not shown, so its usual names are tried. */
export function templateName(template: IDataObject): string {
	return textOf(template, ['name', 'template_name', 'element_name']);
}

/** The code of the language a template is in, or an empty text. */
export function templateLanguage(template: IDataObject): string {
	const { language } = template;
	if (typeof language === 'object' && language !== null) return textOf(language as IDataObject, ['code']);
	return textOf(template, ['language', 'template_language', 'language_code', 'locale']);
}
