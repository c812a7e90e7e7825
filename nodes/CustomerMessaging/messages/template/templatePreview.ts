import type { IDataObject, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { openForSending } from '../../files/upload';
import type { Item } from '../../core/item';
import type { Run } from '../../core/operation';
import { orUndefinedIfForbidden } from '../../api/records';
import { MAX_MESSAGE, nodeErrorOf } from '../../api/errors';
import { stringOf, textOrNothing } from '../../values/text';
import { consentOf, type RecipientSigns, signsOf } from '../consentGuard';
import type { ContentSetting } from '../sendTemplate';
import { headerFilesOf, readVariables } from './readVariables';
import {
	findTemplate,
	languageFallback,
	type TemplateBody,
	useChosenTemplate,
	useFallback,
} from './templateChoice';
import { type TemplatePart, textOfTemplate, unfilledIn, variablesOfParts } from './templateParts';
import { placeholders } from './variableFields';
import { componentsOf, placeOf, type VariableEntry, type Variables } from './variables';

type PreviewSetting = ContentSetting | typeof languageFallback;

type PreviewItem = Item<PreviewSetting, TemplateBody>;

/** Statuses that are about a record that the item names. Others are about the connection, the token or the service. */
const ABOUT_RECORD = ['400', '403', '404', '422'];

/** Returns an error that is about the item. @throws any other error */
function errorOfItem({ context }: PreviewItem, error: unknown): NodeApiError | NodeOperationError {
	const failure = nodeErrorOf(context, error, context.getItemIndex());
	if (failure instanceof NodeApiError && !ABOUT_RECORD.includes(failure.httpCode ?? '')) throw failure;
	return failure;
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

/** Returns the values as the service puts them into the message: with the placeholders replaced, one after another. */
function replaced(variables: Variables, placeholdersOf: Record<string, string> = {}): Variables {
	const all = new Map<string, string>();
	for (const [name, value] of variables) {
		const replace = (words: string, [key, to]: VariableEntry) => words.split(key).join(to);
		all.set(name, Object.entries(placeholdersOf).reduce(replace, value));
	}
	return all;
}

/** Returns the text of a template with its variables, what it lacks, and what has no place in it. */
function fillTemplate(parts: TemplatePart[], variables: Variables, components: IDataObject[]) {
	const unfilled = unfilledIn(parts, components);
	const known = new Map(variablesOfParts(parts).map((variable) => [variable.name, variable]));
	const missing = [...known.values()]
		.filter(({ name, required }) => required && !variables.has(name))
		.map(({ name, about }): VariableEntry => [name, about]);
	const problems =
		unfilled.length > 0
			? [`No field fills a part of the template: ${unfilled.join(', ')}. Set Variables to JSON`]
			: [];
	// Where a part is not known, nobody knows what has a place.
	const isKnown = parts.every(({ unknown }) => !unknown);
	const unused = [...variables.keys()]
		.filter((name) => isKnown && !known.has(name) && name !== 'header_document_filename')
		.map((name) => `The template has no place for ${placeOf(name)}`);
	return { text: textOfTemplate(parts, variables), missing, problems, unused };
}

/**
 * Returns the preview of an item's template message: the text as the customer will read it, what is missing, what is wrong, and
 * the body that Send Template would send, unless it would refuse the item. It only reads.
 */
export const previewTemplate: Run<PreviewSetting, TemplateBody> = async (item) => {
	useChosenTemplate(item);
	if (item.shows(languageFallback)) await useFallback(item);
	const { api, context } = item;
	const { body } = item.request;
	const placeholdersOf = item.get(placeholders);
	const given = readVariables(item);
	const missing = new Map(given.problems.flatMap((one) => (one.missing ? [one.missing] : [])));
	const errors: Array<NodeApiError | NodeOperationError> = [
		...item.problems,
		...given.problems.flatMap((one) => (one.missing ? [] : one.error)),
	];
	let { components } = given;
	try {
		// A binary field is uploaded before it is sent.
		const files = headerFilesOf(item, async (_context, kind, field) => {
			const { name } = await openForSending(context, field, kind);
			return { link: null, filename: name };
		});
		components ??= await componentsOf(given.variables, files);
	} catch (error) {
		errors.push(errorOfItem(item, error));
	}
	const isRefused = errors.length + missing.size > 0;
	const problems = errors.map(({ message }) => message);

	let text = '';
	if (body.template_name !== undefined && body.template_language !== undefined) {
		const found = await findTemplate(api, body.template_name, body.template_language);
		problems.push(...found.problems);
		const variables = replaced(given.variables, placeholdersOf);
		const filled = found.parts && fillTemplate(found.parts, variables, components ?? []);
		text = filled?.text ?? '';
		problems.push(...(filled?.problems ?? []), ...((!isRefused && filled?.unused) || []));
		for (const lacking of filled?.missing ?? []) missing.set(...lacking);
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
		json.request = { ...request, ...(placeholdersOf && { placeholders: placeholdersOf }) } as IDataObject;
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
