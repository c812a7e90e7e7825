import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, ownMember } from '../values/json';
import { isNumbered } from './variableNames';

/** The texts of a template's variables by their IDs, see `TemplateVariable`. An empty text is no value. */
export type VariableValues = Record<string, string>;

/** The file of a header. Its address is `null` in a preview, before the upload. */
interface HeaderMedia {
	link: string | null;
	filename?: string;
}

/** Returns the address of a header's file for the value that the user entered. */
export type MediaResolver = (kind: MediaKind, value: string) => Promise<HeaderMedia>;

/** The kinds of files in a header. */
export const MEDIA_KINDS = ['image', 'video', 'document'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

/** Makes a text parameter. A named variable includes its name; a numbered variable does not. */
function textParameter(name: string, text: string): IDataObject {
	return { type: 'text', ...(!isNumbered(name) && { parameter_name: name }), text };
}

/**
 * Returns the names of the variables in one part of the template.
 *
 * @param ids IDs of variables
 * @param prefix beginning of the IDs of that part
 */
export function namesIn(ids: string[], prefix: string): string[] {
	return ids.flatMap((id) => (id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
}

const byPlace = (a: string, b: string) => (Number(a) || 0) - (Number(b) || 0);

/** Makes the text parameters of one part, with numbered variables in order. */
function textParameters(values: VariableValues, prefix: string): IDataObject[] {
	return namesIn(Object.keys(values), prefix)
		.sort(byPlace)
		.map((name) => textParameter(name, values[prefix + name]));
}

async function headerParameters(values: VariableValues, media: MediaResolver): Promise<IDataObject[]> {
	for (const kind of MEDIA_KINDS) {
		const id = `header_${kind}`;
		if (!(id in values)) continue;
		const { link, filename } = await media(kind, values[id]);
		const { header_document_filename: typedName = filename } = values;
		const shown = kind === 'document' ? typedName : undefined;
		return [{ type: kind, [kind]: { link, ...(shown !== undefined && { filename: shown }) } }];
	}
	const prefix = 'header_location_';
	const location = Object.fromEntries(
		namesIn(Object.keys(values), prefix).map((name) => [name, values[prefix + name]]),
	);
	if (Object.keys(location).length > 0) return [{ type: 'location', location }];
	return textParameters(values, 'header_text_');
}

/** Makes the parameter of a button, by kind of button. */
const BUTTON_PARAMETERS: Record<string, (value: string) => IDataObject> = {
	copy_code: (value) => ({ type: 'coupon_code', coupon_code: value }),
	flow: (value) => ({ type: 'action', action: { flow_token: value } }),
	quick_reply: (value) => ({ type: 'payload', payload: value }),
	url: (value) => ({ type: 'text', text: value }),
};

function buttonComponents(values: VariableValues): IDataObject[] {
	return Object.entries(values)
		.flatMap(([id, value]) => {
			const [, index, kind] = /^button_(\d+)_(\w+)$/.exec(id) ?? [];
			const parameter = kind && BUTTON_PARAMETERS[kind]?.(value);
			return parameter ? [{ type: 'button', sub_type: kind, index, parameters: [parameter] }] : [];
		})
		.sort((a, b) => Number(a.index) - Number(b.index));
}

/**
 * Makes the components of a template message in the chat-app provider's format, from the values of its variables. It
 * leaves out empty values.
 *
 * @param media returns the address of a header's file
 */
export async function componentsOf(values: VariableValues, media: MediaResolver): Promise<IDataObject[]> {
	const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
	const header = await headerParameters(filled, media);
	const body = textParameters(filled, 'body_');
	return [
		...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
		...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
		...buttonComponents(filled),
	];
}

/** The parameters of a component that have a value to show, by their type, with the kind of button that takes it. */
const BUTTON_VALUES: Partial<Record<string, (parameter: IDataObject) => [kind: string, value: unknown]>> = {
	coupon_code: ({ coupon_code }) => ['copy_code', coupon_code],
	action: ({ action }) => ['flow', ownMember(action, 'flow_token')],
	payload: ({ payload }) => ['quick_reply', payload],
	text: ({ text }) => ['url', text],
};

/** Returns the text of a text parameter. Currencies and dates carry theirs as a fallback. */
function textOf(parameter: IDataObject): unknown {
	if (typeof parameter.text === 'string') return parameter.text;
	return ownMember(parameter[String(parameter.type)], 'fallback_value');
}

const lower = (value: unknown) => String(value ?? '').toLowerCase();

/** Yields the values of one component by the IDs of their variables, see `TemplateVariable`. */
function* valuesOfComponent(component: IDataObject): Generator<[id: string, value: unknown]> {
	const type = lower(component.type);
	const parameters = objectsOf(component.parameters);
	for (const [index, parameter] of parameters.entries()) {
		const kind = lower(parameter.type);
		const name = String(parameter.parameter_name ?? index + 1);
		const value = parameter[kind];
		if (type === 'button') {
			const [of, given] = BUTTON_VALUES[kind]?.(parameter) ?? [kind, undefined];
			yield [`button_${String(component.index)}_${of}`, given];
		} else if (type === 'body') yield [`body_${name}`, textOf(parameter)];
		else if (MEDIA_KINDS.some((one) => one === kind)) {
			yield [`header_${kind}`, ownMember(value, 'link')];
			yield [`header_${kind}_id`, ownMember(value, 'id')];
			yield [`header_${kind}_filename`, ownMember(value, 'filename')];
		} else if (kind === 'location') {
			for (const [member, given] of Object.entries(isObject(value) ? value : {}))
				yield [`header_location_${member}`, typeof given === 'number' ? String(given) : given];
		} else yield [`header_text_${name}`, textOf(parameter)];
	}
}

/** The components whose values have IDs. */
const KNOWN = ['body', 'button', 'header'];

/**
 * Returns the values that components hold: the reverse of `componentsOf`.
 *
 * @returns also the types of the components that have no such values
 */
export function valuesIn(components: IDataObject[]): { values: Map<string, string>; others: string[] } {
	const values = new Map<string, string>();
	const others: string[] = [];
	for (const component of components) {
		if (!KNOWN.includes(lower(component.type))) others.push(lower(component.type));
		else
			for (const [id, value] of valuesOfComponent(component))
				if (typeof value === 'string') values.set(id, value);
	}
	return { values, others };
}
