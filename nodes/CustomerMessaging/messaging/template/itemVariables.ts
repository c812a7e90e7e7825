import type { IDataObject } from 'n8n-workflow';

import type { ItemContext } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import type { Read } from '../../runner/operation';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { latitudeDegrees, longitudeDegrees } from '../../values/numbers';
import { objectsOf } from '../../values/json';
import { cut, isBlank, shown, text, stringOf } from '../../values/text';
import { buttonComponent, componentsOf } from './components';
import { headerMedia } from './headerMedia';
import { headerSlot, placeOf, problemOfNames, slotName, slotOfName, type SlotValue } from './slots';
import {
	bodyVariables,
	buttons,
	componentsJson,
	header,
	type templateVariableSettings,
	variables,
	variablesMode,
} from './variableFields';

type ReadVariables = Read<(typeof templateVariableSettings)[number]>;

const FORM = 'Template Variables';

const MAX_LABEL = 500;

/** Conversions of the values that are not plain text, by the name of the slot. */
const CONVERSIONS = new Map<string, Conversion<string>>([
	[slotName(headerSlot('location', 'latitude')), latitudeDegrees],
	[slotName(headerSlot('location', 'longitude')), longitudeDegrees],
]);

/** The fields that the editor has read from the template. The workflow stores them next to the values. */
const formFields = (context: ItemContext) => objectsOf(context.getNodeParameter('variables.schema', []));

/**
 * Takes the problem of a parameter. It fails the item, unless problems are collected.
 *
 * @param emptySlot name of the slot without a value, if that is the problem
 */
type Refuse = (label: string, problem: ValueProblem, emptySlot?: string) => void;

function labelOf(fields: IDataObject[], name: string): string {
	const given = fields.find(({ id }) => id === name)?.displayName;
	if (typeof given === 'string') return cut(given, MAX_LABEL);
	const slot = slotOfName(name);
	return cut(`${FORM} (${slot ? placeOf(slot) : shown(name)})`, MAX_LABEL);
}

/** Refuses a required variable without a value, by its sentence. */
function refuseMissing(fields: IDataObject[], { id, about }: IDataObject, refuse: Refuse): void {
	const label = labelOf(fields, stringOf(id));
	const remedy = `Fill in "${label}" of the ${FORM}. If the value comes from an expression, check that the item has that field.`;
	refuse(cut(stringOf(about ?? label), MAX_LABEL), new ValueProblem('is missing', remedy), stringOf(id));
}

/** Returns the names of the variables in the text of a part. */
function variablesIn(part: 'body' | 'header', names: Iterable<string>): string[] {
	const found: string[] = [];
	for (const name of names) {
		const slot = slotOfName(name);
		if (slot?.part === part && slot.kind === 'text') found.push(slot.index);
	}
	return found;
}

/**
 * Returns the values of the form. It refuses a required variable that is empty, an unusable value, and a numbered
 * variable that is missing before another.
 */
function formValues(fields: IDataObject[], given: IDataObject, refuse: Refuse): SlotValue[] {
	let isComplete = true;
	for (const field of fields) {
		if (field.isNeeded !== true || !isBlank(given[stringOf(field.id)])) continue;
		refuseMissing(fields, field, refuse);
		isComplete = false;
	}
	const values = new Map<string, SlotValue>();
	for (const [name, value] of Object.entries(given)) {
		const slot = slotOfName(name);
		if (!slot || isBlank(value)) continue;
		const ready = (CONVERSIONS.get(name) ?? text)(value);
		if (ready instanceof ValueProblem) refuse(labelOf(fields, name), ready);
		else values.set(name, { slot, value: ready });
	}
	const expected = fields.length > 0 ? fields.map(({ id }) => stringOf(id)) : undefined;
	for (const part of isComplete ? (['header', 'body'] as const) : []) {
		const problem = problemOfNames(variablesIn(part, values.keys()), expected && variablesIn(part, expected));
		if (problem) refuse(FORM, problem);
	}
	return [...values.values()];
}

/** What an item gives for the variables of a template. */
type GivenVariables =
	| { components: IDataObject[] }
	| { values: SlotValue[]; labelOf: Parameters<typeof headerMedia>[1] };

/**
 * Returns what the current item gives for the variables of its template.
 *
 * @param own value that the operation gives by itself; JSON components do not have it
 */
export function givenVariables(
	context: ItemContext,
	read: ReadVariables,
	refuse: Refuse,
	own?: SlotValue,
): GivenVariables {
	const mode = read(variablesMode);
	if (mode === 'json') return { components: read(componentsJson) };
	const ownName = own && slotName(own.slot);
	if (mode === 'components') {
		const built = [...read(header), ...read(bodyVariables), ...read(buttons)];
		const values = own ? [...built.filter(({ slot }) => slotName(slot) !== ownName), own] : built;
		return { values, labelOf: () => 'Header (File)' };
	}
	const fields = formFields(context);
	const given = own ? { ...read(variables), [slotName(own.slot)]: own.value } : read(variables);
	return {
		values: formValues(fields, given, refuse),
		labelOf: (kind) => labelOf(fields, slotName(headerSlot(kind))),
	};
}

/** The button that a component is for; undefined for another component. */
const buttonOf = ({ type, index }: IDataObject) =>
	stringOf(type).toLowerCase() === 'button' ? stringOf(index) : undefined;

/**
 * Makes the components of the current item's template message, in the chat-app provider's format.
 *
 * @param own value of a button that the operation gives by itself, which wins over that of the user
 * @returns an empty list when there are no variables
 * @throws NodeOperationError that names the variable or the file
 */
export async function componentsOfItem(
	context: ItemContext,
	read: ReadVariables,
	own?: SlotValue,
): Promise<IDataObject[]> {
	const refuse: Refuse = (label, problem) => {
		throw fieldError(context, label, problem);
	};
	const given = givenVariables(context, read, refuse, own);
	if ('values' in given) return await componentsOf(given.values, headerMedia(context, given.labelOf));
	if (!own) return given.components;
	const kept = given.components.filter((one) => buttonOf(one) !== own.slot.index);
	return [...kept, ...buttonComponent(own)];
}
