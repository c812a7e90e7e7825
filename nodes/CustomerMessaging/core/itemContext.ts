import type {
	IDataObject,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	IGetNodeParameterOptions,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';

import type { RunContext } from '../api/client';
import type { ItemContext } from './field';
import { fieldAt, type FieldReader, fieldReader } from './fieldExpression';

/** Returns the value of a resource locator. The modes in this package do not transform the value. */
function locatorValue(raw: unknown): unknown {
	return typeof raw === 'object' && raw !== null && '__rl' in raw ? (raw as IDataObject).value : raw;
}

/** Makes the contexts of the items of a run. */
export class ItemContexts {
	private readonly readers = new Map<string, FieldReader>();
	private readonly parameters: INodeParameters;
	private readonly items: INodeExecutionData[];

	constructor(private readonly batch: RunContext<IExecuteFunctions>) {
		this.parameters = batch.getNode().parameters;
		this.items = batch.getInputData();
	}

	/** Returns the same context that n8n's routing engine makes for this item. */
	of(index: number): ItemContext {
		const { batch, readers, parameters, items } = this;
		const item = items[index];
		const getNodeParameter = (name: string, fallback?: object, options?: IGetNodeParameterOptions) => {
			const { extractValue = false, ...others } = options ?? {};
			if (Object.keys(others).length === 0) {
				const key = `${extractValue ? 'value' : 'whole'} ${name}`;
				let reader = readers.get(key);
				if (!reader) {
					const raw = fieldAt(parameters as IDataObject, name.split('.'));
					readers.set(key, (reader = fieldReader(extractValue ? locatorValue(raw) : raw)));
				}
				const value = reader(item.json);
				// n8n evaluates all other expressions, and copies lists and objects.
				if (['string', 'number', 'boolean'].includes(typeof value)) return value;
			}
			// n8n would look for the parameter among those of all operations, and none of them has a type to validate.
			return batch.getNodeParameter(name, index, fallback, { ...options, skipValidation: true });
		};
		const helpers: Partial<IExecutePaginationFunctions['helpers']> = {
			assertBinaryData: (field) => batch.helpers.assertBinaryData(index, field),
		};
		const ownMembers = {
			getItemIndex: () => index,
			getInputData: () => item,
			getNodeParameter,
			evaluateExpression: (expression: string) => batch.evaluateExpression(expression, index),
			helpers: Object.assign(Object.create(batch.helpers) as object, helpers),
		};
		// All other members are the same for all items.
		return Object.assign(Object.create(batch) as ItemContext, ownMembers);
	}
}
