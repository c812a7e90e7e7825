import type { INodeProperties } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';

/**
 * Stands between the name and the language of a template that was chosen from the list. The spaces are no-break spaces,
 * which nobody types in a name.
 */
const BETWEEN = '\u00a0·\u00a0';

/** What n8n and this package know such a value by. An expression is none, whatever it contains. */
const CHOSEN = `^([^=].*)${BETWEEN}(.+)$`;

export type TemplateBody = Body<'POST /chatapp/send-template'>;

export type NamedTemplate = Pick<TemplateBody, 'template_language' | 'template_name'>;

/** Returns the name and the language of a template that was chosen from the list; undefined for a name alone. */
export function chosenTemplate(value: string): Required<NamedTemplate> | undefined {
	const [, template_name, template_language] = new RegExp(CHOSEN).exec(value) ?? [];
	return template_name === undefined ? undefined : { template_name, template_language };
}

/** Returns the value of a template in the list. A template without a known language has only its name. */
export function templateValue(name: string, language: string): string {
	const value = [name, language].join(BETWEEN);
	const { template_name, template_language } = chosenTemplate(value) ?? {};
	return template_name === name && template_language === language ? value : name;
}

/** The display condition of a parameter for the language: a template from the list brings its own. */
export const withoutLanguage: INodeProperties['displayOptions'] = {
	hide: { templateName: [{ _cnd: { regex: CHOSEN } }] },
};

/**
 * Takes the name and the language apart, if the template was chosen from the list. Where the editor shows a parameter for
 * the language, it was not.
 */
export function withLanguage<Body extends NamedTemplate>(body: Body): Body & NamedTemplate {
	const { template_name, template_language } = body;
	if (template_name === undefined || template_language !== undefined) return body;
	return { ...body, ...chosenTemplate(template_name) };
}
