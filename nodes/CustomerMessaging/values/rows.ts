import type { IDataObject } from 'n8n-workflow';

import type { Conversion } from './conversion';
import { isObject, objectsOf } from './json';

/** The rows that a list of fields holds under the name of its only kind of row. */
export function rowsOf(name: string): Conversion<IDataObject[]> {
	return (value) => (isObject(value) ? objectsOf(value[name]) : []);
}

/** The one row that a group of fields holds, empty where it was not added. */
export function rowOf(name: string): Conversion<IDataObject> {
	return (value) => {
		const row = isObject(value) ? value[name] : undefined;
		return isObject(row) ? row : {};
	};
}

/** An object as it is; empty where there is none. */
export const objectOrEmpty: Conversion<IDataObject> = (value) => (isObject(value) ? value : {});
