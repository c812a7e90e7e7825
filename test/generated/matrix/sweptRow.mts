import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CIRCUMSTANCES } from './circumstances.mts';
import { type ContractTenant, NO_BODY } from './contractTenant.mts';
import {
	baseParameters,
	type Exchange,
	exchange,
	itemOf,
	noticed,
	type Values,
	writesOf,
} from './exchange.mts';
import { type Kind, kindOf, samplesOf } from './kinds.mts';
import type { OddValue } from './oddValues.mts';
import {
	matrixOperations,
	nameOf,
	type ShownOperation,
	type ShownParameter,
	shownParameters,
} from './shownParameters.mts';

/** A parameter of an operation, in the first way in which it is shown. */
interface Row {
	operation: ShownOperation;
	shown: ShownParameter[];
	parameter: ShownParameter;
}

/**
 * Parameters whose values stay in n8n. Tests of their own look at them: those of the options in test/messages/, and
 * test/operations/profile/{getAllFilters,setTags}.test.mts.
 */
const NEVER_SENT = /^(options\.(languageFallback|separator)|filters\.tag)$/;

/** All parameters of all operations that take a value, each once. */
export async function sweptRows(tenant: ContractTenant): Promise<SweptRow[]> {
	const shared = new Set<unknown>();
	const rows: SweptRow[] = [];
	for (const operation of await matrixOperations()) {
		const shown = await shownParameters(tenant, operation);
		for (const parameter of shown) {
			const { property, within } = parameter;
			const [outermost = property] = within;
			const isOfAll = outermost.displayOptions === undefined;
			// What all operations have in common is looked at once; n8n's own options are not this package's.
			if (property.type === 'notice' || property.noDataExpression || NEVER_SENT.test(parameter.path))
				continue;
			if ('isNodeSetting' in outermost || (isOfAll && shared.has(property))) continue;
			if (isOfAll) shared.add(property);
			rows.push(new SweptRow(tenant, { operation, shown, parameter }));
		}
	}
	return rows;
}

/** One parameter, which is given unusual values. */
export class SweptRow {
	readonly kind: Kind;

	private readonly chosen: Values;

	private readonly items: IDataObject[];

	constructor(
		private readonly tenant: ContractTenant,
		private readonly row: Row,
	) {
		const { operation, parameter } = row;
		this.kind = kindOf(parameter);
		const circumstance = CIRCUMSTANCES.find(
			(entry) =>
				entry.parameter === parameter.path && (entry.operations?.includes(nameOf(operation)) ?? true),
		);
		// What only counts when something goes wrong is looked at where all is well.
		const isChoice = ['boolean', 'choice'].includes(this.kind);
		const usesCircumstance =
			isChoice || /^(approvalOptions|header|bodySamples|templateButtons|variables)\./.test(parameter.path);
		this.items = (usesCircumstance && circumstance?.items) || [{}];
		this.chosen = {
			...parameter.shownBy[0],
			...(usesCircumstance && circumstance?.with),
			// Otherwise values that cannot be imported are left out and told of in the item.
			...(parameter.path.startsWith('columns.') && { 'options.invalidValues': 'fail' }),
		};
	}

	get name(): string {
		return `${nameOf(this.row.operation)} ${this.row.parameter.path}`;
	}

	/** What the parameter stands in: an expression reaches it in another way there. */
	get container(): string {
		const { property, within } = this.row.parameter;
		return [...within, property].map(({ type }) => type).join(' ');
	}

	/** What happens with a value that an expression gives. @param form of it, with VALUE for the field that holds the value */
	async byExpression(form: string, value: unknown): Promise<Exchange> {
		return await this.run(`={{ ${form.replace('VALUE', '$json.value')} }}`, { value } as IDataObject);
	}

	private async run(value: unknown, more: IDataObject = {}): Promise<Exchange> {
		const { operation, shown, parameter } = this.row;
		const { values } = baseParameters(operation, shown, parameter, value, this.chosen);
		return await this.exchange(values, more);
	}

	private async exchange(parameters: INodeParameters, more: IDataObject = {}): Promise<Exchange> {
		return await exchange(
			this.tenant,
			parameters,
			this.items.map((json) => itemOf({ ...json, ...more })),
		);
	}

	/** What happens when the parameter is left as it is. */
	private async withDefault(): Promise<Exchange> {
		const { operation, shown, parameter } = this.row;
		const parameters = baseParameters(operation, shown, parameter, parameter.property.default, this.chosen);
		parameters.remove(parameter);
		return await this.exchange(parameters.values);
	}

	/** What is wrong with a value of its own: an expression has to do what a person who types it does. */
	async ownProblem(form: string): Promise<string | undefined> {
		const [, own] = samplesOf(this.row.parameter);
		const given = await this.byExpression(form, own);
		return (
			given.error ?? (noticed(given) === noticed(await this.run(own)) ? undefined : 'other than as typed')
		);
	}

	/** What is wrong with what became of an unusual value: it goes out within the contract, or an error names the parameter. */
	async problemWith({ value, isNothing }: OddValue, form: string): Promise<string | undefined> {
		const run = await this.byExpression(form, value);
		if (run.error !== undefined) return this.problemOfError(run);
		const isFree = this.kind === 'JSON object';
		const [against] = run.requests
			.flatMap(({ problems }) => problems)
			.filter((problem) => !isFree || !problem.endsWith('must NOT have additional properties'));
		if (against === NO_BODY) return NO_BODY;
		if (against !== undefined) return `against the contract: ${against}`;
		if (run.requests.some(({ method, body }) => method === 'PATCH' && JSON.stringify(body) === '{}'))
			return 'sends an update without a field';
		// A switch or a choice may well be what it is without a word.
		if (isNothing || ['boolean', 'choice', 'number'].includes(this.kind)) return undefined;
		return noticed(run) === noticed(await this.withDefault())
			? 'is left out, and nothing says so'
			: undefined;
	}

	private problemOfError(run: Exchange): string | undefined {
		const message = run.error ?? '';
		const said = message.replace(/\n- /g, ' ').split('\n')[0].slice(0, 150);
		const { parameter } = this.row;
		const { property, within, field } = parameter;
		const labels = [property, ...within].map(({ displayName }) => displayName);
		// n8n itself checks the fields of a mapper, and names them by their ID. A variable is named by its sentence.
		if (field) labels.push(field.id, ...('about' in field ? [String(field.about)] : []));
		// A link is checked where it has become the variable of the header.
		if (parameter.path === 'headerFile') labels.push('Template Variables');
		const [write] = writesOf(run);
		if (write) return `${write.method} was sent before: ${said}`;
		// An update or a record without any value is refused as a whole.
		if (message.includes('have no value; nothing was sent')) return undefined;
		return labels.some((label) => message.includes(label))
			? undefined
			: `the error does not name it: ${said}`;
	}
}
