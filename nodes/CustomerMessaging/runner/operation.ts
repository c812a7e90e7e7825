import type {
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodePropertyRouting,
	NodeOperationError,
} from 'n8n-workflow';

import type { Endpoint } from '../contract/endpoints';
import type { RunContext } from '../api/client';
import type { ServiceRequest } from '../api/exchange';
import type { Reading } from '../values/parse';
import type { DisplayedField } from './displayedFields';
import type { AnyField, ItemContext, Setting } from './field';

export interface ItemRequest<Members> extends ServiceRequest {
	method: IHttpRequestMethods;
	/** Values of the path parameters, before URL encoding. */
	path: Record<string, string>;
	body: Partial<Members>;
}

export type ValueOf<S extends Setting> = S extends Setting<string, infer Value> ? Value : never;

/** Reads a setting of the item. @throws NodeOperationError that names it, if its value is unusable */
export type Read<Settings extends Setting> = <S extends Settings>(
	setting: S,
	reading?: Reading,
) => ValueOf<S>;

export interface Item<Settings extends Setting, Members = object> {
	context: ItemContext;
	request: ItemRequest<Members>;
	read: Read<Settings>;
	/** Whether the node displays a setting. A setting that is not displayed may hold any value. */
	shows: (setting: Settings) => boolean;
	/** Makes the output items from the content of a response, to the item's own request or another. */
	output: (content: unknown, sent?: ItemRequest<object>) => INodeExecutionData[];
	/** What is wrong with the fields, if the flow collects it. The request is then without these fields. */
	problems: NodeOperationError[];
}

/** Carries out an item that needs more than one plain request. */
export interface Flow<Settings extends Setting = never, Members = object> {
	/** Only for the compiler, which checks that the operation shows what is read. */
	readonly reads?: Settings;
	run(item: Item<Settings, Members>): Promise<INodeExecutionData[]>;
	/** Whether unusable fields go to the flow as `problems`, and an unusable setting reads as its default. */
	collects?: boolean;
}

export interface Output<Settings extends Setting = never> {
	/** Only for the compiler. */
	readonly reads?: Settings;
	/** The fields that the output keeps; undefined if it keeps all fields. */
	keeps?: readonly string[];
	/** @throws NodeApiError when the interface does not allow the response */
	itemsOf(content: unknown, item: Pick<Item<Settings>, 'context' | 'read' | 'request'>): INodeExecutionData[];
}

/** Makes a flow, which reads these settings. */
export const flow = <Settings extends Setting = never, Members = object>(
	run: Flow<Settings, Members>['run'],
	more: Pick<Flow, 'collects'> = {},
): Flow<Settings, Members> => ({ run, ...more });

/** Runs one item, with the fields that the node displays, if the caller already knows them. */
export type RunItem = (context: ItemContext, shown?: DisplayedField[]) => Promise<INodeExecutionData[]>;

export type RunItems = (context: RunContext<IExecuteFunctions>) => Promise<INodeExecutionData[][]>;

/** Completes the output items after the last one. Returns a hint about them, if there is something to tell. */
export type CompleteItems = (items: INodeExecutionData[]) => Promise<string | undefined>;

/** What n8n's lists show of an operation. */
export interface OperationTexts {
	/** Its name among the operations of the resource; by default, the words of the name that workflows store. */
	name?: string;
	/** Its name among the actions of the node; by default, its name with that of the resource. */
	action?: string;
	description: string;
}

/** A complete operation: the editor can show it and the runner can run it. */
export interface Operation extends OperationTexts {
	endpoints: readonly Endpoint[];
	/**
	 * By the node's parameters as the workflow stores them; undefined if an expression chooses it. An empty text stands
	 * for the default.
	 */
	endpointOf: (chosen: (parameter: string) => string) => Endpoint | undefined;
	fields: readonly AnyField[];
	/** The record fields that the output keeps; undefined if it keeps all fields. */
	keeps?: readonly string[];
	routing: INodePropertyRouting;
	run: { each: RunItem } | { all: RunItems };
	completeItems?: CompleteItems;
}

export type Operations = Record<string, Operation>;
