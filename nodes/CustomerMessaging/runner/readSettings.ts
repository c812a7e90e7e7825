import { type IGetNodeParameterOptions, NodeOperationError } from 'n8n-workflow';

import { EMPTY, isBlank } from '../values/text';
import type { ItemContext, Setting } from './field';
import { converted, fieldError } from './fieldError';
import type { Read, ValueOf } from './operation';

/** n8n itself would fail the item if a form lacks a required value, and would name the value by its ID. */
const OF_FORM: IGetNodeParameterOptions = { skipValidation: true };

/** Makes the function that reads the settings of one item. It converts each setting only once. */
export function readerOf(context: ItemContext): Read<Setting> {
	const known = new Map<string, { by: unknown; value: unknown }>();
	return <S extends Setting>({ path, parameter, convert }: S) => {
		// A flow may read a parameter by another conversion than the field has.
		if (known.get(path)?.by !== convert) {
			const { displayName, required = false, type } = parameter;
			const options = type === 'resourceMapper' ? OF_FORM : undefined;
			const value = context.getNodeParameter(path, parameter.default as object, options) as unknown;
			if (required && isBlank(value)) throw fieldError(context, displayName, EMPTY);
			known.set(path, { by: convert, value: converted(context, displayName, convert, value) });
		}
		return known.get(path)?.value as ValueOf<S>;
	};
}

/** Makes a reader that returns the default of a setting whose value is unusable. */
export function leniently(read: Read<Setting>): Read<Setting> {
	return <S extends Setting>(setting: S) => {
		try {
			return read(setting);
		} catch (error) {
			if (error instanceof NodeOperationError)
				return setting.convert(setting.parameter.default) as ValueOf<S>;
		}
		// Throws what is no problem of the value.
		return read(setting);
	};
}
