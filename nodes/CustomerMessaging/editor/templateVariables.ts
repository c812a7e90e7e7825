import {
	type ILoadOptionsFunctions,
	NodeOperationError,
	type ResourceMapperFields,
	SEND_AND_WAIT_OPERATION,
} from 'n8n-workflow';

import { templateLanguage, templateName, templateVariables, TooManyParts } from '../messaging/templateRecord';
import { cut } from '../values/text';
import { MAX_LABEL } from './lists';
import { readList } from './readList';

const none = (emptyFieldsNotice: string): ResourceMapperFields => ({ fields: [], emptyFieldsNotice });

/** Returns the variable that the operation fills in itself: the button with the link of a question. */
function ownVariable(context: ILoadOptionsFunctions): string | undefined {
	// A human review of tools is always a question.
	const isQuestion =
		context.getCurrentNodeParameter('operation') === SEND_AND_WAIT_OPERATION ||
		context.getNode().type.endsWith('HitlTool');
	const position = Number(context.getCurrentNodeParameter('linkVariable') ?? 1);
	return isQuestion ? `button_${position - 1}_url` : undefined;
}

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
	const { records, isCut } = await readList(this, 'GET /templates');
	const named = records.filter((template) => templateName(template) === name);
	const template = named.find((candidate) => templateLanguage(candidate) === language) ?? named[0];
	if (!template) {
		const where = isCut ? `among its first ${records.length.toLocaleString('en')}` : '';
		return none(
			`The tenant has no template "${cut(name, MAX_LABEL)}"${where && ` ${where}`}. Check its name, or set Variables to JSON.`,
		);
	}
	let variables;
	try {
		variables = templateVariables(template);
	} catch (error) {
		if (!(error instanceof TooManyParts)) throw new NodeOperationError(this.getNode(), error as Error);
		return none(
			`This template has ${error.message}, too many for a form. Set Variables to Build Components or JSON.`,
		);
	}
	if (!variables) {
		return none(
			"The tenant does not show this template's variables. Set Variables to Build Components or JSON.",
		);
	}
	const own = ownVariable(this);
	variables = variables.filter(({ id }) => id !== own);
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
