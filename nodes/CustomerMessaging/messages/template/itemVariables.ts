import type { IDataObject } from 'n8n-workflow';

import { requiredMember, uploadForSending } from '../../files/upload';
import type { ItemContext } from '../../core/field';
import { fieldError } from '../../core/fieldError';
import type { Item } from '../../core/item';
import { readRecord } from '../../api/records';
import { InvalidValue, orInvalid, type Parse } from '../../values/parse';
import { latitudeDegrees, longitudeDegrees } from '../../values/numbers';
import { objectsOf } from '../../values/json';
import { isBlank, quote, text, stringOf } from '../../values/text';
import { buttonComponent, componentsOf, type MediaResolver, valuesIn } from './components';
import {
	checkVariableNames,
	checkVariableText,
	placeOf,
	slotName,
	slotOfName,
	type SlotValue,
} from './slots';
import {
	bodyVariables,
	buttons,
	componentsJson,
	header,
	headerFile,
	variables,
	type VariableSetting,
	variablesMode,
} from './variableFields';

type VariablesItem = Item<VariableSetting>;

const FORM = 'Template Variables';

const PARSERS: Partial<Record<string, Parse<string>>> = {
	header_location_latitude: latitudeDegrees,
	header_location_longitude: longitudeDegrees,
};

/** Takes what is wrong with a parameter, with the name of the slot if it has no value. It fails the item or collects. */
type Refuse = (label: string, invalid: InvalidValue, emptySlot?: string) => void;

function labelOf(fields: IDataObject[], name: string): string {
	const given = fields.find(({ id }) => id === name)?.displayName;
	if (typeof given === 'string') return given;
	const slot = slotOfName(name);
	return `${FORM} (${slot ? placeOf(slot) : quote(name)})`;
}

function refuseMissing(fields: IDataObject[], { id, about }: IDataObject, refuse: Refuse): void {
	const label = labelOf(fields, stringOf(id));
	const remedy = `Fill in "${label}". If the value comes from an expression, check that the item has that field.`;
	refuse(stringOf(about ?? label), new InvalidValue('is missing', remedy), stringOf(id));
}

/**
 * Returns the values of the form. It refuses a missing or unusable one.
 *
 * @param fields those of the template, which the workflow stores next to the values
 */
function formValues(fields: IDataObject[], given: IDataObject, refuse: Refuse): SlotValue[] {
	const missing = fields.filter(({ id, isNeeded }) => isNeeded === true && isBlank(given[stringOf(id)]));
	for (const field of missing) refuseMissing(fields, field, refuse);
	const values: SlotValue[] = [];
	for (const [name, value] of Object.entries(given)) {
		const slot = slotOfName(name);
		if (!slot || isBlank(value)) continue;
		const ready = orInvalid(() => (PARSERS[name] ?? text)(value));
		if (ready instanceof InvalidValue) refuse(labelOf(fields, name), ready);
		else values.push({ slot, value: ready });
	}
	if (missing.length > 0) return values;
	for (const part of ['header', 'body']) {
		const names = values.flatMap(({ slot }) =>
			slot.part === part && slot.kind === 'text' ? slot.index : [],
		);
		const invalid = orInvalid(() => checkVariableNames(names));
		if (invalid) refuse(FORM, invalid);
	}
	return values;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makes the function that returns the address of a header's file: a URL, the temporary URL of an uploaded file, or that
 * of a binary field, uploaded as public because the chat app has to open it.
 *
 * @throws NodeOperationError when the value is none of these, or the tenant does not allow the file
 */
export function headerMedia(
	context: ItemContext,
	label: string,
	fromField: MediaResolver = async (kind, fieldName) => {
		const file = await uploadForSending(context, fieldName, { type: kind, public: 1 });
		const link = requiredMember(context, file, 'url');
		return { link, ...(typeof file.name === 'string' && { filename: file.name }) };
	},
): MediaResolver {
	return async (kind, value) => {
		const typed = value.trim();
		if (/^https?:\/\/[^\s/]/i.test(typed)) return { link: typed };
		if (UUID.test(typed)) {
			const file = await readRecord(context.api, 'GET /files/{uuid}/temporary-url', {
				path: { uuid: typed },
			});
			return { link: requiredMember(context, file, 'url') };
		}
		if (!Object.hasOwn(context.getInputData().binary ?? {}, typed)) {
			const invalid = new InvalidValue(
				`"${quote(typed)}" is not a file`,
				'Enter a URL that anyone can open, the UUID of an uploaded file, or the name of a binary field of the input item.',
			);
			throw fieldError(context, label, invalid);
		}
		return await fromField(kind, typed);
	};
}

type GivenVariables = { components: IDataObject[] } | { values: SlotValue[]; fileLabel: string };

function readVariables(item: VariablesItem, refuse: Refuse, own?: SlotValue): GivenVariables {
	const mode = item.get(variablesMode);
	if (mode === 'json') return { components: item.get(componentsJson) };
	const ownName = own && slotName(own.slot);
	if (mode === 'components') {
		const built = [...item.get(header), ...item.get(bodyVariables), ...item.get(buttons)];
		const values = own ? [...built.filter(({ slot }) => slotName(slot) !== ownName), own] : built;
		return { values, fileLabel: 'Header (File)' };
	}
	const [files, others] = ['templateText', 'variables'].map((name) =>
		objectsOf(item.context.getNodeParameter(`${name}.schema`, [])),
	);
	const file = files.length > 0 ? item.get(headerFile) : '';
	const given = {
		...item.get(variables),
		...(file !== '' && { [stringOf(files[0].id)]: file }),
		...(ownName && { [ownName]: own.value }),
	};
	return {
		values: formValues([...files, ...others], given, refuse),
		fileLabel: headerFile.parameter.displayName,
	};
}

/** Returns what the item gives for the variables of its template. JSON components do not have the operation's own value. */
export function givenVariables(...[item, refuse, own]: Parameters<typeof readVariables>): GivenVariables {
	const given = readVariables(item, refuse, own);
	for (const { slot, value } of 'values' in given ? given.values : valuesIn(given.components).values) {
		const isText = slot.kind === 'text' || slot.kind === 'url';
		const invalid = isText ? orInvalid(() => checkVariableText(value)) : undefined;
		if (invalid) refuse(`${variablesMode.parameter.displayName} (${placeOf(slot)})`, invalid);
	}
	return given;
}

/**
 * Makes the components of the item's template message, in the chat-app provider's format.
 *
 * @param own value of a button that the operation gives by itself, which wins over that of the user
 * @throws NodeOperationError that names the variable or the file
 */
export async function componentsOfItem(item: VariablesItem, own?: SlotValue): Promise<IDataObject[]> {
	const { context } = item;
	const refuse: Refuse = (label, invalid) => {
		throw fieldError(context, label, invalid);
	};
	const given = givenVariables(item, refuse, own);
	if ('values' in given) return await componentsOf(given.values, headerMedia(context, given.fileLabel));
	if (!own) return given.components;
	const isOther = ({ type, index }: IDataObject) =>
		stringOf(type).toLowerCase() !== 'button' || stringOf(index) !== own.slot.index;
	return [...given.components.filter(isOther), ...buttonComponent(own)];
}
