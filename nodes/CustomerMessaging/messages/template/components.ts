import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsOf, ownMember } from '../../values/json';
import { stringOf } from '../../values/text';
import {
	bodySlot,
	BUTTON_VALUES,
	headerSlot,
	isButtonKind,
	isMediaKind,
	isNumbered,
	MEDIA_KINDS,
	type MediaKind,
	type Slot,
	type SlotValue,
} from './slots';

// The components of a template message in the chat-app provider's format, made from the values of slots, and read back.

/** The file of a header. Its address is `null` in a preview, before the upload. */
interface HeaderMedia {
	link: string | null;
	filename?: string;
}

export type MediaResolver = (kind: MediaKind, value: string) => Promise<HeaderMedia>;

const PARTS = ['header', 'body', 'button'];

const byNumber = (one: SlotValue, other: SlotValue) =>
	(Number(one.slot.index) || 0) - (Number(other.slot.index) || 0);

/** A named variable includes its name; the chat app knows a numbered one by its place. */
const textParameter = ({ slot: { index }, value }: SlotValue): IDataObject => ({
	type: 'text',
	...(!isNumbered(index) && { parameter_name: index }),
	text: value,
});

async function headerParameters(values: SlotValue[], media: MediaResolver): Promise<IDataObject[]> {
	for (const kind of MEDIA_KINDS) {
		const valueOf = (index: string) =>
			values.find(({ slot }) => slot.kind === kind && slot.index === index)?.value;
		const file = valueOf('');
		if (file === undefined) continue;
		const { link, filename } = await media(kind, file);
		const named = kind === 'document' ? (valueOf('filename') ?? filename) : undefined;
		return [{ type: kind, [kind]: { link, ...(named !== undefined && { filename: named }) } }];
	}
	const location = values.filter(({ slot }) => slot.kind === 'location');
	return location.length > 0
		? [
				{
					type: 'location',
					location: Object.fromEntries(location.map(({ slot, value }) => [slot.index, value])),
				},
			]
		: values.filter(({ slot }) => slot.kind === 'text').map(textParameter);
}

export function buttonComponent({ slot: { kind, index }, value }: SlotValue): IDataObject[] {
	if (!isButtonKind(kind)) return [];
	const { type, within } = BUTTON_VALUES[kind];
	const parameter = { type, [type]: within === undefined ? value : { [within]: value } };
	return [{ type: 'button', sub_type: kind, index, parameters: [parameter] }];
}

/** Makes the components of a template message from the values of its slots. It leaves out empty values. */
export async function componentsOf(
	values: readonly SlotValue[],
	media: MediaResolver,
): Promise<IDataObject[]> {
	const given = values.filter(({ value }) => value !== '').sort(byNumber);
	const [header, body, buttons] = PARTS.map((part) => given.filter(({ slot }) => slot.part === part));
	const parameters = header.length > 0 ? await headerParameters(header, media) : [];
	return [
		...(parameters.length > 0 ? [{ type: 'header', parameters }] : []),
		...(body.length > 0 ? [{ type: 'body', parameters: body.map(textParameter) }] : []),
		...buttons.flatMap(buttonComponent),
	];
}

function textOf(parameter: IDataObject): unknown {
	if (typeof parameter.text === 'string') return parameter.text;
	return ownMember(parameter[stringOf(parameter.type)], 'fallback_value');
}

const lower = (value: unknown) => stringOf(value).toLowerCase();

function* valuesOfComponent(component: IDataObject): Generator<[slot: Slot, value: unknown]> {
	const part = lower(component.type);
	for (const [place, parameter] of objectsOf(component.parameters).entries()) {
		const type = lower(parameter.type);
		const name = stringOf(parameter.parameter_name ?? place + 1);
		const value = parameter[type];
		if (part === 'button') {
			const kind = Object.keys(BUTTON_VALUES)
				.filter(isButtonKind)
				.find((one) => BUTTON_VALUES[one].type === type);
			if (kind === undefined) continue;
			const { within } = BUTTON_VALUES[kind];
			const given = within === undefined ? value : ownMember(value, within);
			yield [{ part, kind, index: stringOf(component.index) }, given];
		} else if (part === 'body') yield [bodySlot(name), textOf(parameter)];
		else if (isMediaKind(type)) {
			yield [headerSlot(type), ownMember(value, 'link')];
			for (const member of ['id', 'filename']) yield [headerSlot(type, member), ownMember(value, member)];
		} else if (type === 'location') {
			for (const [member, given] of Object.entries(isObject(value) ? value : {}))
				yield [headerSlot(type, member), typeof given === 'number' ? String(given) : given];
		} else yield [headerSlot('text', name), textOf(parameter)];
	}
}

/** Returns the values that components hold, and the types of those without slots: the reverse of `componentsOf`. */
export function valuesIn(components: IDataObject[]): { values: SlotValue[]; others: string[] } {
	const values: SlotValue[] = [];
	const others: string[] = [];
	for (const component of components) {
		if (!PARTS.includes(lower(component.type))) {
			others.push(lower(component.type));
			continue;
		}
		for (const [slot, value] of valuesOfComponent(component))
			if (typeof value === 'string') values.push({ slot, value });
	}
	return { values, others };
}
