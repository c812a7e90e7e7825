import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { At, Body, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { stringOf } from '../values/text';
import { allFailed } from './batches';
import type { emptyCells } from './emptyValues';
import type { AnyField, Collection, EditorOnly, Flat, MemberField, PathField, Setting } from './field';
import { Item, type Output, type ValueOf } from './item';
import { itemContext } from './itemContext';
import type { ItemOperation, Operation, OperationTexts, Run } from './operation';
import { record } from './outputs';

// Compile-time checks of a declaration. The fields get a string type with what is wrong with them, so they do not compile.

type Fits<Value, Expected> = [Expected] extends [never] ? false : [Value] extends [Expected] ? true : false;

type PathOf<Field> = Field extends Setting<infer Path> ? Path : never;

type PlaceOf<Field> = Field extends PathField<infer Place> ? Place : never;

/** What is wrong with a field; never if it fits. */
type ProblemOf<Field, E extends Endpoint, Members, Read> = Field extends { isUndocumented: true }
	? never
	: Field extends MemberField<infer In, infer Member, infer Value>
		? Fits<Value, At<In extends 'body' ? Members : Query<E>, Member>> extends true
			? never
			: `${Member} is ${In extends 'body' ? 'no member' : 'not in the query'} of ${E}, or takes something else`
		: Field extends PathField<infer Place>
			? Place extends PathPlace<E>
				? never
				: `${Place} is no place of ${E}`
			: Field extends Setting<infer Path>
				? Path extends Read
					? never
					: `nothing reads ${Path}`
				: never;

/** What is wrong with the fields of an operation, or missing among them; unknown if they fit. */
type Checked<Field, E extends Endpoint, Members, Read extends string> = UnlessNever<
	| ProblemOf<Field, E, Members, PathOf<typeof emptyCells> | Read>
	| `${Exclude<Read, PathOf<Field>>} is read, but not shown`
	| `no field for ${Exclude<PathPlace<E>, PlaceOf<Field>>} of ${E}`
>;

type UnlessNever<Problem> = [Problem] extends [never] ? unknown : Problem;

interface Declared<
	RunSettings extends Setting = Setting,
	OutputSettings extends Setting = Setting,
	Members = object,
> extends OperationTexts {
	/** The fields in the order of the editor, each with the target of its value. */
	fields: readonly AnyField[];
	/** Its steps, if it is more than one request. */
	run?: Run<RunSettings, Members>;
	/** By default, the record of the response. */
	output?: Output<OutputSettings>;
	/** See `ItemOperation`. */
	collects?: boolean;
	/** See `Operation`. */
	waits?: boolean;
}

interface Declaration<
	E extends Endpoint,
	Fields extends readonly AnyField[],
	RunSettings extends Setting,
	OutputSettings extends Setting,
	Members,
> extends Declared<RunSettings, OutputSettings, Members> {
	fields: Fields & Checked<Flat<Fields[number]>, E, Members, PathOf<RunSettings> | PathOf<OutputSettings>>;
}

function itemOperation(
	{ run, output = record, collects, ...declared }: Declared,
	endpoints: readonly Endpoint[],
	endpointOf: Operation['endpointOf'],
	endpoint: ItemOperation['endpoint'],
): Operation {
	const each: ItemOperation = { endpoint, fields: declared.fields, output, run, collects };
	return { ...declared, endpoints, endpointOf, run: { each } };
}

/**
 * Declares an operation. It does not compile if the interface has no such member or place, or another type; if a place
 * has no field; if nothing reads a setting, or the fields lack one that is read.
 */
export function operation<
	const E extends Endpoint,
	const Fields extends readonly AnyField[],
	RunSettings extends Setting = never,
	OutputSettings extends Setting = never,
	Members = Body<E>,
>(endpoint: E, declaration: Declaration<E, Fields, RunSettings, OutputSettings, Members>): Operation {
	return itemOperation(declaration, [endpoint], () => endpoint, endpoint);
}

/** Declares an operation whose endpoint depends on the value of a parameter. */
export function operationByChoice<
	Choice extends Setting<string, string>,
	const Endpoints extends Record<ValueOf<Choice> & string, Endpoint>,
	const Fields extends readonly AnyField[],
	RunSettings extends Setting = never,
	E extends Endpoint = Endpoints[keyof Endpoints],
	Members = Body<E>,
>(
	choice: Choice,
	endpoints: Endpoints,
	declaration: Declaration<E, Fields, Choice | RunSettings, never, Members>,
): Operation {
	const { name, default: defaultValue } = choice.parameter;
	const byValue: Partial<Record<string, Endpoint>> = endpoints;
	return itemOperation(
		declaration,
		Object.values(endpoints),
		(chosen) => byValue[chosen(name) || stringOf(defaultValue)],
		(item) => endpoints[item.get(choice)],
	);
}

/** Runs all items together. The settings of the first item count for all. */
type RunTogether<S extends Setting> = (
	context: RunContext<IExecuteFunctions>,
	first: Item<S>,
) => Promise<INodeExecutionData[]>;

/** Declares an operation that takes all items at once. n8n's routing engine runs each as a batch of its own. */
export function batchOperation<const Fields extends ReadonlyArray<Collection | EditorOnly | Setting>>(
	endpoint: Endpoint,
	{
		all,
		...declared
	}: OperationTexts & {
		fields: Fields;
		all: RunTogether<Extract<Flat<Fields[number]>, Setting>>;
	},
): Operation {
	return {
		...declared,
		endpoints: [endpoint],
		endpointOf: () => endpoint,
		run: {
			async all(context) {
				const first = new Item<Setting>(itemContext(context, 0));
				return await all(context, first).catch(async (error: unknown) => await allFailed(context, error));
			},
		},
	};
}
