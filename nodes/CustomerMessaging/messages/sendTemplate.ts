import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { withoutConsent } from './consentGuard';
import { sendMessage, UNDELIVERED_REMEDY } from './sendMessage';
import { outsideHours } from './sendingHours';
import {
	type allowLoop,
	type consentGuard,
	ifUndelivered,
	languageFallback,
	type sendingHours,
	type sendOnce,
} from './sendingOptions';
import { onceFor } from './sendOnce';
import { headerFileOf, readVariables } from './template/readVariables';
import { type NamedTemplate, type TemplateBody, useChosenTemplate } from './template/templateChoice';
import { previewTemplate as previewOne } from './template/templatePreview';
import { languageOf } from './template/templateRecord';
import { placeholders, type VariableSetting } from './template/variableFields';
import { componentsOf, type MediaResolver, type VariableEntry } from './template/variables';
import type { recipient } from './templateFields';

/** What the content of a template message is read from, and who gets it. */
type ContentSetting = typeof placeholders | typeof recipient | VariableSetting;

/**
 * Completes the body of a template message. It first checks and uploads a file for the header.
 *
 * @param own value of a button that the operation gives by itself, which wins over that of the user
 * @throws NodeOperationError that names the variable or the file
 */
export async function completeTemplate(
	item: Item<ContentSetting>,
	body: Partial<TemplateBody>,
	own?: VariableEntry,
): Promise<Partial<TemplateBody>> {
	const replacements = item.shows(placeholders) ? item.get(placeholders) : undefined;
	const { variables, components, problems } = readVariables(item, own);
	item.problems.push(...problems.map(({ error }) => error));
	if (item.problems.length > 0) throw item.problems[0];
	const media: MediaResolver = async (kind, value) => await headerFileOf(item, kind, value);
	return {
		...body,
		template_components: components ?? (await componentsOf(variables, media)),
		...(replacements && { placeholders: replacements }),
	};
}

/** Gives the request the language that is sent: the given one, or else the first of *Language Fallback* that the template has. */
async function useLanguage(item: Item<typeof languageFallback, NamedTemplate>): Promise<void> {
	useChosenTemplate(item);
	const { api, request } = item;
	const { template_name: name, template_language: given } = request.body;
	const others = item.get(languageFallback);
	if (others.length === 0 || name === undefined || given === undefined) return;
	const template_language = await languageOf(api, name, [given, ...others]);
	if (template_language) item.request = { ...request, body: { ...request.body, template_language } };
}

export const sendTemplate: Run<
	| ContentSetting
	| typeof allowLoop
	| typeof consentGuard
	| typeof ifUndelivered
	| typeof languageFallback
	| typeof sendingHours
	| typeof sendOnce,
	TemplateBody
> = async (item) => {
	await useLanguage(item);
	return await sendMessage(item, {
		// The message must not go out before the choice is known.
		undeliveredRemedy: item.get(ifUndelivered) === 'error' ? UNDELIVERED_REMEDY : undefined,
		once: onceFor(item),
		skipped: () => outsideHours(item) ?? withoutConsent(item),
		complete: async (body) => await completeTemplate(item, body),
	});
};

export const previewTemplate: Run<ContentSetting | typeof languageFallback, TemplateBody> = async (item) => {
	await useLanguage(item);
	return await previewOne(item);
};
