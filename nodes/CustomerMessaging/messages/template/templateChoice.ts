import type { INodeProperties } from 'n8n-workflow';

import type { Api } from '../../api/client';
import { orUndefinedIfForbidden, wholeList } from '../../api/records';
import { objectsOf } from '../../values/json';
import { quote, textOrNothing, trimmedText } from '../../values/text';
import { type TemplatePart, templateParts, type TemplateRecord } from './templateParts';
import type { Body } from '../../contract/endpoints';
import { setting } from '../../core/field';
import type { Item } from '../../core/item';
import { setOfEach } from '../../values/ids';

/** Returns a member of a template, which the interface names in requests only; an empty text if there is none. */
const memberOf = (template: TemplateRecord, name: string) =>
	textOrNothing(template[name]) ?? textOrNothing(template[`template_${name}`]) ?? '';

export const templateName = (template: TemplateRecord) => memberOf(template, 'name');
export const templateLanguage = (template: TemplateRecord) => memberOf(template, 'language');
export const templateStatus = (template: TemplateRecord) => memberOf(template, 'status').trim();

/** Whether a status, if there is any, is one with which a template can be sent. */
export const isApproved = (status: string) => /^(approved\b|$)/i.test(status);

/** Reads the tenant's templates, once per run. Undefined if the token must not read them. */
const templatesOf = async (api: Api) =>
	await api.once('templates', async () => await orUndefinedIfForbidden(wholeList(api, '/templates')));

/** Finds a template of the tenant. Returns its parts, if they are shown, and what keeps it from being sent or shown. */
export async function findTemplate(
	api: Api,
	name: string,
	language: string,
): Promise<{ parts?: TemplatePart[]; problems: string[] }> {
	const records = await templatesOf(api);
	if (!records) return { problems: ['The service does not show its templates'] };
	const named = objectsOf(records).filter((one) => templateName(one) === name);
	// A record that does not tell its language may be the right one.
	const matching = named.filter((one) => ['', language].includes(templateLanguage(one)));
	const record = matching.find((one) => isApproved(templateStatus(one))) ?? matching.at(0);
	if (!record) {
		const languages = named.map((one) => quote(templateLanguage(one)));
		const where = languages.length > 0 ? ` in "${quote(language)}", only in ${languages.join(', ')}` : '';
		return { problems: [`The service shows no template "${quote(name)}"${where}`] };
	}
	const status = templateStatus(record);
	const parts = templateParts(record);
	const problems = [
		...(isApproved(status) ? [] : [`The template "${quote(name)}" is not approved: ${quote(status)}`]),
		...(parts ? [] : [`The service does not show the texts of the template "${quote(name)}"`]),
	];
	return { parts, problems };
}

/** Stands between the name and the language of a chosen template. Nobody types no-break spaces in a name. */
const BETWEEN = '\u00a0·\u00a0';

export type TemplateBody = Body<'POST /chatapp/send-template'>;

type NamedTemplate = Pick<TemplateBody, 'template_language' | 'template_name'>;

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

export const languageFallback = setting('options.languageFallback', setOfEach(trimmedText), {
	placeholder: 'e.g. en_US, de',
	description: 'If the chosen one is missing: codes, separated by commas',
});

/**
 * Gives the request of an item the language that a template from the list brings, and then the first in which the template can be
 * sent: this one, or one of the option. It stays if there is none, or the service does not show the languages.
 */
export async function chooseTemplate(given: Item<never, NamedTemplate>): Promise<void> {
	const item = given as Item<typeof languageFallback, NamedTemplate>;
	const { api, request } = item;
	const body = { ...request.body };
	item.request = { ...request, body };
	if (body.template_name !== undefined && body.template_language === undefined)
		Object.assign(body, chosenTemplate(body.template_name));
	const { template_name: name, template_language: language } = body;
	const others = item.shows(languageFallback) ? item.get(languageFallback) : [];
	if (others.length === 0 || name === undefined || language === undefined) return;
	const shown = objectsOf(await templatesOf(api))
		.filter((record) => templateName(record) === name && isApproved(templateStatus(record)))
		.map(templateLanguage);
	const first = [language, ...others].find((one) => shown.includes(one));
	if (first && !shown.includes('')) body.template_language = first;
}
