import {
	type ILoadOptionsFunctions,
	NodeOperationError,
	type ResourceMapperFields,
	SEND_AND_WAIT_OPERATION,
} from 'n8n-workflow';

import { chosenTemplate } from '../messaging/template/templateChoice';
import { formVariables, keyOf, type TemplateVariable } from '../messaging/template/formVariables';
import { buttonSlot, isMediaKind, slotName } from '../messaging/template/slots';
import { templateLanguage, templateName, TooManyParts } from '../messaging/template/templateRecord';
import { nodeError } from '../transport/errors';
import { numericOf } from '../values/numbers';
import { cut, stringOf } from '../values/text';
import { MAX_LABEL, readList } from './lists';
import { escaped, hasCredential, savedFields } from './resourceMapping';

/** How to fill in a template without the form. */
const OTHERWISE = 'Set Variables to Build Components or JSON.';

const none = (emptyFieldsNotice: string): ResourceMapperFields => ({ fields: [], emptyFieldsNotice });

/** Returns the name of the slot that the operation fills in itself: the button with the link of a question. */
function ownVariable(context: ILoadOptionsFunctions): string | undefined {
	// A human review of tools is always a question.
	const isQuestion =
		context.getCurrentNodeParameter('operation') === SEND_AND_WAIT_OPERATION ||
		context.getNode().type.endsWith('HitlTool');
	const position = numericOf(context.getCurrentNodeParameter('linkVariable') ?? 1);
	return isQuestion ? slotName(buttonSlot(position - 1, 'url')) : undefined;
}

/** Returns the expression with which n8n lets the model of an AI agent define a value, by the sentence it is for. */
function fromModel({ label, about }: TemplateVariable): string {
	// Within an expression, braces would end it.
	const description = about
		.replace(/\{+/g, '[')
		.replace(/\}+/g, ']')
		.replace(/[\\`$]/g, ' ');
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${keyOf(label)}', \`${description}\`, 'string') }}`;
}

/** Returns the variables of the chosen template as the fields of a form. */
export async function getTemplateVariables(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const value = stringOf(this.getCurrentNodeParameter('templateName', { extractValue: true }));
	const {
		template_name: name = value,
		template_language: language = this.getCurrentNodeParameter('templateLanguage'),
	} = chosenTemplate(value) ?? {};
	if (name === '') return none('Choose a template, and its variables appear here.');
	if (name.startsWith('=')) {
		return none(
			'The template comes from an expression, so its variables are not known here. Choose it from the list, or set Variables to Build Components or JSON.',
		);
	}
	const saved = savedFields(this, 'variables');
	if (!hasCredential(this)) {
		const emptyFieldsNotice = 'Choose a credential and open the node again, and the variables appear here.';
		return { fields: saved, emptyFieldsNotice };
	}
	const list = await readList(this, 'GET /templates').catch((error: Error) => error);
	if (list instanceof Error) {
		// Without fields, n8n would drop the values of the workflow.
		if (saved.length > 0) throw nodeError(this.getNode(), list);
		return none(`The templates cannot be read: ${escaped(list.message)}\n${OTHERWISE}`);
	}
	const { records, isCut } = list;
	const named = records.filter((template) => templateName(template) === name);
	const template = named.find((candidate) => templateLanguage(candidate) === language) ?? named[0];
	if (!template) {
		const where = isCut ? ` among its first ${records.length.toLocaleString('en')}` : '';
		return none(
			`The tenant has no template "${cut(name, MAX_LABEL)}"${where}. Check its name, or set Variables to JSON.`,
		);
	}
	let variables;
	try {
		variables = formVariables(template);
	} catch (error) {
		if (!(error instanceof TooManyParts)) throw new NodeOperationError(this.getNode(), error as Error);
		return none(`This template has ${error.message}, too many for a form. ${OTHERWISE}`);
	}
	if (!variables) return none(`The tenant does not show this template's variables. ${OTHERWISE}`);
	const own = ownVariable(this);
	const { type } = this.getNode();
	const isForModel = type.endsWith('Tool') && !type.endsWith('HitlTool');
	const isMedia = ({ slot: { kind, index } }: TemplateVariable) => isMediaKind(kind) && index === '';
	// The notice about files looks at the first field.
	variables = variables
		.filter(({ slot }) => slotName(slot) !== own)
		.sort((a, b) => Number(isMedia(b)) - Number(isMedia(a)));
	if (variables.length === 0) return none('This template has no variables: nothing to fill in.');
	return {
		fields: variables.map((variable) => ({
			id: slotName(variable.slot),
			displayName: variable.label,
			about: variable.about,
			isNeeded: variable.required,
			type: 'string',
			// n8n would name an empty value by its ID, before the operation can name its sentence.
			required: false,
			defaultMatch: false,
			display: true,
			canBeUsedToMatch: false,
			...(isForModel && variable.required && !isMedia(variable) && { defaultValue: fromModel(variable) }),
		})),
	};
}
