import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	choicesOf,
	matrixOperations,
	nameOf,
	type ShownOperation,
	type ShownParameter,
	shownParameters,
} from './shownParameters.mts';
import { CIRCUMSTANCES } from './circumstances.mts';
import { type ContractTenant, NO_BODY } from './contractTenant.mts';
import { WORDS } from './contractExamples.mts';
import {
	baseParameters,
	type Exchange,
	exchange,
	itemOf,
	sentBy,
	type SentParts,
	type Values,
	writesOf,
} from './exchange.mts';
import { type Kind, kindOf, samplesOf } from './kinds.mts';
import { isEmpty, type Meaning, meaning, type Place } from './meaning.mts';
import { ODD_VALUES } from './oddValues.mts';
import { shows, substituted } from './substitution.mts';

/** A parameter of an operation, in the first way in which it is shown. */
export interface Row {
	operation: ShownOperation;
	shown: ShownParameter[];
	parameter: ShownParameter;
}

/**
 * Parameters whose values stay in n8n. Tests of their own look at them: those of the options in test/messaging/, and
 * test/operations/profile/{getAllFilters,setTags}.test.mts.
 */
const NEVER_SENT =
	/^(options\.(sendOnce\.values\.key|sendingHours\.values\.\w+|separator)|filters\.tag|separator)$/;

/** All parameters of all operations that take a value, each once. */
export async function matrixRows(tenant: ContractTenant): Promise<Row[]> {
	const shared = new Set<unknown>();
	const rows: Row[] = [];
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
			rows.push({ operation, shown, parameter });
		}
	}
	return rows;
}

/** What became of a value. */
export interface Cell {
	value: string;
	/** As the table shows it; what is wrong begins with ✗. */
	outcome: string;
	/** Why it is wrong. */
	failure?: string;
}

export const OWN_VALUE = 'a value of its own';

/** Kinds whose values stand on the wire as they are, so that what goes out can be foretold without the nodes. */
const STANDS_FOR_ITSELF: Kind[] = [
	'text',
	'text id',
	'name',
	'email',
	'URL',
	'phone',
	'integer id',
	'coordinate',
	'PIN',
	'date',
	'key',
	'sort field',
	'free value',
	'id set',
	'tag titles',
];

/** Members of a row without which the row says nothing. */
const SAYS_IT_ALL = ['text', 'value'];
const ROW_KINDS: Kind[] = ['choice', 'coordinate', 'file', 'key', 'number', 'sort field'];

const MAX_SHOWN_LENGTH = 14;

function short(value: unknown): string {
	const text = value === undefined ? 'absent' : JSON.stringify(value);
	return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text;
}

const isList = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value without what is empty in it: members that hold nothing say nothing. */
function pruned(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(pruned);
	if (!isList(value)) return value;
	const members = Object.entries(value).map(([name, member]) => [name, pruned(member)] as const);
	return Object.fromEntries(
		members.filter(([, member]) => member !== undefined && JSON.stringify(member) !== '{}'),
	);
}

/** The first place in which two values differ, and what stands there in the second. */
export function firstDifference(
	a: unknown,
	b: unknown,
	path = '',
): { path: string; value: unknown } | undefined {
	if (!isList(a) || !isList(b) || Array.isArray(a) !== Array.isArray(b))
		return JSON.stringify(a) === JSON.stringify(b) ? undefined : { path, value: b };
	const [before, after] = [a, b] as Array<Record<string, unknown>>;
	for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
		const others = Object.keys(b).filter((other) => !Object.hasOwn(a, other));
		if (!Object.hasOwn(b, name) && others.length === 1 && !Array.isArray(a))
			return { path: `${path}/${name}`, value: others[0] };
		const found = firstDifference(before[name], after[name], `${path}/${name}`);
		if (found) return found;
	}
	return undefined;
}

/** One row of the matrix: runs the operation with each value, and judges what became of it. */
export class MatrixRow {
	readonly kind: Kind;

	private readonly chosen: Values;

	private readonly items: IDataObject[];

	private readonly fixed = new Map<string, Promise<Exchange>>();

	private place: Promise<Place> | undefined;

	private readonly sourceType: string | undefined;

