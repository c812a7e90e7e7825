import type { IDataObject } from 'n8n-workflow';

import type { Conversion } from './conversion';
import { isObject, objectsOf } from './json';

/**
 * Makes a conversion that returns the rows of a fixed collection with only one kind of row.
 *
 * @param name name of that kind of row
 */
export function rowsOf(name: string): Conversion<IDataObject[]> {
	return (value) => (isObject(value) ? objectsOf(value[name]) : []);
}

/** Makes a conversion that returns the only row of a fixed collection; empty if the user did not add it. */
export function rowOf(name: string): Conversion<IDataObject> {
	return (value) => {
		const row = isObject(value) ? value[name] : undefined;
		return isObject(row) ? row : {};
	};
}

/** Returns an object unchanged; an empty object for any other value. */
export const objectOrEmpty: Conversion<IDataObject> = (value) => (isObject(value) ? value : {});
