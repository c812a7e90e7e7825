import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

import type { Endpoint } from '../contract/endpoints';
import { isObject } from '../values/json';
import { type DescribedFields, requestFields } from './requestFields';
import type { RequestPlace } from './requestSchema';

/** Uses of anchors. A description that a generator wrote has none. */
const MAX_ALIASES = 10_000;

/** YAML 1.2, and the `<<` of YAML 1.1, which people go on writing. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

function parsed(text: string): unknown {
	if (/^\s*\{/.test(text)) return JSON.parse(text) as unknown;
	// Of keys that come twice the last one counts, as in JSON.
	return load(text, { schema: SCHEMA, json: true, maxAliases: MAX_ALIASES });
}

/**
 * Reads a tenant's description, YAML or JSON.
 *
 * This module is a file of its own in the package. It is loaded when a description is read, so that n8n does not load a
 * parser at its start.
 *
 * @param places the requests whose fields are wanted
 * @throws Error when the text is no OpenAPI description, or is made to wear a parser out
 */
export function readDescription(
	text: string,
	places: readonly RequestPlace[],
): Map<Endpoint, DescribedFields> {
	const document = parsed(text);
	if (!isObject(document) || !isObject(document.paths)) throw new Error('No OpenAPI description');
	return new Map(places.map((place) => [place.endpoint, requestFields(document, place)]));
}
