import type { IDataObject } from 'n8n-workflow';

/** The values of a template's variables by their IDs, see `TemplateVariable`. */
export type VariableValues = Record<string, unknown>;

/** The file of a header. */
export interface HeaderMedia {
	link: string;
	filename?: string;
}

/** Returns the address of a header's file for the value that the user entered. */
export type MediaResolver = (kind: 'document' | 'image' | 'video', value: string) => Promise<HeaderMedia>;

/** Makes a text parameter. A named variable includes its name; a numbered variable does not. */
function textParameter(name: string, text: string): IDataObject {
	return { type: 'text', ...(!/^\d+$/.test(name) && { parameter_name: name }), text };
}

const byPlace = ([a]: [string, unknown], [b]: [string, unknown]) => (Number(a) || 0) - (Number(b) || 0);

/** Makes the text parameters of one part, with numbered variables in order. */
function textParameters(filled: Array<[string, string]>, prefix: string): IDataObject[] {
	return filled
		.filter(([id]) => id.startsWith(prefix))
		.map(([id, text]): [string, string] => [id.slice(prefix.length), text])
		.sort(byPlace)
		.map(([name, text]) => textParameter(name, text));
}

async function headerParameters(
	filled: Array<[string, string]>,
	media: MediaResolver,
): Promise<IDataObject[]> {
	const values = Object.fromEntries(filled);
	for (const kind of ['image', 'video', 'document'] as const) {
		const value = values[`header_${kind}`];
		if (value === undefined) continue;
		const { link, filename } = await media(kind, value);
		const shown = kind === 'document' ? (values.header_document_filename ?? filename) : undefined;
		return [{ type: kind, [kind]: { link, ...(shown !== undefined && { filename: shown }) } }];
	}
	const prefix = 'header_location_';
	const location = Object.fromEntries(
		filled.filter(([id]) => id.startsWith(prefix)).map(([id, value]) => [id.slice(prefix.length), value]),
	);
	if (Object.keys(location).length > 0) return [{ type: 'location', location }];
	return textParameters(filled, 'header_text_');
}

/** Makes the parameter of a button, by kind of button. */
const BUTTON_PARAMETERS: Record<string, (value: string) => IDataObject> = {
	copy_code: (value) => ({ type: 'coupon_code', coupon_code: value }),
	flow: (value) => ({ type: 'action', action: { flow_token: value } }),
	quick_reply: (value) => ({ type: 'payload', payload: value }),
	url: (value) => ({ type: 'text', text: value }),
};

function buttonComponents(filled: Array<[string, string]>): IDataObject[] {
	return filled
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
	const filled = Object.entries(values)
		.filter(([, value]) => value !== undefined && value !== null && value !== '')
		.map(([id, value]): [string, string] => [id, String(value)]);
	const header = await headerParameters(filled, media);
	const body = textParameters(filled, 'body_');
	return [
		...(header.length > 0 ? [{ type: 'header', parameters: header }] : []),
		...(body.length > 0 ? [{ type: 'body', parameters: body }] : []),
		...buttonComponents(filled),
	];
}
