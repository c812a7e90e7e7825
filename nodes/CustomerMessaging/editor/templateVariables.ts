import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { templateLanguage, templateName, templateVariables } from '../messaging/templateRecord';
import { readList } from './readList';

const none = (emptyFieldsNotice: string): ResourceMapperFields => ({ fields: [], emptyFieldsNotice });

/** Returns the variables of the chosen template as the fields of a form. */
export async function getTemplateVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const name = String(this.getCurrentNodeParameter('templateName', { extractValue: true }) ?? '');
	const language = String(this.getCurrentNodeParameter('templateLanguage') ?? '');
	if (name === '') return none('Choose a template, and its variables appear here.');
	if (name.startsWith('=')) {
		return none(
			'The template comes from an expression, so its variables are not known here. Choose it from the list, or set Variables to Build Components or JSON.',
		);
	}
	const named = (await readList(this, 'GET /templates')).filter(
		(template) => templateName(template) === name,
	);
	const template = named.find((candidate) => templateLanguage(candidate) === language) ?? named[0];
	if (!template) {
		return none(`The tenant has no template "${name}". Check its name, or set Variables to JSON.`);
	}
	const variables = templateVariables(template);
	if (!variables) {
		return none(
			"The tenant does not show this template's variables. Set Variables to Build Components or JSON.",
		);
	}
	if (variables.length === 0) return none('This template has no variables: nothing to fill in.');
	return {
		fields: variables.map(({ id, label, required }) => ({
			id,
			displayName: label,
			type: 'string',
			required,
			defaultMatch: false,
			display: true,
			canBeUsedToMatch: false,
		})),
	};
}
