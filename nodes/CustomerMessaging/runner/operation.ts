import type {
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodePropertyRouting,
	NodeOperationError,
} from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import type { ServiceResponse, ServiceRequest } from '../transport/request';
import type { Reading } from '../values/conversion';
import type { DisplayedField } from './displayedFields';
import type { AnyField, ItemContext, Setting } from './field';

/** The request of one item, made from its fields. */
export interface ItemRequest<Members> extends ServiceRequest {
	method: IHttpRequestMethods;
	/** Values of the path parameters, before URL encoding. */
	path: Record<string, string>;
	body: Partial<Members>;
}

/** The value of a setting. */
export type ValueOf<S extends Setting> = S extends Setting<string, infer Value> ? Value : never;

/**
 * Reads a setting of the item.
 *
 * @param reading what the item says about the value, such as the separator of its titles
 *
 * @throws NodeOperationError that names the setting, if its value is unusable
 */
export type Read<Settings extends Setting> = <S extends Settings>(
	setting: S,
	reading?: Reading,
) => ValueOf<S>;

/** Makes the reader of an item of a batch, by the item's index. */
export type ReadOfItem<Settings extends Setting> = (index: number) => Read<Settings>;

/** The data that a flow carries out an item with. */
export interface Item<Settings extends Setting, Members = object> {
	context: ItemContext;
	request: ItemRequest<Members>;
	read: Read<Settings>;
	/** Whether the node displays a setting. A setting that is not displayed may hold any value. */
	shows: (setting: Settings) => boolean;
	/**
	 * Makes the output items from a response of the service.
	 *
	 * @param sent the request that was sent, if it is not the item's own
	 */
	output: (answer: ServiceResponse, sent?: ItemRequest<object>) => INodeExecutionData[];
	/** What is wrong with the fields, if the flow collects it. The request is then without these fields. */
	problems: NodeOperationError[];
}

/** Carries out an item that needs more than one plain request. */
export interface Flow<Settings extends Setting = never, Members = object> {
	reads: readonly Settings[];
	run(item: Item<Settings, Members>): Promise<INodeExecutionData[]>;
	/**
	 * Whether unusable fields go to the flow as `problems`, and an unusable setting reads as its default. Otherwise they
	 * fail the item.
	 */
	collects?: boolean;
}

/** Turns a response into output items. */
export interface Output<Settings extends Setting = never> {
	reads: readonly Settings[];
	/** The fields that the output keeps; undefined if it keeps all fields. */
	keeps?: readonly string[];
	/** @throws NodeApiError when the interface does not allow the response */
	itemsOf(
		answer: ServiceResponse,
		item: Pick<Item<Settings>, 'context' | 'read' | 'request'>,
	): INodeExecutionData[];
}

/**
 * Makes a flow.
 *
 * @param reads the settings that the flow reads
 */
export function flow<const Settings extends Setting, Members = object>(
	reads: readonly Settings[],
	run: Flow<Settings, Members>['run'],
	more: Pick<Flow<Settings, Members>, 'collects'> = {},
): Flow<Settings, Members> {
	return { reads, run, ...more };
}

/**
 * Runs one item.
 *
 * @param shown the fields that the node displays, if the caller already knows them
 */
export type RunItem = (context: ItemContext, shown?: DisplayedField[]) => Promise<INodeExecutionData[]>;

/** Runs all items together. */
export type RunItems = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/**
 * Completes the output items after the last one, with what only all of them together tell.
 *
 * @returns a hint about them; undefined if there is nothing to tell
 */
export type CompleteItems = (items: INodeExecutionData[]) => string | undefined;

/** What n8n's lists show of an operation. */
export interface OperationTexts {
	/** Its name among the operations of the resource. */
	name: string;
	/** Its name among the actions of the node. */
	action: string;
	description: string;
}

/** A complete operation: the editor can show it and the runner can run it. */
export interface Operation extends OperationTexts {
	/** One endpoint, or several if a parameter chooses between them. */
	endpoints: readonly Endpoint[];
	/**
	 * Returns the endpoint for the node's parameters as the workflow stores them; undefined if an expression chooses it.
	 *
	 * @param chosen returns a parameter's value, or an empty text for its default
	 */
	endpointOf: (chosen: (parameter: string) => string) => Endpoint | undefined;
	fields: readonly AnyField[];
	/** The record fields that the output keeps; undefined if it keeps all fields. */
	keeps?: readonly string[];
	/** The routing for n8n's routing engine. */
	routing: INodePropertyRouting;
	run: { each: RunItem } | { all: RunItems };
	completeItems?: CompleteItems;
}

/** Operations by the name that workflows store. */
export type Operations = Record<string, Operation>;
