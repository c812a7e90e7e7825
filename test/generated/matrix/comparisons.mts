import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { NodeRunOptions } from '../../engine/engine.mts';
import { type Circumstance, CIRCUMSTANCES } from './circumstances.mts';
import type { ContractTenant } from './contractTenant.mts';
import { baseParameters, itemOf, type Values } from './exchange.mts';
import { kindOf, modeSamples, samplesOf } from './kinds.mts';
import {
	choicesOf,
	matrixOperations,
	nameOf,
	type ShownOperation,
	type ShownParameter,
	shownParameters,
} from './shownParameters.mts';

/** One parameter in one place, with the values that have to make a difference. */
export interface Comparison {
	name: string;
	operation: ShownOperation;
	shown: ShownParameter[];
	parameter: ShownParameter;
	values: unknown[];
	way: Values;
	circumstance?: Circumstance;
	/** Mode of a locator. */
	mode?: string;
	/** The value comes from the item's field of that name. */
	fromInput?: true;
}

/** Whether an entry of a table is about a parameter of an operation. */
export const holdsFor =
	(operation: ShownOperation, { path }: ShownParameter) =>
	<T extends { parameter: string; operations?: string[] }>(entry: T) =>
		entry.parameter === path && (entry.operations?.includes(nameOf(operation)) ?? true);

/** All comparisons that a parameter asks for: every choice, every mode, every way in which it is shown. */
function comparisonsOf(
	operation: ShownOperation,
	shown: ShownParameter[],
	parameter: ShownParameter,
): Comparison[] {
	const circumstance = CIRCUMSTANCES.find(holdsFor(operation, parameter));
	const choices = choicesOf(parameter.property);
	const ways = parameter.shownBy.map((way) => ({ ...way, ...circumstance?.with }));
	const isMapped = parameter.within.at(-1)?.typeOptions?.resourceMapper?.supportAutoMap === true;
	return ways.flatMap((way) => {
		const where = ways.length > 1 ? ` (${Object.values(way).join(', ')})` : '';
		const name = `${nameOf(operation)} ${parameter.path}${where}`;
		const common = { name, operation, shown, parameter, way, circumstance };
		if (parameter.property.type === 'resourceLocator') {
			return (parameter.property.modes ?? []).map(({ name: mode }) => ({
				...common,
				name: `${name} (mode ${mode})`,
				mode,
				values: modeSamples(parameter, mode),
			}));
		}
		const values = circumstance?.values ?? (choices.length > 0 ? choices : samplesOf(parameter));
		const plain: Comparison = { ...common, values };
		return isMapped ? [plain, { ...plain, name: `${name} (from the input)`, fromInput: true }] : [plain];
	});
}

/** What the node is given, to look at one of the values. */
export function runOf(
	comparison: Comparison,
	value: unknown,
): { parameters: INodeParameters; items: INodeExecutionData[]; options: Partial<NodeRunOptions> } {
	const { operation, shown, parameter, way, circumstance = {} as Circumstance, mode, fromInput } = comparison;
	const parameters = baseParameters(operation, shown, parameter, value, way);
	parameters.put(parameter, value, mode);
	if (circumstance.eachItsOwn) {
		for (const other of shown) {
			if (other.property.required && other.within.length === 0 && kindOf(other) === 'integer id')
				parameters.put(other, '={{ $json.id }}');
		}
	}
	let items = (circumstance.items ?? [{}]).map(itemOf);
	if (fromInput) {
		const mapping = parameters.values[parameter.within[0].name] as IDataObject;
		items = [itemOf(mapping.value as IDataObject)];
		Object.assign(mapping, { mappingMode: 'autoMapInputData', value: null });
	}
	const { sourceType } = circumstance;
	return {
		...{ parameters: parameters.values, items },
		options: { ...(sourceType && { sourceType }) },
	};
}

/** All comparisons that the description of the node asks for, with its operations and parameters. */
export async function allComparisons(tenant: ContractTenant) {
	const operations = await matrixOperations();
	const parameters: Array<[ShownOperation, ShownParameter]> = [];
	const comparisons: Comparison[] = [];
	for (const operation of operations) {
		const shown = await shownParameters(tenant, operation);
		for (const parameter of shown) {
			parameters.push([operation, parameter]);
			if (kindOf(parameter) === 'notice') continue;
			comparisons.push(...comparisonsOf(operation, shown, parameter));
		}
	}
	return { operations, parameters, comparisons };
}
