import type { INodeProperties } from 'n8n-workflow';

import type { Api } from '../../api/client';
import { orUndefinedIfForbidden, wholeList } from '../../api/records';
import { isObject, objectsOf } from '../../values/json';
import { quote, trimmedText } from '../../values/text';
import { type TemplatePart, templateParts, type TemplateRecord, textOf } from './templateParts';
import type { Body } from '../../contract/endpoints';
import { setting } from '../../core/field';
import type { Item, ItemRequest } from '../../core/item';
import { setOfEach } from '../../values/ids';

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
const templatesOf = async (api: Api) =>
	await api.once('templates', async () => await orUndefinedIfForbidden(wholeList(api, '/templates')));

/** Finds a template. The tenant's list is read once per run, and so is each template. */
export async function findTemplate(api: Api, name: string, language: string): Promise<FoundTemplate> {
	const records = await templatesOf(api);
	if (!records) return { problems: ['The service does not show its templates'] };
	const key = `template ${JSON.stringify([name, language])}`;
	return api.once(key, () => search(objectsOf(records), name, language));
}

/** Stands between the name and the language of a chosen template. Nobody types no-break spaces in a name. */
const BETWEEN = '\u00a0·\u00a0';

export type TemplateBody = Body<'POST /chatapp/send-template'>;

export type NamedTemplate = Pick<TemplateBody, 'template_language' | 'template_name'>;

export function chosenTemplate(value: string): Required<NamedTemplate> | undefined {
	const at = value.lastIndexOf(BETWEEN);
	return at < 0
		? undefined
		: { template_name: value.slice(0, at), template_language: value.slice(at + BETWEEN.length) };
}

/** Returns the value of a template in the list. A template without a known language has only its name. */
export function templateValue(name: string, language: string): string {
	const isChoice = name !== '' && !name.startsWith('=') && language !== '' && !language.includes(BETWEEN);
	return isChoice ? name + BETWEEN + language : name;
}

/**
 * The display condition of a parameter for the language: a template from the list brings its own. The first condition
 * shows the parameter if an expression gives the template, whatever the expression contains.
 */
export const withoutLanguage = {
	show: { templateName: [{ _cnd: { exists: true } }] },
	hide: { templateName: [{ _cnd: { includes: BETWEEN } }] },
} satisfies INodeProperties['displayOptions'];

/** Gives the request of an item the language that a template from the list brings. */
export function useChosenTemplate(item: { request: ItemRequest<NamedTemplate> }): void {
	const { body } = item.request;
	if (body.template_name === undefined || body.template_language !== undefined) return;
	item.request = { ...item.request, body: { ...body, ...chosenTemplate(body.template_name) } };
}

export const languageFallback = setting('options.languageFallback', setOfEach(trimmedText), {
	placeholder: 'e.g. en_US, de',
	description: 'Language codes, separated by commas, if the chosen one is missing',
});

/**
 * Gives the request the first language in which the template can be sent: the given one, or one of the option. The given one stays if
 * there is none, or the service does not show the languages.
 */
export async function useFallback(item: Item<typeof languageFallback, NamedTemplate>): Promise<void> {
	const { api, request } = item;
	const { template_name: name, template_language: given } = request.body;
	const others = item.get(languageFallback);
	if (others.length === 0 || name === undefined || given === undefined) return;
	const shown = objectsOf(await templatesOf(api))
		.filter((record) => templateName(record) === name && isApproved(templateStatus(record)))
		.map(templateLanguage);
	const template_language = [given, ...others].find((language) => shown.includes(language));
	if (template_language && !shown.includes(''))
		item.request = { ...request, body: { ...request.body, template_language } };
}
