import type { IDataObject } from 'n8n-workflow';

import { isNumbered } from './variableNames';

/** The texts of a template's variables by their IDs, see `TemplateVariable`. An empty text is no value. */
export type VariableValues = Record<string, string>;

/** The file of a header. */
interface HeaderMedia {
	link: string;
	filename?: string;
}

/** Returns the address of a header's file for the value that the user entered. */
export type MediaResolver = (kind: 'document' | 'image' | 'video', value: string) => Promise<HeaderMedia>;

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
	for (const kind of ['image', 'video', 'document'] as const) {
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
