import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { ifUndelivered, UNDELIVERED_REMEDY } from './ifUndelivered';
import { sendMessage } from './sendMessage';
import { templateGuards, type TemplateOption } from './sendingOptions';
import { languageFallback, useFallback } from './template/languageFallback';
import { headerFileOf, readVariables } from './template/readVariables';
import { type TemplateBody, useChosenTemplate } from './template/templateChoice';
import { previewTemplate as previewOne } from './template/templatePreview';
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
	item: Item<ContentSetting, TemplateBody>,
	own?: VariableEntry,
): Promise<Partial<TemplateBody>> {
	const replacements = item.shows(placeholders) ? item.get(placeholders) : undefined;
	const { variables, components, problems } = readVariables(item, own);
	item.problems.push(...problems.map(({ error }) => error));
	if (item.problems.length > 0) throw item.problems[0];
	const media: MediaResolver = async (kind, value) => await headerFileOf(item, kind, value);
	return {
		...item.request.body,
		template_components: components ?? (await componentsOf(variables, media)),
		...(replacements && { placeholders: replacements }),
	};
}

export const sendTemplate: Run<
	ContentSetting | TemplateOption | typeof languageFallback,
	TemplateBody
> = async (item) => {
	useChosenTemplate(item);
	if (item.shows(languageFallback)) await useFallback(item);
	const remedy = item.get(ifUndelivered) === 'error' ? UNDELIVERED_REMEDY : undefined;
	return (await sendMessage(item, templateGuards, completeTemplate, remedy)).items;
};

export const previewTemplate: Run<ContentSetting | typeof languageFallback, TemplateBody> = async (item) => {
	useChosenTemplate(item);
	if (item.shows(languageFallback)) await useFallback(item);
	return await previewOne(item);
};
