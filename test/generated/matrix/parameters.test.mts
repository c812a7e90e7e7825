import { expectNoFailures } from '../../engine/expectNone.mts';
import { CIRCUMSTANCES, WITHOUT_EFFECT } from './circumstances.mts';
import { allComparisons, type Comparison, holdsFor, runOf } from './comparisons.mts';
import { ContractTenant } from './contractTenant.mts';
import { type Exchange, exchange, inChunks, noticed } from './exchange.mts';
import { kindOf } from './kinds.mts';
import { choicesOf, isWhole, nameOf, type ShownOperation, type ShownParameter } from './shownParameters.mts';

const tenant = ContractTenant.inThisFile();

/** What the node does with one of the values. */
async function resultOf(comparison: Comparison, value: unknown): Promise<Exchange> {
	const { parameters, items, options } = runOf(comparison, value);
	return await exchange(tenant, parameters, items, comparison.circumstance?.behaviour, options);
}

/** Whether a parameter rightly makes no difference. */
const exceptionOf = ({ operation, parameter, mode }: Pick<Comparison, 'mode' | 'operation' | 'parameter'>) =>
	WITHOUT_EFFECT.filter((entry) => entry.mode === undefined || entry.mode === mode).find(
		holdsFor(operation, parameter),
	);

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
	const results = runs.map(noticed);
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
	let parameters: Array<[ShownOperation, ShownParameter]> = [];
	let comparisons: Comparison[] = [];

	beforeAll(async () => {
		({ operations, parameters, comparisons } = await allComparisons(tenant));
	});

	it('takes all operations and parameters from the description', () => {
		expect(new Set(operations.map(nameOf)).size).toBe(operations.length);
		const compared = new Set(
			comparisons.map(({ operation, parameter }) => `${nameOf(operation)} ${parameter.path}`),
		);
		const fillable = parameters.filter(([, parameter]) => kindOf(parameter) !== 'notice');
		expect(compared.size).toBe(fillable.length);
		const names = comparisons.map(({ name }) => name);
		expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
	});

	it('has no circumstance and no exception without a parameter', () => {
		const unused = [...CIRCUMSTANCES, ...WITHOUT_EFFECT].filter(
			(entry) =>
				isWhole && !parameters.some(([operation, parameter]) => holdsFor(operation, parameter)(entry)),
		);
		expect(unused.map(({ parameter }) => parameter)).toEqual([]);
	});

	it('a change of any of them changes a request or an item', async () => {
		const findings = await inChunks(comparisons, findingOf);
		expect(findings).toHaveLength(comparisons.length);
		const found = new Map<string, string>();
		for (const [index, comparison] of comparisons.entries()) {
			const { name, parameter, values, circumstance } = comparison;
			const { same, problem } = findings[index];
			const exception = exceptionOf(comparison);
			if (exception) {
				if (values.length > 1 && same.length === 0 && exception.mode === undefined)
					found.set(name, 'has an effect, so that it is no exception');
				continue;
			}
			const when = circumstance ? `, when ${circumstance.when}` : '';
			if (problem !== undefined) found.set(name, `${problem}${when}`);
			if (values.length < 2) found.set(name, 'there are no two values to compare');
			for (const value of same) {
				const isChoice = choicesOf(parameter.property).length > 0;
				const where = isChoice ? `${name} = ${String(value)}` : name;
				found.set(where, [found.get(where), `changes nothing${when}`].filter(Boolean).join('; '));
			}
		}
		expectNoFailures(found);
	});
});
