import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import { requiredMember, uploadForSending } from '../../files/upload';
import type { ItemContext } from '../../core/field';
import { fieldError } from '../../core/fieldError';
import type { Item } from '../../core/item';
import { readRecord } from '../../api/records';
import { InvalidValue, type Parse } from '../../values/parse';
import { latitudeDegrees, longitudeDegrees } from '../../values/numbers';
import { objectsOf } from '../../values/json';
import { isBlank, quote, text, stringOf } from '../../values/text';
import {
	bodyVariables,
	buttons,
	componentsJson,
	header,
	headerFile,
	variables as formOfVariables,
	type VariableSetting,
	variablesMode,
} from './variableFields';
import {
	buttonComponent,
	checkVariableNames,
	type HeaderMedia,
	type MediaKind,
	type MediaResolver,
	placeOf,
	REFUSED_TEXT,
	refusedText,
	VARIABLE,
	type VariableEntry,
	variablesIn,
	variablesOf,
} from './variables';

type VariablesItem = Item<VariableSetting>;

/** Notes what a parser has thrown. */
type Refuse = (label: string, thrown: unknown, missing?: [name: string, purpose: string]) => void;

/** What an item gives for the variables of its template. */
interface GivenVariables {
	variables: Map<string, string>;
	/** The components, if the user has entered them. Then they are sent as they are. */
	components?: IDataObject[];
	/** What keeps the message from being sent. One about a required variable without a value has its name and what it is for. */
	problems: Array<{ error: NodeOperationError; missing?: [name: string, purpose: string] }>;
}

const FORM = 'Template Variables';

const PARSERS: Partial<Record<string, Parse<string>>> = {
	header_location_latitude: latitudeDegrees,
	header_location_longitude: longitudeDegrees,
};

/** Names of variables that the chat app takes for words, which it checks. */
const WORDS = /^(?:body|header_text)_|^button_.*_url$/s;

function labelOf(fields: IDataObject[], name: string): string {
	const given = fields.find(({ id }) => id === name)?.displayName;
	if (typeof given === 'string') return given;
	return `${FORM} (${VARIABLE.test(name) ? placeOf(name) : quote(name)})`;
}

/** Returns the components of the user, with the operation's own value in place of theirs. */
function readComponents(item: VariablesItem, entry?: VariableEntry): IDataObject[] {
	const components = item.get(componentsJson);
	if (!entry) return components;
	const [name, value] = entry;
	const own = buttonComponent([name.slice('button_'.length), value]);
	const isOther = ({ type, index }: IDataObject) =>
		stringOf(type).toLowerCase() !== 'button' || stringOf(index) !== own.index;
	return [...components.filter(isOther), own];
}

/**
 * Returns what an item gives for the variables of its template, and what is missing or refused. Nothing else decides whether the
 * message can be sent, so that a preview tells the same.
 *
 * @param own value of a button that the operation gives by itself, which wins over that of the user
 */
export function readVariables(item: VariablesItem, own?: VariableEntry): GivenVariables {
	const problems: GivenVariables['problems'] = [];
	const refuse: Refuse = (label, thrown, missing) => {
		if (!(thrown instanceof InvalidValue)) throw thrown;
		problems.push({ error: fieldError(item.context, label, thrown), missing });
	};
	const mode = item.get(variablesMode);
	const components = mode === 'json' ? readComponents(item, own) : undefined;
	let variables: Map<string, string>;
	if (components) variables = variablesIn(components);
	else if (mode === 'form') variables = readForm(item, own, refuse);
	else variables = new Map([...item.get(header), ...item.get(bodyVariables), ...item.get(buttons)]);
	if (own) variables.set(...own);
	for (const [name, value] of variables)
		if (WORDS.test(name) && REFUSED_TEXT.test(value))
			refuse(`${variablesMode.parameter.displayName} (${placeOf(name)})`, refusedText());
	return { variables, components, problems };
}

/** Reads the form, whose fields the workflow stores next to their values. */
function readForm(item: VariablesItem, own: VariableEntry | undefined, refuse: Refuse): Map<string, string> {
	const { context } = item;
	const variables = new Map<string, string>();
	const [file] = objectsOf(context.getNodeParameter('templateText.schema', []));
	const fields = [...(file ? [file] : []), ...objectsOf(context.getNodeParameter('variables.schema', []))];
	const given: IDataObject = { ...item.get(formOfVariables) };
	const fileValue = file ? item.get(headerFile) : '';
	if (fileValue !== '') given[stringOf(file.id)] = fileValue;
	if (own) given[own[0]] = own[1];
	let isComplete = true;
	for (const { id, isNeeded, about } of fields) {
		const name = stringOf(id);
		if (isNeeded !== true || !isBlank(given[name])) continue;
		isComplete = false;
		const label = labelOf(fields, name);
		const remedy = `Fill in "${label}". If the value comes from an expression, check that the item has that field.`;
		const what = stringOf(about ?? label);
		refuse(what, new InvalidValue('is missing', remedy), [name, what]);
	}
	for (const [name, value] of Object.entries(given))
		try {
			if (VARIABLE.test(name) && !isBlank(value)) variables.set(name, (PARSERS[name] ?? text)(value));
		} catch (thrown) {
			refuse(labelOf(fields, name), thrown);
		}
	// Where a required one is missing, the numbers have a gap anyway.
	for (const part of isComplete ? ['header_text_', 'body_'] : [])
		try {
			checkVariableNames([...variablesOf(part, variables).keys()]);
		} catch (thrown) {
			refuse(FORM, thrown);
		}
	return variables;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Uploads a binary field as public, because the chat app has to open it. */
async function uploadHeader(context: ItemContext, kind: MediaKind, fieldName: string): Promise<HeaderMedia> {
	const file = await uploadForSending(context, fieldName, { type: kind, public: 1 });
	const link = requiredMember(context, file, 'url');
	return { link, ...(typeof file.name === 'string' && { filename: file.name }) };
}

/**
 * Makes what returns the address of a header's file: a URL, the temporary URL of an uploaded file, or that of a binary field. It
 * throws NodeOperationError when the value is none of these, or the tenant does not allow the file.
 *
 * @param upload puts a binary field where the chat app finds it
 */
export const headerFilesOf =
	(item: VariablesItem, upload = uploadHeader): MediaResolver =>
	async (kind, value) => {
		const { context } = item;
		const typed = value.trim();
		if (/^https?:\/\/[^\s/]/i.test(typed)) return { link: typed };
		if (UUID.test(typed)) {
			const file = await readRecord(context.api, 'GET /files/{uuid}/temporary-url', { uuid: typed });
			return { link: requiredMember(context, file, 'url') };
		}
		if (Object.hasOwn(context.getInputData().binary ?? {}, typed)) return await upload(context, kind, typed);
		const label = item.get(variablesMode) === 'form' ? headerFile.parameter.displayName : 'Header (File)';
		const invalid = new InvalidValue(
			`"${quote(typed)}" is not a file`,
			'Enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field of the input item.',
		);
		throw fieldError(context, label, invalid);
	};
