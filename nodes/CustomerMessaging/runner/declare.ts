import type {
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';
import { withApi } from '../api/client';
import type { RunContext } from '../api/client';
import { isExpression, NodeOperationError } from 'n8n-workflow';

import type { At, Body, Endpoint, PathPlace, Query } from '../contract/endpoints';
import { stringOf } from '../values/text';
import { allFailed, batchOfOne } from './batches';
import { failedItem, itemRunner, refuse } from './runItem';
import type { emptyCells } from './emptyValues';
import type { AnyField, EditorOnly, Flat, ItemContext, MemberField, PathField, Setting } from './field';
import { ItemContexts } from './itemContext';
import type {
	CompleteItems,
	Flow,
	Operation,
	OperationTexts,
	Output,
	Read,
	RunItem,
	ValueOf,
} from './operation';
import { readerOf } from './readSettings';
import { itemError } from './fieldError';

// Compile-time checks of a declaration. The fields get a string type with what is wrong with them, so they do not compile.

type Fits<Value, Expected> = [Expected] extends [never] ? false : [Value] extends [Expected] ? true : false;

type PathOf<Field> = Field extends Setting<infer Path> ? Path : never;

type PlaceOf<Field> = Field extends PathField<infer Place> ? Place : never;

/** What is wrong with a field; never if it fits. */
type ProblemOf<Field, E extends Endpoint, Members, Read> =
	Field extends MemberField<infer In, infer Member, infer Value>
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
	FlowSettings extends Setting = Setting,
	OutputSettings extends Setting = Setting,
	Members = object,
> extends OperationTexts {
	/** The fields in the order of the editor, each with the target of its value. */
	fields: readonly AnyField[];
	flow?: Flow<FlowSettings, Members>;
	output: Output<OutputSettings>;
	/** Sees the items of a run together, or of each item where n8n's routing engine runs the node. */
	completeItems?: CompleteItems;
}

interface Declaration<
	E extends Endpoint,
	Fields extends readonly AnyField[],
	FlowSettings extends Setting,
	OutputSettings extends Setting,
	Members,
> extends Declared<FlowSettings, OutputSettings, Members> {
	fields: Fields & Checked<Flat<Fields[number]>, E, Members, PathOf<FlowSettings> | PathOf<OutputSettings>>;
}

/**
 * Makes n8n's routing engine pass each item to `runItem` and send no request of its own. If an expression chooses the
 * resource, the operation would be the one of that name in any of them, so it is refused.
 */
function routingOf(
	endpoint: Endpoint,
	runItem: RunItem,
	completeItems?: CompleteItems,
): INodePropertyRouting {
	const [method, url] = endpoint.split(' ');
	return {
		request: { method: method as IHttpRequestMethods, url },
		operations: {
			async pagination() {
				const context = withApi(this);
				if (isExpression(this.getNode().parameters.resource)) return await refuse(context, 'Resource');
				const items = await runItem(context);
				await completeItems?.(items);
				return items;
			},
		},
	};
}

function itemOperation(
	{ flow, output, completeItems, ...declared }: Declared,
	endpoints: readonly Endpoint[],
	endpointOf: Operation['endpointOf'],
	endpointOfItem: Endpoint | ((read: Read<Setting>) => Endpoint),
): Operation {
	const each = itemRunner(endpointOfItem, declared.fields, output, flow);
	const routing = routingOf(endpoints[0], each, completeItems);
	return { ...declared, endpoints, endpointOf, keeps: output.keeps, run: { each }, routing, completeItems };
}

/**
 * Declares an operation. It does not compile if the interface has no such member or place, or another type; if a place
 * has no field; if nothing reads a setting, or the fields lack one that is read.
 */
export function operation<
	const E extends Endpoint,
	const Fields extends readonly AnyField[],
	FlowSettings extends Setting = never,
	OutputSettings extends Setting = never,
	Members = Body<E>,
>(endpoint: E, declaration: Declaration<E, Fields, FlowSettings, OutputSettings, Members>): Operation {
	return itemOperation(declaration, [endpoint], () => endpoint, endpoint);
}

/** Declares an operation whose endpoint depends on the value of a parameter. */
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
): Operation {
	const { name, default: usual } = choice.parameter;
	const byValue: Partial<Record<string, Endpoint>> = endpoints;
	return itemOperation(
		declaration,
		Object.values(endpoints),
		(chosen) => byValue[chosen(name) || stringOf(usual)],
		(read) => endpoints[read(choice)],
	);
}

const cannotWait = (context: ItemContext) =>
	itemError(
		context,
		'This operation cannot wait for an answer here',
		'Nothing was sent. Use it as a step of the workflow, with Resource and Operation chosen from their lists. To have people decide about the tools of an AI Agent, add it as the human review of a tool.',
	);

const oneAtATime = (context: IExecuteFunctions, count: number) =>
	new NodeOperationError(context.getNode(), `This operation takes one item at a time, but got ${count}`, {
		description:
			'Nothing was sent. An execution waits for one answer. Put the node Loop Over Items before this one, with a Batch Size of 1.',
	});

/**
 * Has n8n wait for an answer to the one item. Only n8n's engine can, when it runs the operation as a step. Where n8n
 * calls the node itself, as some AI agents and the MCP Server Trigger do, the operation is refused.
 */
export function waiting(one: Operation): Operation {
	const { run, endpoints } = one;
	if (!('each' in run)) return one;
	return {
		...one,
		run: {
			async all(context) {
				const { length } = context.getInputData();
				if (length > 1) return [await allFailed(context, oneAtATime(context, length))];
				return [await run.each(new ItemContexts(context).of(0))];
			},
		},
		routing: routingOf(endpoints[0], async (context) => await failedItem(context, cannotWait(context))),
	};
}

/** Runs all items together. `read` reads the settings of the first item, which count for all. */
type RunTogether<S extends Setting> = (
	context: RunContext<IExecuteFunctions>,
	read: Read<S>,
) => Promise<INodeExecutionData[]>;

/** Declares an operation that takes all items at once. n8n's routing engine runs each as a batch of its own. */
export function batchOperation<const Fields extends ReadonlyArray<EditorOnly | Setting>>(
	endpoint: Endpoint,
	{
		all,
		...declared
	}: OperationTexts & {
		fields: Fields;
		all: RunTogether<Extract<Fields[number], Setting>>;
	},
): Operation {
	const run = async (context: RunContext<IExecuteFunctions>) => {
		const read = readerOf(new ItemContexts(context).of(0));
		return await all(context, read).catch(async (failure: unknown) => await allFailed(context, failure));
	};
	return {
		...declared,
		endpoints: [endpoint],
		endpointOf: () => endpoint,
		run: {
			async all(context) {
				return [await run(context)];
			},
		},
		routing: routingOf(endpoint, async (context) => await batchOfOne(context, run)),
	};
}
