import type { Api } from '../../api/client';
import { orUndefinedIfForbidden, wholeList } from '../../api/records';
import { isObject, objectsOf } from '../../values/json';
import { quote } from '../../values/text';
import { type TemplatePart, templateParts, type TemplateRecord, textOf } from './templateParts';

export const templateName = (template: TemplateRecord) =>
	textOf(template, ['name', 'template_name', 'element_name']);

export const templateLanguage = (template: TemplateRecord) =>
	isObject(template.language)
		? textOf(template.language, ['code'])
		: textOf(template, ['language', 'template_language', 'language_code', 'locale']);

export const templateStatus = (template: TemplateRecord) =>
	textOf(template, ['status', 'template_status']).trim();

/** Whether a status, if there is any, is one with which a template can be sent. */
export const isApproved = (status: string) => /^(approved\b|$)/i.test(status);

/** A template of the tenant, and what keeps it from being sent or shown. */
interface FoundTemplate {
	parts?: TemplatePart[];
	/** The parts of the same template in another language, where the tenant shows none in this one. */
	partsElsewhere?: TemplatePart[];
	problems: string[];
}

function search(records: TemplateRecord[], name: string, language: string): FoundTemplate {
	const named = records.filter((record) => templateName(record) === name);
	// A record that does not tell its language may be the right one.
	const matching = named.filter((record) => ['', language].includes(templateLanguage(record)));
	const record = matching.find((one) => isApproved(templateStatus(one))) ?? matching.at(0);
	if (!record) {
		const languages = named.map((one) => quote(templateLanguage(one)));
		const where = languages.length > 0 ? ` in "${quote(language)}", only in ${languages.join(', ')}` : '';
		const problems = [`The service shows no template "${quote(name)}"${where}`];
		return { partsElsewhere: named[0] && templateParts(named[0]), problems };
	}
	const status = templateStatus(record);
	const parts = templateParts(record);
	const problems = [
		...(isApproved(status) ? [] : [`The template "${quote(name)}" is not approved: ${quote(status)}`]),
		...(parts ? [] : [`The service does not show the texts of the template "${quote(name)}"`]),
	];
	return { parts, problems };
}

/** Reads the tenant's templates, once per run. Undefined if the token must not read them. */
export const templatesOf = async (api: Api) =>
	await api.once('templates', async () => await orUndefinedIfForbidden(wholeList(api, '/templates')));

/** Finds a template. The tenant's list is read once per run, and so is each template. */
export async function findTemplate(api: Api, name: string, language: string): Promise<FoundTemplate> {
	const records = await templatesOf(api);
	if (!records) return { problems: ['The service does not show its templates'] };
	const key = `template ${JSON.stringify([name, language])}`;
	return api.once(key, () => search(objectsOf(records), name, language));
}
