import type { IDataObject } from 'n8n-workflow';

import type { Conversion } from './conversion';
import { isObject } from './json';

/** Returns an object unchanged; an empty object for any other value. */
export const objectOrEmpty: Conversion<IDataObject> = (value) => (isObject(value) ? value : {});
