import { isObject } from '../transport/envelope';
import { parseYaml } from './parseYaml';
import { REQUEST_PLACES, type RequestName } from './requestPlaces';
import { type DescribedFields, tenantFields } from './tenantFields';

/**
 * Reads a tenant's description, YAML or JSON.
 *
 * This module is a file of its own in the package. It is loaded when a description is read, so that n8n does not load a
 * parser at its start.
 *
 * @throws Error when the text is no OpenAPI description, or is made to wear a parser out
 */
export function readDescription(text: string): Record<RequestName, DescribedFields> {
	const document = /^\s*\{/.test(text) ? (JSON.parse(text) as unknown) : parseYaml(text);
	if (!isObject(document) || !isObject(document.paths)) throw new Error('No OpenAPI description');
	const names = Object.keys(REQUEST_PLACES) as RequestName[];
	return Object.fromEntries(
		names.map((name) => [name, tenantFields(document, REQUEST_PLACES[name])]),
	) as Record<RequestName, DescribedFields>;
}
