import { type ResourceMapperFields, SEND_AND_WAIT_OPERATION } from 'n8n-workflow';

import type { EditorContext } from '../api/client';
import { hasCredential } from '../api/context';
import { nodeErrorOf } from '../api/errors';
import { chosenTemplate, templateLanguage, templateName } from '../messages/template/templateChoice';
import {
	keyOf,
	type TemplatePart,
	templateParts,
	type TemplateRecord,
	type TemplateVariable,
	unfilledIn,
	variablesOfParts,
} from '../messages/template/templateParts';
import { headerFile } from '../messages/template/variableFields';
import { buttonVariable } from '../messages/template/variables';
import { objectsOf } from '../values/json';
import { numericOf } from '../values/numbers';
import { stringOf } from '../values/text';
import { SHOWN } from './describedFields';
import { literal, readList } from './lists';
import { escapeHtml, savedMapping } from './resourceMapping';

const OTHERWISE = 'Set Variables to Build Components or JSON.';

const none = (emptyFieldsNotice: string): ResourceMapperFields => ({ fields: [], emptyFieldsNotice });

/** Returns the name of the slot that the operation fills in itself: the button with the link of a question. */
function ownVariable(context: EditorContext): string | undefined {
	// A human review of tools is always a question.
	const isQuestion =
		context.getCurrentNodeParameter('operation') === SEND_AND_WAIT_OPERATION ||
		context.getNode().type.endsWith('HitlTool');
	const position = numericOf(context.getCurrentNodeParameter('linkVariable') ?? 1);
	return isQuestion ? buttonVariable(position - 1, 'url') : undefined;
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

const isFile = ({ name }: TemplateVariable) => /^header_(image|video|document)$/.test(name);

const fieldOf = ({ name, label, about, required }: TemplateVariable) => ({
	id: name,
	displayName: literal(label),
	about,
	isNeeded: required,
	type: 'string' as const,
	// If it were required, n8n would name an empty value by its ID, before the operation can name its sentence.
	...SHOWN,
});

/** Finds the chosen template in the tenant, or tells why it is not known, and whether nobody could ask for it. */
async function findTemplate(
	context: EditorContext,
): Promise<{ template: TemplateRecord } | { notice: string; isUnread?: true }> {
	const value = stringOf(context.getCurrentNodeParameter('templateName', { extractValue: true }));
	const {
		template_name: name = value,
		template_language: language = context.getCurrentNodeParameter('templateLanguage'),
	} = chosenTemplate(value) ?? {};
	if (name === '') return { notice: 'Choose a template, and its variables appear here.' };
	if (name.startsWith('=')) {
		return {
			notice:
				'The template comes from an expression, so its variables are not known here. Choose it from the list, or set Variables to Build Components or JSON.',
		};
	}
	const unread = (notice: string) => ({ notice, isUnread: true as const });
	if (!hasCredential(context)) return unread('The variables of the template are not known here.');
	const list = await readList(context, { url: '/templates' }).catch((error: Error) => error);
	if (list instanceof Error) {
		const { message } = nodeErrorOf(context, list);
		return unread(`The templates cannot be read: ${escapeHtml(message)}\n${OTHERWISE}`);
	}
	const { records, next } = list;
	const named = objectsOf(records).filter((template) => templateName(template) === name);
	const template = named.find((candidate) => templateLanguage(candidate) === language) ?? named[0];
	if (template) return { template };
	const where = next ? ` among its first ${records.length.toLocaleString('en')}` : '';
	return {
		notice: `The service has no template "${escapeHtml(name)}"${where}. Check its name, or set Variables to JSON.`,
	};
}

export async function getTemplateVariables(this: EditorContext): Promise<ResourceMapperFields> {
	const found = await findTemplate(this);
	if (!('template' in found)) {
		const { schema = [] } = savedMapping(this, 'variables');
		// Without fields, n8n would drop the values of the workflow.
		return { fields: found.isUnread ? schema : [], emptyFieldsNotice: found.notice };
	}
	const parts = templateParts(found.template);
	if (!parts) return none(`The service does not show this template's variables. ${OTHERWISE}`);
	const own = ownVariable(this);
	const { type } = this.getNode();
	const isForModel = type.endsWith('Tool') && !type.endsWith('HitlTool');
	const shown = variablesOfParts(parts).filter((variable) => !isFile(variable) && variable.name !== own);
	if (shown.length === 0)
		return none(sayUnfilled(parts) || 'This template has no variables: nothing to fill in.');
	return {
		fields: shown.map((variable) => ({
			...fieldOf(variable),
			...(isForModel && variable.required && { defaultValue: fromModel(variable) }),
		})),
	};
}

/** Returns a sentence about the parts of a template that no field fills; an empty text if there is none. */
function sayUnfilled(parts: TemplatePart[]): string {
	const unfilled = escapeHtml(unfilledIn(parts).join(', '));
	return unfilled && `No field fills a part of this template: ${unfilled}. ${OTHERWISE}`;
}

/** Returns the text of a template as HTML, with its variables in their places. */
function textOf(parts: TemplatePart[]): string {
	const unfilled = sayUnfilled(parts);
	const tags: Partial<Record<TemplatePart['part'], string>> = { header: 'strong', footer: 'small' };
	const lines = parts.map(({ part, text }) => {
		const tag = tags[part];
		return tag ? `<${tag}>${escapeHtml(text)}</${tag}>` : escapeHtml(text);
	});
	return [...lines, unfilled && `<small>${unfilled}</small>`]
		.filter(Boolean)
		.join('<br>')
		.replaceAll('\n', '<br>');
}

/** Returns the text of the chosen template as the notice of a form, and the file of its header as a hidden field. */
export async function getTemplateText(this: EditorContext): Promise<ResourceMapperFields> {
	const found = await findTemplate(this);
	const parts = 'template' in found ? templateParts(found.template) : undefined;
	if (parts) {
		const fields = variablesOfParts(parts)
			.filter(isFile)
			.map((file) => ({ ...fieldOf(file), displayName: headerFile.parameter.displayName, display: false }));
		return { fields, emptyFieldsNotice: textOf(parts) };
	}
	return none('The text of the template is not known here.');
}
