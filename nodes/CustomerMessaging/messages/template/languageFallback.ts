import { setting } from '../../core/field';
import type { Item } from '../../core/item';
import { setOfEach } from '../../values/ids';
import { objectsOf } from '../../values/json';
import { trimmedText } from '../../values/text';
import type { NamedTemplate } from './templateChoice';
import { isApproved, templateLanguage, templateName, templatesOf, templateStatus } from './templateRecord';

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
