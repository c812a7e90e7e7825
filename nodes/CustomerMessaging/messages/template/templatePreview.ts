import type { IDataObject, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Item } from '../../core/item';
import type { Run } from '../../core/operation';
import { orUndefinedIfForbidden } from '../../api/records';
import { Failure, isRefusedWith, MAX_MESSAGE, nodeErrorOf } from '../../api/errors';
import { stringOf, textOrNothing } from '../../values/text';
import { consentOf, type RecipientSigns, signsOf } from '../consentGuard';
import type { ContentSetting } from '../sendTemplate';
import { chooseTemplate, findTemplate, type languageFallback, type TemplateBody } from './templateChoice';
import { type TemplatePart, textOfTemplate, unfilledIn, variablesOfParts } from './templateParts';
import { headerFilesOf, placeholders, readVariables } from './variableFields';
import { componentsOf, placeOf, type VariableEntry, type Variables } from './variables';

type PreviewSetting = ContentSetting | typeof languageFallback;

type PreviewItem = Item<PreviewSetting, TemplateBody>;

/** Returns an error about the item, or about a record that it names. @throws one about the connection, the token or the service */
function errorOfItem({ context }: PreviewItem, error: unknown): NodeApiError | NodeOperationError {
	if (error instanceof Failure && !isRefusedWith(error, 400, 403, 404, 422)) throw error;
	return nodeErrorOf(context, error, context.getItemIndex());
}

/** Returns in words whether a recipient has opted in, and the name of the profile that says so. */
async function consentIn(item: PreviewItem, signs: RecipientSigns | undefined) {
	if (!signs || (signs.customerId ?? signs.digits) === undefined)
		return { consent: 'unknown: the recipient is not known' };
	try {
		const { isOptedIn, profile } = await consentOf(item.context, signs);
		if (!profile) return { consent: 'not opted in: no profile' };
		return { consent: isOptedIn ? 'opted in' : 'not opted in', name: textOrNothing(profile.name) };
	} catch (error) {
		return { consent: `unknown: ${errorOfItem(item, error).message}` };
	}
}

const inLines = (texts: Iterable<string>) =>
	Array.from(texts, (text) => text.replace(/\s+/g, ' ')).join('\n');

/** Returns a value as the service puts it into the message: with the placeholders replaced, one after another. */
const replacedIn = (value: string, replacements: Record<string, string> = {}) =>
	Object.entries(replacements).reduce((words, [key, to]) => words.split(key).join(to), value);

/** Returns what a template lacks, and what is wrong: what nobody here can fill in, and what has no place in it. */
function compare(parts: TemplatePart[], variables: Variables, components: IDataObject[] = []) {
	const known = new Map(variablesOfParts(parts).map((variable) => [variable.name, variable]));
	const missing = [...known.values()]
		.filter(({ name, required }) => required && !variables.has(name))
		.map(({ name, about }): VariableEntry => [name, about]);
	const unfilled = unfilledIn(parts, components).join(', ');
	const problems = unfilled
		? [`No field fills a part of the template: ${unfilled}. Set Variables to JSON`]
		: [];
	// Where a part is not known, nobody knows what has a place.
	if (parts.every(({ unknown }) => !unknown))
		for (const name of variables.keys())
			if (!known.has(name) && name !== 'header_document_filename')
				problems.push(`The template has no place for ${placeOf(name)}`);
	return { missing, problems };
}

/**
 * Returns the preview of an item's template message: the text as the customer will read it, what is missing, what is wrong, and
 * the body that Send Template would send, unless it would refuse the item. It only reads.
 */
export const previewTemplate: Run<PreviewSetting, TemplateBody> = async (item) => {
	await chooseTemplate(item);
	const { api, context } = item;
	const { body } = item.request;
	const replacements = item.get(placeholders);
	const given = readVariables(item);
	const errors: Array<NodeApiError | NodeOperationError> = [...item.problems];
	const missing = new Map<string, string>();
	for (const { error, missing: lacking } of given.problems)
		if (lacking) missing.set(...lacking);
		else errors.push(error);
	let { components } = given;
	try {
		components ??= await componentsOf(given.variables, headerFilesOf(item, true));
	} catch (error) {
		errors.push(errorOfItem(item, error));
	}
	const isRefused = errors.length + missing.size > 0;
	const problems = errors.map(({ message }) => message);

	let text = '';
	if (body.template_name !== undefined && body.template_language !== undefined) {
		const found = await findTemplate(api, body.template_name, body.template_language);
		problems.push(...found.problems);
		if (found.parts) {
			const { variables } = given;
			const compared = compare(found.parts, variables, components);
			problems.push(...compared.problems);
			for (const lacking of compared.missing) missing.set(...lacking);
			for (const [key, value] of variables) variables.set(key, replacedIn(value, replacements));
			text = textOfTemplate(found.parts, variables);
		}
	}

	const signs = await orUndefinedIfForbidden(signsOf(context, body));
	if (!signs) problems.push(`The service shows no customer ${body.customer_id}`);
	const { consent, name } = await consentIn(item, signs);
	const json: IDataObject = {
		text,
		ready: problems.length + missing.size === 0,
		missing: inLines(missing.values()),
		problems: inLines(problems.map((problem) => api.redact(problem, MAX_MESSAGE))),
		consent,
		name: name ?? signs?.name ?? '',
		phone_number: signs?.digits ?? '',
	};
	if (!isRefused) {
		const request = { ...body, template_components: components };
		json.request = { ...request, ...(replacements && { placeholders: replacements }) } as IDataObject;
	}
	return [{ json }];
};

const inDigits = (count: number) => count.toLocaleString('en');

/** Returns the totals of all previews as a hint. */
export function previewTotals(items: INodeExecutionData[]): string | undefined {
	const all = items.map(({ json }) => json).filter(({ ready }) => typeof ready === 'boolean');
	if (all.length === 0) return undefined;
	const ready = all.filter((one) => one.ready).length;
	const numberWith = (consent: string) =>
		inDigits(all.filter((one) => stringOf(one.consent).startsWith(consent)).length);
	const missing = new Set(all.flatMap((one) => stringOf(one.missing).split('\n')).filter(Boolean));
	return [
		`Nothing was sent. ${inDigits(ready)} of ${inDigits(all.length)} messages are ready`,
		...(missing.size > 0 ? [`Missing: ${[...missing].join(', ')}`] : []),
		`${numberWith('not opted in')} without consent, ${numberWith('unknown')} with unknown consent.`,
	].join('; ');
}
