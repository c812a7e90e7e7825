import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { executionOf } from '../transport/execution';
import { wait } from '../transport/pace';
import { itemFailure, send } from '../transport/send';
import { Breather } from './breather';
import { ItemContexts } from './itemContext';
import { beginsAfter, connectionOptions } from './requestOptions';
import { type RoutedParameter, routingPlan } from './routingPlan';

type RequestData = DeclarativeRestApiSettings.ResultOptions;

/** Sends what one item asks for. */
type Flow = (this: IExecutePaginationFunctions, requestData: RequestData) => Promise<INodeExecutionData[]>;

/** An operation that gets all items at once. */
export type BatchOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Operations by resource and name. */
export type Operations = Record<string, Record<string, BatchOperation>>;

/** Sets a member, `a.b` within the member `a`. */
function setMember(target: IDataObject, path: string, value: unknown): void {
	const names = path.split('.');
	const last = names.pop() as string;
	const parent = names.reduce((at, name) => (at[name] ??= {}) as IDataObject, target);
	parent[last] = value as IDataObject[string];
}

/** The request of one item before anything is sent, and what sends it. */
async function requestOf(context: IExecutePaginationFunctions, plan: RoutedParameter[]) {
	const qs: IDataObject = {};
	const body: IDataObject = {};
	const data: RequestData = { options: { url: '' }, preSend: [], postReceive: [], requestOperations: {} };
	let declared: Partial<IHttpRequestOptions> = {};
	let flow: Flow = send;
	for (const { name, isLocator, routing } of plan) {
		const { request, send: sent, output, operations } = routing;
		if (request) declared = { ...declared, ...(request as Partial<IHttpRequestOptions>) };
		if (typeof operations?.pagination === 'function') flow = operations.pagination as Flow;
		if (sent?.property !== undefined) {
			const value = context.getNodeParameter(name, undefined, { extractValue: isLocator });
			setMember(sent.type === 'query' ? qs : body, sent.property, value);
		}
		if (sent?.preSend) data.preSend.push(...sent.preSend);
		if (output?.postReceive)
			data.postReceive.push({ data: { parameterValue: undefined }, actions: output.postReceive });
	}
	let options = { ...connectionOptions(context), qs, body, ...declared } as IHttpRequestOptions;
	for (const preSend of data.preSend) options = await preSend.call(context, options);
	data.options = options;
	return { data, flow };
}

/**
 * Makes the batch form of an operation that is declared by `routing`.
 *
 * n8n's own routing engine begins all items at once and evaluates each parameter several times, once for every property of
 * that name in the description. Here an item is begun when its requests have a chance to go out, each of its parameters is
 * read once, and a stopped execution begins no more. The declaration and what it sends stay the same.
 *
 * After a failure that stops the run no further item is begun.
 *
 * @param properties those of the description that belong to the operation
 */
function declarativeOperation(
	description: INodeTypeDescription,
	properties: INodeProperties[],
): BatchOperation {
	return async function () {
		const items = this.getInputData();
		const plan = routingPlan(description, properties, this.getNode());
		const contexts = new ItemContexts(this);
		const requestOptions = this.getNodeParameter('requestOptions', 0, {}) as IDataObject;
		const signal = this.getExecutionCancelSignal();
		const breather = new Breather();
		const startedAt = Date.now();
		const outputs: INodeExecutionData[][] = items.map(() => []);
		const failures: Array<{ item: number; error: unknown }> = [];
		let next = 0;

		const runItem = async (item: number): Promise<INodeExecutionData[]> => {
			const context = contexts.of(item);
			let prepared;
			try {
				prepared = await requestOf(context, plan);
			} catch (error) {
				return itemFailure(context, error);
			}
			return await prepared.flow.call(context, prepared.data);
		};

		const lane = async () => {
			while (next < items.length && failures.length === 0 && !signal?.aborted) {
				const item = next++;
				const early = startedAt + beginsAfter(requestOptions, item) - Date.now();
				if (early > 0) await wait(early, signal);
				await breather.breathe();
				try {
					outputs[item] = await runItem(item);
				} catch (error) {
					failures.push({ item, error });
				}
			}
		};

		// A credential that cannot be used is a failure of the items.
		const lanes = await executionOf(this).then(
			({ pace }) => pace.most,
			() => 1,
		);
		await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
		const [first] = failures.sort((a, b) => a.item - b.item);
		if (first) throw first.error;
		return [outputs.flat()];
	};
}

/** Whether a property is shown for that value of `resource` or `operation`, as far as it says so. */
function isShownFor({ displayOptions }: INodeProperties, name: string, value: string): boolean {
	const values = displayOptions?.show?.[name];
	return !Array.isArray(values) || values.includes(value);
}

/**
 * The batch form of all operations of a description.
 *
 * @param own operations that are not declared by `routing`
 */
export function batchOperations(
	description: INodeTypeDescription,
	own: Operations,
): NonNullable<INodeType['customOperations']> {
	const operations: Operations = {};
	for (const { displayOptions, options } of description.properties.filter(
		({ name }) => name === 'operation',
	)) {
		const resource = String(displayOptions?.show?.resource?.[0]);
		const ofResource = description.properties.filter((property) =>
			isShownFor(property, 'resource', resource),
		);
		operations[resource] = Object.fromEntries(
			(options as INodePropertyOptions[]).map(({ value }) => {
				const operation = String(value);
				const properties = ofResource.filter((property) => isShownFor(property, 'operation', operation));
				return [operation, own[resource]?.[operation] ?? declarativeOperation(description, properties)];
			}),
		);
	}
	return operations;
}
