import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';

import { nodeDescription } from './nodeDescription.mts';

type Option = INodeProperties | INodePropertyCollection | INodePropertyOptions;

const membersOf = (one: Option): Option[] =>
	'values' in one ? one.values : 'options' in one ? (one.options ?? []) : [];

/** The operation of which a label is wanted, where operations call something differently. */
interface Of {
	resource?: string;
	operation?: string;
}

/** All parameters, groups or options with this path of stored names. */
async function foundAt(path: string, of: Of): Promise<Option[]> {
	const { properties } = await nodeDescription();
	const isOf = ({ displayOptions }: INodeProperties) =>
		Object.entries(of).every(([name, value]) => displayOptions?.show?.[name]?.includes(value) ?? true);
	return path
		.split('.')
		.reduce<
			Option[]
		>((found, name, depth) => (depth === 0 ? found : found.flatMap(membersOf)).filter((one) => ('value' in one ? one.value : one.name) === name), properties.filter(isOf));
}

/** The only one of these texts. */
function only(texts: string[], what: string): string {
	const [text, ...others] = new Set(texts);
	if (text === undefined || others.length > 0)
		throw new Error(`${what}: ${[text, ...others].join(', ') || 'there is none'}`);
	return text;
}

/** The label of a parameter, by its stored name, such as `options.sendOnce`. Labels may change, stored names may not. */
export async function labelOf(path: string, of: Of = {}): Promise<string> {
	const found = await foundAt(path, of);
	return only(
		found.flatMap((one) => ('displayName' in one ? one.displayName : [])),
		`the label of ${path}`,
	);
}

/** The label of a choice of a parameter, by its stored value. */
export async function optionLabel(path: string, value: string, of: Of = {}): Promise<string> {
	const choices = (await foundAt(path, of)).flatMap(membersOf) as INodePropertyOptions[];
	return only(
		choices.flatMap((choice) => (choice.value === value ? choice.name : [])),
		`the label of ${value} in ${path}`,
	);
}

/** The numbers that the description of a parameter, or of one of its choices, tells, such as 1000 for "1,000". */
export async function numbersTold(path: string, of: Of = {}): Promise<number[]> {
	const texts = (await foundAt(path, of)).flatMap((one) =>
		'description' in one ? (one.description ?? []) : [],
	);
	const text = only(texts, `the description of ${path}`);
	return [...text.matchAll(/\d[\d,.]*\d|\d/g)].map(([number]) => Number(number.replaceAll(',', '')));
}
