import { type IGetNodeParameterOptions, NodeOperationError, type NodePropertyTypes } from 'n8n-workflow';

import type { Reading } from '../values/parse';
import { emptyValue, isBlank } from '../values/text';
import type { ItemContext, Setting } from './field';
import { fieldError, parseField } from './fieldError';
import type { Read, ValueOf } from './operation';

/** How n8n reads a value. It would itself fail the item if a form lacks a required value, and would name it by its ID. */
const BY_TYPE: Partial<Record<NodePropertyTypes, IGetNodeParameterOptions>> = {
	resourceLocator: { extractValue: true },
	resourceMapper: { skipValidation: true },
};

/** Makes the function that reads the settings of one item. It converts each setting only once. */
export function readerOf(context: ItemContext): Read<Setting> {
	const known = new Map<string, unknown>();
	return <S extends Setting>({ path, parameter, parse }: S, reading?: Reading) => {
		if (reading || !known.has(path)) {
			const { displayName, required = false, type } = parameter;
			const given: unknown = context.getNodeParameter(path, parameter.default as object, BY_TYPE[type]);
			// A switch among the options is left out.
			const value = type === 'boolean' && path.includes('.') && isBlank(given) ? false : given;
			if (required && isBlank(value)) throw fieldError(context, displayName, emptyValue());
			known.set(path, parseField(context, displayName, parse, value, undefined, reading));
		}
		return known.get(path) as ValueOf<S>;
	};
}

/** Makes a reader that returns the default of a setting whose value is unusable. */
export function leniently(read: Read<Setting>): Read<Setting> {
	return <S extends Setting>(setting: S, reading?: Reading) => {
		try {
			return read(setting, reading);
		} catch (error) {
			if (error instanceof NodeOperationError) return setting.parse(setting.parameter.default) as ValueOf<S>;
		}
		// Throws what is no problem of the value.
		return read(setting, reading);
	};
}
