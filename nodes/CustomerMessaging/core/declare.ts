import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { At, Body, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { stringOf } from '../values/text';
import { allFailed } from './batches';
import type { emptyCells } from './emptyValues';
import {
	type AnyField,
	type Collection,
	type EditorOnly,
	type Flat,
	type MemberField,
	type PathField,
	pathField,
	type PathParameter,
	type Setting,
} from './field';
import { Item, type Output, type ValueOf } from './item';
import { itemContext } from './itemContext';
import type { ItemOperation, Operation, OperationTexts, Run } from './operation';
import { deleted, record } from './outputs';

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
>;

type UnlessNever<Problem, Otherwise = Problem> = [Problem] extends [never] ? unknown : Otherwise;

type LastPart<Path extends string> = Path extends `${string}/${infer Rest}` ? LastPart<Rest> : Path;

/** The collections whose records are in a path: `media` and `tags` of `/media/{mediaId}/tags/{tagId}`. */
type CollectionIn<Path extends string> = Path extends `${infer Before}/{${string}}${infer Rest}`
	? CollectionIn<Rest> | LastPart<Before>
	: never;

interface Declared<
	RunSettings extends Setting = Setting,
	OutputSettings extends Setting = Setting,
	Members = object,
> extends OperationTexts {
	/** The fields in the order of the editor, each with the target of its value. */
	fields?: readonly AnyField[];
	/** Its steps, if it is more than one request. */
	run?: Run<RunSettings, Members>;
	/** By default, the record of the response, or for a delete, its ID. */
	output?: Output<OutputSettings>;
	/** See `ItemOperation`. */
	collects?: boolean;
	/** See `Operation`. */
	waits?: boolean;
}

type Declaration<
	E extends Endpoint,
	Fields extends readonly AnyField[],
	RunSettings extends Setting,
	OutputSettings extends Setting,
	Members,
	Read extends string = PathOf<OutputSettings> | PathOf<RunSettings>,
> = Declared<RunSettings, OutputSettings, Members> & {
	fields?: Fields & Checked<Flat<Fields[number]>, E, Members, Read>;
} & UnlessNever<Read, { fields: unknown }>;

function itemOperation(
	{ fields = [], run, collects, output, ...declared }: Declared,
	description: string,
	endpoints: readonly Endpoint[],
	endpointOf: Operation['endpointOf'],
	endpoint: ItemOperation['endpoint'],
): Operation {
	const defaultOutput = endpoints[0].startsWith('DELETE ') ? deleted : record;
	const each: ItemOperation = { endpoint, fields, output: output ?? defaultOutput, run, collects };
	return { ...declared, description, fields, endpoints, endpointOf, run: { each } };
}

/**
 * Makes the function that declares operations. One does not compile if the interface has no such member, or another type; if nothing
 * reads a setting, or the fields lack one that is read; if its path has the record of another collection.
 *
 * @param records the records in paths by their collections. Each has a field, in front of the other fields
 */
export const operationWith =
	<Known extends string>(records: Record<Known, PathParameter>) =>
	<
		const E extends Endpoint,
		const Fields extends readonly AnyField[] = readonly [],
		RunSettings extends Setting = never,
		OutputSettings extends Setting = never,
		Members = Body<E>,
	>(
		endpoint: [CollectionIn<E>] extends [Known] ? E : `no record of ${Exclude<CollectionIn<E>, Known>}`,
		description: string,
		declaration?: Declaration<E, Fields, RunSettings, OutputSettings, Members>,
	): Operation => {
		const checked = endpoint as E;
		const places = [...checked.matchAll(/(\w+)\/\{(\w+)\}/g)];
		const inPath = places.map(([, collection, place]) => pathField(place, records[collection as Known]));
		const fields = [...inPath, ...(declaration?.fields ?? [])];
		return itemOperation({ ...declaration, fields }, description, [checked], () => checked, checked);
	};

/** Declares an operation whose endpoint depends on the value of a parameter. Its fields fill the places in the paths. */
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
	description: string,
	declaration: Declaration<E, Fields, Choice | RunSettings, never, Members> &
		UnlessNever<`no field for ${Exclude<PathPlace<E>, PlaceOf<Flat<Fields[number]>>>}`>,
): Operation {
	const { name, default: defaultValue } = choice.parameter;
	const byValue: Partial<Record<string, Endpoint>> = endpoints;
	return itemOperation(
		declaration,
		description,
		Object.values(endpoints),
		(chosen) => byValue[chosen(name) || stringOf(defaultValue)],
		(item) => endpoints[item.get(choice)],
	);
}

type SettingOf<Fields extends readonly AnyField[]> = Extract<Flat<Fields[number]>, Setting>;

/** Runs all items together. The settings of the first item count for all. */
type RunTogether<S extends Setting> = (
	context: RunContext<IExecuteFunctions>,
	first: Item<S>,
) => Promise<INodeExecutionData[]>;

/** Declares an operation that takes all items at once. n8n's routing engine runs each as a batch of its own. */
export function batchOperation<const Fields extends ReadonlyArray<Collection | EditorOnly | Setting>>(
	endpoint: Endpoint,
	description: string,
	{ all, ...declared }: OperationTexts & { fields: Fields; all: RunTogether<SettingOf<Fields>> },
): Operation {
	return {
		...declared,
		description,
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
