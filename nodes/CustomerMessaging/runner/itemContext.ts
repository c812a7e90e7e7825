import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IGetNodeParameterOptions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import { fieldAt, fieldPath } from './fieldExpression';

/** Reads a parameter of an item. It returns undefined if n8n has to evaluate the parameter. */
type Reader = (item: INodeExecutionData) => string | number | boolean | undefined;

const LEFT_TO_N8N: Reader = () => undefined;

/**
 * Makes the reader of a fixed value or of an expression that only names a field. n8n returns the same value some
 * hundred times slower.
 */
function readerOf(raw: unknown): Reader {
	if (typeof raw === 'number' || typeof raw === 'boolean') return () => raw;
	if (typeof raw !== 'string') return LEFT_TO_N8N;
	if (!raw.startsWith('=')) return () => raw;
	const path = fieldPath(raw);
	if (!path) return LEFT_TO_N8N;
	return ({ json }) => {
		const value = fieldAt(json, path);
		return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
			? value
			: undefined;
	};
}

/** Returns the value of a resource locator. The modes in this package do not transform the value. */
function locatorValue(raw: unknown): unknown {
	return typeof raw === 'object' && raw !== null && '__rl' in raw ? (raw as IDataObject).value : raw;
}

/** Makes the contexts of a batch's items. */
export class ItemContexts {
	private readonly readers = new Map<string, Reader>();

	private readonly parameters: INodeParameters;

	private readonly items: INodeExecutionData[];

	constructor(private readonly batch: IExecuteFunctions) {
		this.parameters = batch.getNode().parameters;
		this.items = batch.getInputData();
	}

	/** Returns the same context that n8n's routing engine makes for this item. */
	of(index: number): IExecutePaginationFunctions {
		const { batch, items } = this;
		const getNodeParameter = (name: string, fallback?: object, options?: IGetNodeParameterOptions) =>
			this.quickly(name, items[index], options) ?? batch.getNodeParameter(name, index, fallback, options);
		const helpers: Partial<IExecutePaginationFunctions['helpers']> = {
			assertBinaryData: (field) => batch.helpers.assertBinaryData(index, field),
			getBinaryDataBuffer: async (field) => await batch.helpers.getBinaryDataBuffer(index, field),
		};
		const ownMembers = {
			getItemIndex: () => index,
			getInputData: () => items[index],
			getNodeParameter,
			evaluateExpression: (expression: string) => batch.evaluateExpression(expression, index),
			getCredentials: async (type: string) => await batch.getCredentials(type, index),
			helpers: Object.assign(Object.create(batch.helpers) as object, helpers),
		};
		// All other members are the same for all items.
		return Object.assign(Object.create(batch) as IExecutePaginationFunctions, ownMembers);
	}

	private quickly(name: string, item: INodeExecutionData, options: IGetNodeParameterOptions = {}): unknown {
		const { extractValue = false, ...others } = options;
		if (Object.keys(others).length > 0) return undefined;
		const key = `${String(extractValue)} ${name}`;
		let reader = this.readers.get(key);
		if (!reader) {
			const raw = name
				.split('.')
				.reduce<unknown>(
					(value, part) =>
						typeof value === 'object' && value !== null && Object.hasOwn(value, part)
							? (value as IDataObject)[part]
							: undefined,
					this.parameters,
				);
			this.readers.set(key, (reader = readerOf(extractValue ? locatorValue(raw) : raw)));
		}
		return reader(item);
	}
}
