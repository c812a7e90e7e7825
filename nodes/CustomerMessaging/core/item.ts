import {
	type IDataObject,
	type IGetNodeParameterOptions,
	type IHttpRequestMethods,
	type INodeExecutionData,
	NodeOperationError,
	type NodePropertyTypes,
} from 'n8n-workflow';

import type { Api } from '../api/client';
import type { ServiceRequest } from '../api/exchange';
import type { Reading } from '../values/parse';
import { emptyValue, isBlank } from '../values/text';
import type { VisibleField } from './displayedFields';
import type { ItemContext, Setting } from './field';
import { fieldError, itemError, parseField } from './fieldError';

export interface ItemRequest<Members> extends ServiceRequest {
	method: IHttpRequestMethods;
	/** Values of the path parameters, before URL encoding. */
	path: Record<string, string>;
	body: Partial<Members>;
}

export type ValueOf<S extends Setting> = S extends Setting<string, infer Value> ? Value : never;

/** Makes the output items from the content of a response. */
export interface Output<Settings extends Setting = never> {
	/** Only for the compiler. */
	readonly reads?: Settings;
	/** The fields that the output keeps; undefined if it keeps all fields. */
	keeps?: readonly string[];
	/** @throws Failure when the interface does not allow the content */
	itemsOf(content: unknown, item: Item<Settings>, request: ItemRequest<object>): INodeExecutionData[];
	/** Makes the fields that a failed item has beside its error. Its request may lack anything. */
	failed?(item: Item, error: Error): IDataObject;
}

/** What happened to an item whose write is done, as `Api.note` takes it. */
export const UNREAD = 'were carried out, but the response could not be read';

/** How n8n reads a value. It would itself fail the item if a form lacks a required value, and would name it by its ID. */
const BY_TYPE: Partial<Record<NodePropertyTypes, IGetNodeParameterOptions>> = {
	resourceLocator: { extractValue: true },
	resourceMapper: { skipValidation: true },
};

/** One input item of a run: its settings, parsed, its request, and what comes out of it. */
export class Item<Settings extends Setting = never, Members = object> {
	request: ItemRequest<Members> = { method: 'GET', url: '', path: {}, qs: {}, body: {} };

	/** What is wrong with the fields, if the operation collects it, or its steps find it before they send anything. */
	readonly problems: NodeOperationError[] = [];

	/** What the steps of the item get to know of its person, for the output. */
	readonly known: IDataObject = {};

	/** The fields that count for it. */
	readonly shown: VisibleField[] = [];

	private readonly values = new Map<string, unknown>();

	readonly api: Api;

	constructor(
		readonly context: ItemContext,
		private readonly makes: Output<Setting> = { itemsOf: () => [] },
	) {
		this.api = context.api;
	}

	/** Returns the parsed value of a setting. @throws NodeOperationError that names it, if its value is unusable */
	get<S extends Settings>({ path, parameter, parse }: S, reading?: Reading): ValueOf<S> {
		if (reading || !this.values.has(path)) {
			const { displayName, required = false, type } = parameter;
			const given: unknown = this.context.getNodeParameter(path, parameter.default as object, BY_TYPE[type]);
			// People switch an option on by adding it, so an empty value of one is off.
			const value = type === 'boolean' && path.includes('.') && isBlank(given) ? false : given;
			if (required && isBlank(value)) throw fieldError(this.context, displayName, emptyValue());
			this.values.set(path, parseField(this.context, displayName, parse, value, undefined, reading));
		}
		return this.values.get(path) as ValueOf<S>;
	}

	/** Gives a setting its default, because its own value is unusable. */
	reset({ path, parameter, parse }: Setting): void {
		this.values.set(path, parse(parameter.default));
	}

	/** Whether the node displays a setting. A setting that is not displayed may hold any value. */
	shows(setting: Settings): boolean {
		return this.shown.some(({ path }) => path === setting.path);
	}

	/** Makes the output items from the content of a response, to the item's own request or another. */
	output(content: unknown, request: ItemRequest<object> = this.request): INodeExecutionData[] {
		const item = this as unknown as Item<Setting>;
		if (request.method === 'GET') return this.makes.itemsOf(content, item, request);
		try {
			return this.makes.itemsOf(content, item, request);
		} catch {
			// A failure would have the node send again what it has sent.
			this.api.note(UNREAD);
			return [{ json: { success: true } }];
		}
	}

	/** Makes the fields of the item beside an error. */
	failed(error: Error): IDataObject {
		return this.makes.failed?.(this as unknown as Item, error) ?? {};
	}

	/** Makes an error about this item. */
	error(message: string, description: string): NodeOperationError {
		return itemError(this.context, message, description);
	}
}
