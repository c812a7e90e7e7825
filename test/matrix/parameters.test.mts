import type { IDataObject } from 'n8n-workflow';

import { expectOnlyOpenFailures } from '../openFailures/openFailures.mts';
import { type Circumstance, CIRCUMSTANCES, WITHOUT_EFFECT } from './circumstances.mts';
import { ContractTenant } from './contractTenant.mts';
import {
	baseParameters,
	type Exchange,
	exchange,
	inChunks,
	itemOf,
	noticed,
	type Values,
} from './exchange.mts';
import { kindOf, modeSamples, samplesOf } from './kinds.mts';
import {
	choicesOf,
	nameOf,
	nodeDescription,
	type ShownOperation,
	shownOperations,
	type ShownParameter,
	shownParameters,
} from './shownParameters.mts';

const tenant = ContractTenant.inThisFile();

/** One parameter in one place, with the values that have to make a difference. */
interface Comparison {
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

const holdsFor =
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

/** What the node does with one of the values. */
async function resultOf(comparison: Comparison, value: unknown): Promise<Exchange> {
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
	const { behaviour, settings, sourceType } = circumstance;
	const options = { ...(settings && { settings }), ...(sourceType && { sourceType }) };
	return await exchange(tenant, parameters.values, items, behaviour, options);
}

/** What a comparison shows. */
interface Finding {
	/** The values that do the same as one before them. */
	same: unknown[];
	/** Why a difference would say nothing. */
	problem?: string;
}

async function findingOf(comparison: Comparison): Promise<Finding> {
	const { values, circumstance } = comparison;
	const runs = await Promise.all(values.map(async (value) => await resultOf(comparison, value)));
	const results = runs.map((run) => noticed(run, circumstance?.pace));
	const same = values.filter((_, index) => results.indexOf(results[index]) < index);
	const mayAddMembers = kindOf(comparison.parameter) === 'JSON object';
	const against = runs
		.flatMap(({ requests }) => requests.flatMap(({ problems }) => problems))
		.filter((problem) => !mayAddMembers || !problem.endsWith('must NOT have additional properties'));
	const [first] = runs;
	const fails = runs.every(({ error }) => error !== undefined) && !circumstance?.behaviour;
	const problem = fails ? `fails with every value: ${first.error}` : against[0];
	return { same, ...(problem !== undefined && { problem }) };
}

describe('every parameter counts', () => {
	let operations: ShownOperation[] = [];
	const parameters: Array<[ShownOperation, ShownParameter]> = [];
	const comparisons: Comparison[] = [];

	beforeAll(async () => {
		operations = shownOperations(await nodeDescription());
		for (const operation of operations) {
			const shown = await shownParameters(tenant, operation);
			for (const parameter of shown) {
				parameters.push([operation, parameter]);
				if (kindOf(parameter) === 'notice') continue;
				comparisons.push(...comparisonsOf(operation, shown, parameter));
			}
		}
	}, 120_000);

	it('takes all operations and parameters from the description', () => {
		expect(operations.length).toBeGreaterThan(70);
		expect(new Set(operations.map(nameOf)).size).toBe(operations.length);
		const compared = new Set(
			comparisons.map(({ operation, parameter }) => `${nameOf(operation)} ${parameter.path}`),
		);
		const fillable = parameters.filter(([, parameter]) => kindOf(parameter) !== 'notice');
		expect(compared.size).toBe(fillable.length);
		expect(new Set(comparisons.map(({ name }) => name)).size).toBe(comparisons.length);
	});

	it('has no circumstance and no exception without a parameter', () => {
		const unused = [...CIRCUMSTANCES, ...WITHOUT_EFFECT].filter(
			(entry) => !parameters.some(([operation, parameter]) => holdsFor(operation, parameter)(entry)),
		);
		expect(unused.map(({ parameter }) => parameter)).toEqual([]);
	});

	it('a change of any of them changes a request or an item', async () => {
		const findings = await inChunks(comparisons, findingOf);
		// On a busy machine everything may look slow: what found no difference in the pace is looked at again, alone.
		for (const [index, comparison] of comparisons.entries()) {
			if (comparison.circumstance?.pace && findings[index].same.length > 0)
				findings[index] = await findingOf(comparison);
		}
		expect(findings).toHaveLength(comparisons.length);
		const found = new Map<string, string>();
		for (const [index, { name, operation, parameter, values, circumstance }] of comparisons.entries()) {
			const { same, problem } = findings[index];
			const isExcepted = WITHOUT_EFFECT.some(holdsFor(operation, parameter));
			if (isExcepted) {
				if (values.length > 1 && same.length === 0)
					found.set(name, 'has an effect, so that it is no exception');
				continue;
			}
			const when = circumstance ? `, when ${circumstance.when}` : '';
			if (problem !== undefined) found.set(name, `${problem}${when}`);
			if (values.length < 2) found.set(name, 'there are no two values to compare');
			for (const value of same) {
				const isChoice = choicesOf(parameter.property).length > 0;
				found.set(isChoice ? `${name} = ${String(value)}` : name, `changes nothing${when}`);
			}
		}
		expectOnlyOpenFailures('parameters', found);
	}, 300_000);
});
