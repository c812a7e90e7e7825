import type { INodeProperties } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import type { ItemRequest } from '../../core/item';

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
