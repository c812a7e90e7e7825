import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

import type { Endpoint } from '../contract/endpoints';
import { isObject } from '../values/json';
import { type DescribedFields, requestFields } from './requestFields';
import type { RequestPlace } from './requestSchema';

/** Maximum number of YAML aliases. A generated description has none. */
const MAX_ALIASES = 10_000;

/** YAML 1.2, with the merge key `<<` of YAML 1.1, which many people still use. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag);

function parsed(text: string): unknown {
	if (/^\s*\{/.test(text)) return JSON.parse(text) as unknown;
	// If a key occurs twice, the last value wins, as in JSON.
	return load(text, { schema: SCHEMA, json: true, maxAliases: MAX_ALIASES });
}

/**
 * Reads a tenant's description in YAML or JSON.
 *
 * The package contains this module as a separate file. The node loads it only to read a description. So n8n does not
 * load a parser at its start.
 *
 * @param places the requests whose fields are read
 * @throws Error when the text is not an OpenAPI description, or when it exceeds the limits of the parser
 */
export function readDescription(
	text: string,
	places: readonly RequestPlace[],
): Map<Endpoint, DescribedFields> {
	const document = parsed(text);
	if (!isObject(document) || !isObject(document.paths)) throw new Error('No OpenAPI description');
	return new Map(places.map((place) => [place.endpoint, requestFields(document, place)]));
}
