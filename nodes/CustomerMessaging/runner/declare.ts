import type {
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { isExpression, NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import type { At, Body, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { allFailed, batchOfOne } from './batches';
import { failedItem, itemRunner, refuse } from './runItem';
import {
	type AnyField,
	type Collection,
	type ItemContext,
	type MemberField,
	type PathField,
	propertiesOf,
	type Setting,
} from './field';
import { ItemContexts } from './itemContext';
import type {
	Batch,
	Conclude,
	Flow,
	Operation,
	Operations,
	Output,
	ReadOfItem,
	RunItem,
	ValueOf,
} from './operation';
import { readerOf } from './readSettings';

// Compile-time checks of a declaration. A field that does not fit gets a string type with the error message, so it does
// not compile.

type Fits<Value, Expected> = [Expected] extends [never] ? false : [Value] extends [Expected] ? true : false;

type CheckedOne<Field, E extends Endpoint, Members, Read> =
	Field extends MemberField<'body', infer Member, infer Value>
		? Fits<Value, At<Members, Member>> extends true
			? Field
			: `${Member} is no member of ${E}, or takes something else`
		: Field extends MemberField<'query', infer Member, infer Value>
			? Fits<Value, At<Query<E>, Member>> extends true
				? Field
				: `${Member} is not in the query of ${E}, or takes something else`
			: Field extends PathField<infer Place>
				? Place extends PathPlace<E>
					? Field
					: `${Place} is no place of ${E}`
				: Field extends Setting<infer Path>
					? Path extends Read
						? Field
						: `nothing reads ${Path}`
					: Field;

type Checked<Field, E extends Endpoint, Members, Read> =
	Field extends Collection<infer Fields>
		? Exclude<CheckedOne<Fields[number], E, Members, Read>, Fields[number]> extends infer Problem
			? [Problem] extends [never]
				? Field
				: Problem
			: never
		: CheckedOne<Field, E, Members, Read>;

type PathOf<S> = S extends Setting<infer Path> ? Path : never;

/** The settings among the fields, including those in collections. */
type SettingsOf<Field> =
	Field extends Setting<infer Path>
		? Path
		: Field extends Collection<infer Fields>
			? PathOf<Fields[number]>
			: never;

type AllShown<Read extends string, Fields extends readonly unknown[]> = [
	Exclude<Read, SettingsOf<Fields[number]>>,
] extends [never]
	? unknown
	: `${Exclude<Read, SettingsOf<Fields[number]>>} is read, but not shown`;

type PlaceOf<Field> = Field extends PathField<infer Place> ? Place : never;

type AllPlaces<E extends Endpoint, Fields extends readonly unknown[]> = [
	Exclude<PathPlace<E>, PlaceOf<Fields[number]>>,
] extends [never]
	? unknown
	: `no field for ${Exclude<PathPlace<E>, PlaceOf<Fields[number]>>} of ${E}`;

/** The declaration of an operation. */
interface Declaration<
	E extends Endpoint,
	Fields extends readonly AnyField[],
	FlowSettings extends Setting,
	OutputSettings extends Setting,
	Members,
> {
	/** The fields in the order of the editor, each with the target of its value. */
	fields: Fields & {
		[I in keyof Fields]: Checked<Fields[I], E, Members, PathOf<FlowSettings> | PathOf<OutputSettings>>;
	} & AllShown<PathOf<FlowSettings> | PathOf<OutputSettings>, Fields> &
		AllPlaces<E, Fields>;
	/** Carries out an item. Without a flow, an item sends one request. */
	flow?: Flow<FlowSettings, Members>;
	output: Output<OutputSettings>;
	/** Sees the items of a run together, or of each item where n8n's routing engine runs the node. */
	conclude?: Conclude;
}

/** A declaration after the checks. */
interface Declared {
	fields: readonly AnyField[];
	flow?: Flow<Setting>;
	output: Output<Setting>;
	conclude?: Conclude;
}

/**
 * Makes the routing of an operation: n8n's routing engine passes each item to `each` and sends no request of its own.
 *
 * If an expression chooses the resource, n8n takes every resource for the chosen one. Then the operation would be the one
 * of that name in any of them, so it is refused.
 */
function routingOf(endpoint: Endpoint, each: RunItem, conclude?: Conclude): INodePropertyRouting {
	const [method, url] = endpoint.split(' ');
	return {
		request: { method: method as IHttpRequestMethods, url },
		operations: {
			async pagination() {
				if (isExpression(this.getNode().parameters.resource)) return await refuse(this, 'Resource');
				const items = await each(this);
				conclude?.(items);
				return items;
			},
		},
	};
}

/**
 * Declares an operation by its endpoint, its fields and its output.
 *
 * A declaration does not compile in these cases:
 * - The interface has no such member or path parameter.
 * - A path parameter has no field.
 * - The member takes another type than the conversion returns.
 * - Nothing reads a setting.
 * - The flow or the output reads a setting that the fields do not contain.
 *
 * @param endpoint in the notation of the interface
 */
export function operation<
	const E extends Endpoint,
	const Fields extends readonly AnyField[],
	FlowSettings extends Setting = never,
	OutputSettings extends Setting = never,
	Members = Body<E>,
>(endpoint: E, declaration: Declaration<E, Fields, FlowSettings, OutputSettings, Members>): Operation;
export function operation(endpoint: Endpoint, { fields, flow, output, conclude }: Declared): Operation {
	const each = itemRunner({ endpointOf: () => endpoint, fields, flow, output });
	return {
		endpoints: [endpoint],
		endpointOf: () => endpoint,
		fields,
		keeps: output.keeps,
		run: { each },
		routing: routingOf(endpoint, each, conclude),
		conclude,
	};
}

/**
 * Declares an operation whose endpoint depends on a parameter.
 *
 * @param endpoints by the value of the parameter
 */
export function operationByChoice<
	Choice extends Setting<string, string>,
	const Endpoints extends Record<ValueOf<Choice> & string, Endpoint>,
	const Fields extends readonly AnyField[],
	FlowSettings extends Setting = never,
	E extends Endpoint = Endpoints[keyof Endpoints],
	Members = Body<E>,
>(
	choice: Choice,
	endpoints: Endpoints,
	declaration: Declaration<E, Fields, Choice | FlowSettings, never, Members>,
): Operation;
export function operationByChoice(
	choice: Setting<string, string>,
	endpoints: Record<string, Endpoint>,
	{ fields, flow, output }: Declared,
): Operation {
	const all: Endpoint[] = Object.values(endpoints);
	const { name, default: usual } = choice.parameter;
	const byValue: Partial<Record<string, Endpoint>> = endpoints;
	const each = itemRunner({ endpointOf: (read) => endpoints[read(choice)], fields, flow, output });
	return {
		endpoints: all,
		endpointOf: (chosen) => byValue[chosen(name) || String(usual)],
		fields,
		keeps: output.keeps,
		run: { each },
		routing: routingOf(all[0], each),
	};
}

const cannotWait = (context: ItemContext) =>
	new NodeOperationError(context.getNode(), 'This operation cannot wait for an answer here', {
		itemIndex: context.getItemIndex(),
		description:
			'Nothing was sent. Use it as a step of the workflow, with Resource and Operation chosen from their lists. To have people decide about the tools of an AI Agent, add it as the human review of a tool.',
	});

const oneAtATime = (context: IExecuteFunctions, count: number) =>
	new NodeOperationError(context.getNode(), `This operation takes one item at a time, but got ${count}`, {
		description:
			'Nothing was sent. An execution waits for one answer. Put the node Loop Over Items before this one, with a Batch Size of 1.',
	});

/**
 * Makes an operation one that has n8n wait for an answer: it takes one item.
 *
 * Only n8n's engine can wait, when it runs the operation as a step. Where n8n calls the node itself, as some AI agents and
 * the MCP Server Trigger do, the operation is refused.
 */
export function waiting(one: Operation): Operation {
	const { run, endpoints } = one;
	if (!('each' in run)) return one;
	const batch: Batch = async function () {
		const { length } = this.getInputData();
		if (length > 1) return [allFailed(this, oneAtATime(this, length))];
		return [await run.each(new ItemContexts(this).of(0))];
	};
	const refused: RunItem = async (context) => failedItem(context, cannotWait(context));
	return { ...one, run: { all: batch }, routing: routingOf(endpoints[0], refused) };
}

/** Carries out all items together. `readOf` reads the settings of an item. */
type CarryOutAll<Settings extends Setting> = (
	context: IExecuteFunctions,
	readOf: ReadOfItem<Settings>,
) => Promise<INodeExecutionData[]>;

/**
 * Declares an operation that takes all items at once. n8n's routing engine, which runs the node as a tool, carries out
 * each item as a batch of its own.
 *
 * @param declaration its `reads` are the settings that `all` reads
 */
export function batchOperation<
	const E extends Endpoint,
	const Fields extends readonly AnyField[],
	Settings extends Setting,
>(
	endpoint: E,
	declaration: Pick<Declaration<E, Fields, Settings, never, Body<E>>, 'fields'> & {
		reads: readonly Settings[];
		all: CarryOutAll<Settings>;
	},
): Operation;
export function batchOperation(
	endpoint: Endpoint,
	{ fields, all }: { fields: readonly AnyField[]; all: CarryOutAll<Setting> },
): Operation {
	const run = async (context: IExecuteFunctions) => {
		const contexts = new ItemContexts(context);
		return await all(context, (index) => readerOf(contexts.of(index))).catch((failure: unknown) =>
			allFailed(context, failure),
		);
	};
	const batch: Batch = async function () {
		return [await run(this)];
	};
	return {
		endpoints: [endpoint],
		endpointOf: () => endpoint,
		fields,
		run: { all: batch },
		routing: routingOf(endpoint, async (context) => await batchOfOne(context, run)),
	};
}

/**
 * Returns the parameters of a resource's operations. The editor shows each parameter only for the operations that have it,
 * in the order of their fields.
 *
 * A parameter that several operations have is there once, as far as their orders allow: it then keeps its value when the
 * user chooses another operation, and n8n reads and shows less.
 */
export function shownFor(resource: string, operations: Operations): INodeProperties[] {
	const all: Array<{ parameter: INodeProperties; content: string; names: string[] }> = [];
	for (const [name, { fields }] of Object.entries(operations)) {
		let next = 0;
		for (const parameter of propertiesOf(fields)) {
			const content = JSON.stringify(parameter);
			const at = all.findIndex((one, index) => index >= next && one.content === content);
			if (at >= 0) all[at].names.push(name);
			else all.splice(next, 0, { parameter, content, names: [name] });
			next = (at >= 0 ? at : next) + 1;
		}
	}
	return all.flatMap(({ parameter, names }) =>
		updateDisplayOptions({ show: { resource: [resource], operation: names } }, [parameter]),
	);
}
