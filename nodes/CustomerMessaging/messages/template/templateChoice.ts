import type { INodeProperties } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import { setting } from '../../core/field';
import type { Item, ItemRequest } from '../../core/item';
import { setOfEach } from '../../values/ids';
import { objectsOf } from '../../values/json';
import { trimmedText } from '../../values/text';
import { isApproved, templateLanguage, templateName, templatesOf, templateStatus } from './templateRecord';

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
	description:
		'Language codes, separated by commas. If the template lacks the chosen language, the first that it has is sent.',
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
