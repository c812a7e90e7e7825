import type {
	IExecuteFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import type { Answer } from '../transport/request';
import type { DisplayedField } from './displayedFields';
import type { AnyField, ItemContext, Setting } from './field';

/** The request of one item, as its fields make it. */
export interface ItemRequest<Members> extends IHttpRequestOptions {
	method: IHttpRequestMethods;
	/** Values for the places of the path, as they were given. */
	path: Record<string, string>;
	body: Partial<Members>;
}

/** The value of a setting. */
export type ValueOf<S extends Setting> = S extends Setting<string, infer Value> ? Value : never;

/** Reads a setting of the item. @throws NodeOperationError that names it, when its value cannot be used */
export type Read<Settings extends Setting> = <S extends Settings>(setting: S) => ValueOf<S>;

/** What an item is carried out with. */
export interface Item<Settings extends Setting, Members = object> {
	context: ItemContext;
	request: ItemRequest<Members>;
	read: Read<Settings>;
	/** Whether the node shows a setting; what is not shown may hold anything. */
	shows: (setting: Settings) => boolean;
	/** Makes the items that come out from an answer of the service. */
	output: (answer: Answer) => INodeExecutionData[];
}

/** How an item is carried out where one request is not all of it. */
export interface Flow<Settings extends Setting = never, Members = object> {
	reads: readonly Settings[];
	run: (item: Item<Settings, Members>) => Promise<INodeExecutionData[]>;
}

/** What an answer is turned into. */
export interface Output<Settings extends Setting = never> {
	reads: readonly Settings[];
	/** The fields that it keeps, where it does not give all of them. */
	keeps?: readonly string[];
	/** @throws NodeApiError when the answer is something else than the interface shows */
	itemsOf: (
		answer: Answer,
		item: Pick<Item<Settings>, 'context' | 'read' | 'request'>,
	) => INodeExecutionData[];
}

/** @param reads the settings it reads */
export function flow<const Settings extends Setting, Members = object>(
	reads: readonly Settings[],
	run: Flow<Settings, Members>['run'],
): Flow<Settings, Members> {
	return { reads, run };
}

/**
 * Carries out one item.
 *
 * @param shown the fields that the node shows, where they are known already
 */
export type CarryOut = (context: ItemContext, shown?: DisplayedField[]) => Promise<INodeExecutionData[]>;

/** Carries out all items together. */
export type Batch = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** An operation, ready to be shown and carried out. */
export interface Operation {
	/** Its endpoint; several where a parameter chooses among them. */
	endpoints: readonly Endpoint[];
	/**
	 * The endpoint for the node's parameters as they stand in the workflow; undefined where an expression chooses.
	 *
	 * @param chosen gives a parameter's value, empty where it is its default
	 */
	endpointOf: (chosen: (parameter: string) => string) => Endpoint | undefined;
	fields: readonly AnyField[];
	/** The fields of its records that come out, where not all of them do. */
	keeps?: readonly string[];
	/** What n8n's routing engine is told about it. */
	routing: INodePropertyRouting;
	run: { each: CarryOut } | { all: Batch };
}

/** Operations by the name that workflows store. */
export type Operations = Record<string, Operation>;