	/**
	 * @param chosen values that are wanted elsewhere
	 * @param alsoSource whether the node before it is the one of the circumstance
	 */
	constructor(
		private readonly tenant: ContractTenant,
		readonly row: Row,
		chosen: Values = {},
		alsoSource = false,
		/** What came of typed values, which other rows may look at too. */
		private readonly typedRuns = new Map<string, Promise<Exchange>>(),
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
			isChoice || /^(approvalOptions|header|variables)\./.test(parameter.path);
		this.sourceType = alsoSource ? circumstance?.sourceType : undefined;
		this.items = (usesCircumstance && circumstance?.items) || [{}];
		this.chosen = {
			...parameter.shownBy[0],
			...(usesCircumstance && circumstance?.with),
			// Otherwise values that cannot be imported are left out and told of in the item.
			...(parameter.path.startsWith('columns.') && { invalidValues: 'fail' }),
			...chosen,
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

	/** All cells of the row. @param form of the expression, with VALUE for the field that holds the value */
	async cells(form: string): Promise<Cell[]> {
		const { parameter } = this.row;
		const [, own] = samplesOf(parameter);
		const cells = ODD_VALUES.map(
			async ({ name, value }): Promise<Cell> => await this.cell(form, name, value),
		);
		const ownRun = await this.byExpression(form, own);
		const ownFailure =
			this.difference(ownRun, await this.withFixed(own)) ??
			((await this.carries(ownRun, own)) ? undefined : 'not all of its members go out');
		const ownCell: Cell = {
			value: OWN_VALUE,
			...(ownFailure === undefined
				? { outcome: 'as typed' }
				: { outcome: `✗ ${ownRun.error ? 'error' : 'other'}`, failure: ownFailure }),
		};
		return [...(await Promise.all(cells)), ownCell];
	}

	/** What happens with a value that an expression gives. @param form of the expression, as in `cells` */
	async byExpression(form: string, value: unknown): Promise<Exchange> {
		const { operation, shown, parameter } = this.row;
		const expression = `={{ ${form.replace('VALUE', '$json.value')} }}`;
		const parameters = baseParameters(operation, shown, parameter, expression, this.chosen);
		return await this.run(parameters.values, { value } as IDataObject);
	}

	private async run(parameters: INodeParameters, more: IDataObject = {}): Promise<Exchange> {
		const items = this.items.map((json) => itemOf({ ...json, ...more }));
		const { sourceType } = this;
		const options = { ...(sourceType && { sourceType }) };
		return await exchange(this.tenant, parameters, items, {}, options);
	}

	/** What happens with a value that a person typed in; without it where it is absent. */
	async withFixed(value: unknown): Promise<Exchange> {
		const key = String(JSON.stringify(value));
		const known = this.fixed.get(key) ?? this.typedRun(value);
		this.fixed.set(key, known);
		return await known;
	}

	private async typedRun(value: unknown): Promise<Exchange> {
		const { operation, shown, parameter } = this.row;
		const parameters = baseParameters(
			operation,
			shown,
			parameter,
			value ?? parameter.property.default,
			this.chosen,
		);
		if (value === undefined) parameters.remove(parameter);
		const key = JSON.stringify([parameters.values, this.items, this.sourceType]);
		const known = this.typedRuns.get(key);
		if (known) return await known;
		const run = this.run(parameters.values);
		this.typedRuns.set(key, run);
		return await run;
	}

	/** What differs between two exchanges; undefined when nothing does. */
	private difference(one: Exchange, other: Exchange): string | undefined {
		if (one.error !== undefined) return `refused: ${one.error.split('\n')[0]}`;
		const [a, b] = [this.partsOf(other), this.partsOf(one)];
		const difference = firstDifference(a, b) ?? firstDifference(other.items, one.items);
		return difference && `${difference.path} is ${short(difference.value)}`;
	}

	/** The requests that matter: writes, or what is read. */
	private partsOf(one: Exchange): SentParts[] {
		const writes = writesOf(one);
		const relevant = writes.length > 0 ? writes : one.requests;
		return relevant.map(({ method, path, query, body }) => ({ method, path, query, body }));
	}

	async placeOf(): Promise<Place> {
		return await (this.place ??= this.findPlace());
	}

	private async findPlace(): Promise<Place> {
		const { property, path, within } = this.row.parameter;
		const [a] = samplesOf(this.row.parameter);
		const [write] = writesOf(await this.withFixed(a));
		const row = within.find(({ type }) => type === 'fixedCollection');
		const isOptional = within.some(({ type }) => type === 'collection' || type === 'resourceMapper');
		const isSwitch = ['boolean', 'choice'].includes(this.kind) || property.typeOptions?.minValue === 1;
		const update = write?.method === 'PATCH';
		const schemas = write ? this.tenant.schemasOf(write, [a, Number(a), ...(a === true ? [1] : [])]) : [];
		return {
			required: property.required === true,
			optional: isOptional && !update,
			wanted:
				path.startsWith('filters.') ||
				(row !== undefined && (SAYS_IT_ALL.includes(property.name) || ROW_KINDS.includes(this.kind))),
			// A choice that may be none is not always there.
			always: isSwitch && !isOptional && !choicesOf(property).includes(''),
			choices: choicesOf(property).length > 0 ? choicesOf(property) : ['chatapp'],
			least: property.typeOptions?.minValue ?? 0,
			most: property.typeOptions?.maxValue ?? Infinity,
			longest: Math.min(...schemas.map(({ maxLength = Infinity }) => maxLength)),
		};
	}

	private async cell(form: string, value: string, given: unknown): Promise<Cell> {
		const meant = meaning(this.kind, given, await this.placeOf());
		// A time may be over, and then nobody can wait for it.
		const mayBeOver = this.row.parameter.path.endsWith('maxDateAndTime');
		const allowed = mayBeOver ? { ...meant, error: true } : meant;
		return await this.judge(value, await this.byExpression(form, given), allowed);
	}

	/** What became of a value in a run, and whether it may have become that. @param value its name */
	async judge(value: string, run: Exchange, allowed: Meaning): Promise<Cell> {
		const wrong = (outcome: string, failure: string): Cell => ({ value, outcome: `✗ ${outcome}`, failure });
		if (run.error !== undefined) return this.judgeError(value, run, allowed);
		const shownAs = await this.shownIn(run);
		const isFree = this.kind === 'JSON object';
		const problems = run.requests
			.flatMap((request) => request.problems)
			.filter((problem) => !isFree || !problem.endsWith('must NOT have additional properties'));
		if (problems.includes(NO_BODY)) return wrong('empty', NO_BODY);
		if (problems.length > 0) return wrong(shownAs, `against the contract: ${problems[0]}`);
		if (run.requests.some(({ method, body }) => method === 'PATCH' && JSON.stringify(body) === '{}'))
			return wrong('empty', 'sends an update without a field');
		for (const meant of allowed.values) {
			if (await this.says(run, meant)) return { value, outcome: short(meant) };
		}
		if (allowed.absent && (run.requests.length === 0 || (await this.isAsWithout(run))))
			return { value, outcome: 'absent' };
		const expected = [
			...allowed.values.map(short),
			...(allowed.absent ? ['nothing'] : []),
			...(allowed.error ? ['an error'] : []),
		];
		return wrong(shownAs, `gives ${shownAs} instead of ${expected.join(' or ')}`);
	}

	private judgeError(value: string, run: Exchange, allowed: Meaning): Cell {
		const message = run.error ?? '';
		const said = message.replace(/\n- /g, ' ').split('\n')[0].slice(0, 150);
		// An update or a record without any value is refused as a whole.
		if (allowed.absent && message.includes('have no value; nothing was sent'))
			return { value, outcome: 'absent' };
		const { property, within, field } = this.row.parameter;
		const labels = [property, ...within].map(({ displayName }) => displayName);
		// n8n itself checks the fields of a mapper, and names them by their ID. A variable is named by its sentence.
		if (field) labels.push(field.id, ...('about' in field ? [String(field.about)] : []));
		const [write] = writesOf(run);
		if (write) return { value, outcome: '✗ late error', failure: `${write.method} was sent before: ${said}` };
		if (!labels.some((label) => message.includes(label)))
			return { value, outcome: '✗ nameless', failure: `the error does not name it: ${said}` };
		return allowed.error
			? { value, outcome: 'error' }
			: { value, outcome: '✗ refused', failure: `is refused: ${said}` };
	}

	/** Whether a run did what that value means. */
	private async says(run: Exchange, meant: unknown): Promise<boolean> {
		const [sample] = samplesOf(this.row.parameter);
		const base = await this.withFixed(sample);
		const [parts, isIn] = [this.partsOf(base), this.partsOf(run)];
		if (!STANDS_FOR_ITSELF.includes(this.kind)) {
			if (typeof meant === 'string' && meant.startsWith('#')) return JSON.stringify(isIn).includes(meant);
			if (meant === null) return firstDifference(parts, isIn)?.value === null;
			const isAsTyped = this.difference(run, await this.withFixed(this.typed(meant))) === undefined;
			return isAsTyped && (await this.carries(run, this.typed(meant)));
		}
		if (!shows(this.kind, sample, parts)) {
			// What stands only in the items.
			if (shows(this.kind, sample, base.items)) {
				const expected = substituted(this.kind, sample, base.items, meant, WORDS);
				return JSON.stringify(expected) === JSON.stringify(run.items);
			}
			// Sets that are taken away from another.
			return this.kind === 'id set' && this.difference(run, await this.withFixed(meant)) === undefined;
		}
		const expected = substituted(this.kind, sample, parts, meant, WORDS);
		return JSON.stringify(sentBy(expected)) === JSON.stringify(sentBy(isIn));
	}

	/** Whether the members of a JSON object go out together; those that stand there anyway may win over them. */
	private async carries(run: Exchange, typed: unknown): Promise<boolean> {
		if (this.kind !== 'JSON object') return true;
		const [anyway] = this.partsOf(await this.withFixed(undefined));
		const body = isList(anyway?.body) ? anyway.body : {};
		const members = Object.entries(JSON.parse(String(typed)) as object).filter(
			([name, member]) =>
				!Object.hasOwn(body, name) && !(this.row.parameter.path.endsWith('.fieldsJson') && isEmpty(member)),
		);
		const isIn = (at: unknown): boolean =>
			isList(at) &&
			(members.every(
				([name, member]) =>
					firstDifference(member, Object.entries(at).find(([other]) => other === name)?.[1]) === undefined,
			) ||
				Object.values(at).some(isIn));
		return this.partsOf(run).some(({ body: sent }) => isIn(sent ?? {}));
	}

	/** A value as a person would type it. */
	private typed(meant: unknown): unknown {
		return this.kind.startsWith('JSON') ? JSON.stringify(meant) : meant;
	}

	private async isAsWithout(run: Exchange): Promise<boolean> {
		const without = await this.withFixed(undefined);
		return (await this.sendsAsWithout(run)) && firstDifference(without.items, run.items) === undefined;
	}

	/** Whether the same goes out as if the parameter were not there, or nothing. */
	async sendsAsWithout(run: Exchange): Promise<boolean> {
		if (run.requests.length === 0) return true;
		const without = await this.withFixed(undefined);
		return firstDifference(pruned(this.partsOf(without)), pruned(this.partsOf(run))) === undefined;
	}

	/** What stands where the sample stood, or which of its own values it was taken for. */
	private async shownIn(run: Exchange): Promise<string> {
		if (run.requests.length === 0) return 'nothing sent';
		const taken = this.kind === 'boolean' ? [true, false] : choicesOf(this.row.parameter.property);
		for (const value of taken)
			if (this.difference(run, await this.withFixed(value)) === undefined) return `as ${String(value)}`;
		const base = this.baseRun;
		if (!base) return '';
		const [before, after] = [this.partsOf(base), this.partsOf(run)];
		// Another choice may mean more or fewer requests.
		const isChoice = this.kind === 'choice';
		const sent = firstDifference(isChoice ? before.at(-1) : before, isChoice ? after.at(-1) : after);
		if (sent) return short(sent.value);
		if (run.items.length !== base.items.length) return `${run.items.length} items`;
		const given = firstDifference(base.items, run.items);
		return given ? short(given.value) : 'no effect';
	}

	private baseRun: Exchange | undefined;

	/** Runs the sample, with which all others are compared. @returns why nothing could be said then */
	async begin(): Promise<string[]> {
		const [sample] = samplesOf(this.row.parameter);
		this.baseRun = await this.withFixed(sample);
		const { error, requests } = this.baseRun;
		const problems = requests.flatMap((request) => request.problems);
		// A choice may well be one that refuses to send.
		if (error !== undefined && this.kind !== 'choice') problems.push(error);
		return problems.map((problem) => `${this.name}: ${problem}`);
	}
}
