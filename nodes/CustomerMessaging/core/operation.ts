import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { Endpoint } from '../contract/endpoints';
import type { AnyField, Setting } from './field';
import type { Item, Output } from './item';

/** Carries out an item that needs more than one plain request. */
export type Run<Settings extends Setting = never, Members = object> = (
	item: Item<Settings, Members>,
) => Promise<INodeExecutionData[]>;

/** What the runner knows of an operation that takes items one by one. */
export interface ItemOperation {
	endpoint: Endpoint | ((item: Item<Setting>) => Endpoint);
	fields: readonly AnyField[];
	output: Output<Setting>;
	/** Its steps, if it is more than one request. */
	run?: Run<Setting>;
	/** Whether what is wrong with the fields goes to the `problems` of the item, and an unusable setting has its default. */
	collects?: boolean;
}

export type RunAll = (context: RunContext<IExecuteFunctions>) => Promise<INodeExecutionData[]>;

/** What n8n's lists show of an operation. */
export interface OperationTexts {
	/** Its name among the operations of the resource; by default, the words of the name that workflows store. */
	name?: string;
	/** Its name among the actions of the node; by default, its name with that of the resource. */
	action?: string;
	/** Sums up the items of a run in a hint; undefined if there is nothing to tell. */
	countHint?: (items: INodeExecutionData[]) => string | undefined;
}

/** A complete operation: the editor can show it and the runner can run it. */
export interface Operation extends OperationTexts {
	description: string;
	endpoints: readonly Endpoint[];
	/**
	 * By the node's parameters as the workflow stores them; undefined if an expression chooses it. An empty text stands
	 * for the default.
	 */
	endpointOf: (chosen: (parameter: string) => string) => Endpoint | undefined;
	fields: readonly AnyField[];
	run: { each: ItemOperation } | { all: RunAll };
	/** Whether the execution waits for an answer to the one item. */
	waits?: boolean;
}

export type Operations = Record<string, Operation>;
