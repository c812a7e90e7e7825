import type { INodeParameters, INodeProperties, INodePropertyCollection } from 'n8n-workflow';

/** Values of a parameter, each as the parameters with which the node has it. */
export interface Choices {
	/** Name of the parameter in the editor, and of the collection around it. */
	label: string;
	name: string;
	values: Array<{ value: unknown; parameters: INodeParameters }>;
}

type Member = NonNullable<INodeProperties['options']>[number];

const isProperty = (member: Member): member is INodeProperties => 'type' in member;
const isGroup = (member: Member): member is INodePropertyCollection => 'values' in member;

/**
 * Returns what a trigger can be set to: the choices of each list and switch, and each other parameter without a value and
 * with a given one.
 *
 * @param given values by the name of the parameter
 * @param file where the values are given
 * @throws Error when no value is given for a parameter
 */
export function choicesOf(
	properties: INodeProperties[],
	given: Record<string, unknown>,
	file: string,
): Choices[] {
	return properties.flatMap(({ displayName, name, type, options = [] }): Choices[] => {
		if (type === 'notice' || type === 'hidden') return [];
		if (type === 'collection') {
			const inside = choicesOf(options.filter(isProperty), given, file);
			return inside.map((one) => ({
				...one,
				label: `${displayName}: ${one.label}`,
				values: one.values.map(({ value, parameters }) => ({ value, parameters: { [name]: parameters } })),
			}));
		}
		const of = (value: unknown) => ({
			value,
			parameters: (value === undefined ? {} : { [name]: value }) as INodeParameters,
		});
		const fixed = options.flatMap((option) => ('value' in option ? [of(option.value)] : []));
		if (fixed.length > 0) return [{ label: displayName, name, values: fixed }];
		if (type === 'boolean') return [{ label: displayName, name, values: [of(true), of(false)] }];
		if (!(name in given))
			throw new Error(`Give the parameter "${displayName}" a value in ${file} that changes something`);
		return [{ label: displayName, name, values: [of(undefined), of(given[name])] }];
	});
}

/** Returns a sentence for each value with which a trigger does the same as with one before it. */
export async function withoutEffect(
	{ label, values }: Choices,
	outcomeOf: (parameters: INodeParameters) => Promise<unknown>,
	file: string,
): Promise<string[]> {
	const seen = new Map<string, unknown>();
	const sentences: string[] = [];
	for (const { value, parameters } of values) {
		const outcome = JSON.stringify(await outcomeOf(parameters));
		const [written, before] = [value, seen.get(outcome)].map((one) => JSON.stringify(one) ?? 'no value');
		if (seen.has(outcome))
			sentences.push(
				`"${label}" does the same with ${written} as with ${before}: add to ${file} what it changes`,
			);
		else seen.set(outcome, value);
	}
	return sentences;
}

/** Returns the descriptions that two parameters of one list or collection share. */
export function sharedDescriptions(members: Member[]): string[] {
	const own = members.map((member) => ('description' in member ? member.description : undefined));
	const shared = own.filter((text, index) => text !== undefined && own.indexOf(text) < index) as string[];
	const inside = members.flatMap((member) =>
		sharedDescriptions(isGroup(member) ? member.values : isProperty(member) ? (member.options ?? []) : []),
	);
	return [...shared, ...inside];
}
