import type { ContractTenant } from './contractTenant.mts';
import type { Exchange } from './exchange.mts';
import type { Meaning } from './meaning.mts';
import { canBeFixed, NEAR_VALUES, type NearPlace, type NearValue } from './nearValues.mts';
import { nameOf } from './shownParameters.mts';
import { type Cell, MatrixRow, type Row } from './valueMatrix.mts';

/** A value as JSON; the large integers in it, which JSON has not, as text. */
const withoutBigInts = (value: unknown) =>
	String(JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)));

/** What became of a value that is nearly right. */
export interface NearCell {
	/** As the table shows it. */
	outcome: string;
	/** How often the node ran for it. */
	runs: number;
	/** What is wrong, by the name of the value and the way in which it was given, with the reason. */
	failures: Map<string, string>;
}

/** Nothing is said of a value that says nothing about a parameter. */
const NOTHING_SAID: NearCell = { outcome: '–', runs: 0, failures: new Map() };

/** One row of the second table: runs an operation with each value that is nearly what its parameter takes. */
export class NearRow {
	readonly matrix: MatrixRow;

	/**
	 * @param skips invalid values of an import are left out and told of, instead of failing the run
	 * @param isTyped whether the values are also typed in, not only given by an expression
	 */
	constructor(
		tenant: ContractTenant,
		private readonly row: Row,
		private readonly skips = false,
		private readonly isTyped = !skips,
		typedRuns?: Map<string, Promise<Exchange>>,
	) {
		this.matrix = new MatrixRow(tenant, row, skips ? { invalidValues: 'skipValue' } : {}, true, typedRuns);
	}

	get name(): string {
		return this.skips ? `${this.matrix.name} (Skip Value)` : this.matrix.name;
	}

	get kind() {
		return this.matrix.kind;
	}

	async cells(): Promise<NearCell[]> {
		const place = await this.place();
		return await Promise.all(NEAR_VALUES[this.kind].map(async (value) => await this.cell(value, place)));
	}

	private async place(): Promise<NearPlace> {
		const { operation, parameter } = this.row;
		const { options = [], default: usual } = parameter.property;
		const choices = options.flatMap((option) =>
			'value' in option && typeof option.value === 'string'
				? [{ value: option.value, label: option.name }]
				: [],
		);
		const other = choices.findLast(({ value }) => value !== usual) ?? choices.at(-1);
		return {
			...(await this.matrix.placeOf()),
			operation: nameOf(operation),
			path: parameter.path,
			other: other ?? { value: 'chatapp', label: 'chatapp' },
			// Only users who are attached can be taken away.
			ids: operation.operation === 'removeUsers' ? [1, 2] : [7, 8],
		};
	}

	private async cell(near: NearValue, place: NearPlace): Promise<NearCell> {
		const value = near.valueFor(place);
		const allowed = near.meaningAt(place);
		// What is never left out is looked at where it would fail the run.
		if (!allowed || (this.skips && !allowed.error)) return NOTHING_SAID;
		const run = await this.matrix.byExpression('VALUE', value);
		const byExpression = await this.judge(near, value, run, allowed);
		const typed =
			this.isTyped && canBeFixed(this.kind, value)
				? await this.judge(near, value, await this.matrix.withFixed(value), allowed)
				: undefined;
		const failures = new Map<string, string>();
		if (byExpression.failure !== undefined) failures.set(near.name, byExpression.failure);
		if (typed?.failure !== undefined) failures.set(`${near.name} (typed)`, typed.failure);
		return {
			outcome:
				typed && typed.outcome !== byExpression.outcome
					? `${byExpression.outcome}; typed: ${typed.outcome}`
					: byExpression.outcome,
			runs: typed ? 2 : 1,
			failures,
		};
	}

	private async judge(near: NearValue, value: unknown, run: Exchange, allowed: Meaning): Promise<Cell> {
		const [problem] = run.requests.flatMap(({ problems }) => problems);
		// What was asked before counts, whatever a tenant would have answered to it.
		if (run.error !== undefined && problem !== undefined)
			return { value: near.name, outcome: '✗ late error', failure: `was sent although ${problem}` };
		const cell = await this.matrix.judge(near.name, run, allowed);
		if (cell.failure === undefined || run.error !== undefined || !allowed.error) return cell;
		if (!this.skips && !near.mayBeTold) return cell;
		if (!(await this.matrix.sendsAsWithout(run))) return cell;
		const { displayName, name } = this.row.parameter.property;
		const items = JSON.stringify(run.items);
		return [displayName, name, withoutBigInts(value)].some((sign) => items.includes(sign))
			? { value: near.name, outcome: 'told' }
			: { value: near.name, outcome: '✗ untold', failure: 'is left out, and no item says so' };
	}
}
