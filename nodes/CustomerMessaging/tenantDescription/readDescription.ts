import type { Endpoint } from '../contract/endpoints';
import { isObject, ownMember } from '../values/json';
import { type Problem, problem, TooLarge } from './descriptionProblem';
import { PartsReader } from './partsReader';
import { type DescribedFields, requestFields } from './requestFields';
import type { RequestPlace } from './requestSchema';

/** Maximum number of YAML aliases in one part. Some programs write them for what occurs twice. */
const MAX_ALIASES = 10_000;

/** Maximum length of a text whose aliases stand far from their anchors, so that it can only be parsed as a whole. */
const MAX_ALIASED = 128 * 1024;

const ALIASED = 'is longer than 128 kB, and has YAML aliases, which are read only in a shorter one';

async function parsed(text: string): Promise<unknown> {
	if (/^\s*\{/.test(text)) return await new PartsReader(text, JSON.parse, true).read();
	// Loaded only here, so that n8n does not load a parser at its start.
	const { CORE_SCHEMA, load, mergeTag, YAMLException } = await import('js-yaml');
	// YAML 1.2, with the merge key `<<` of YAML 1.1, which many people still use. If a key occurs twice, the last value
	// wins, as in JSON.
	const options = { schema: CORE_SCHEMA.withTags(mergeTag), json: true, maxAliases: MAX_ALIASES };
	const parse = (part: string) => load(part, options);
	const reading = new PartsReader(text, parse, false).read();
	return await reading.catch(async (error: unknown) => {
		const isFarAlias = error instanceof YAMLException && error.reason.startsWith('unidentified alias');
		if (!isFarAlias) return await reading;
		return text.length > MAX_ALIASED ? await Promise.reject(new TooLarge(ALIASED)) : parse(text);
	});
}

function problemOf(error: unknown): Problem {
	return problem(error instanceof TooLarge ? error.message : 'is not OpenAPI in YAML or JSON');
}

/**
 * Reads a tenant's description in YAML or JSON, without blocking n8n's only thread for long.
 *
 * @param places the requests whose fields are read
 * @returns the fields of each request or its problem; or one problem if the text is no OpenAPI description, or exceeds
 * the limits of the parser
 */
export async function readDescription(
	text: string,
	places: readonly RequestPlace[],
): Promise<Map<Endpoint, DescribedFields | Problem> | Problem> {
	try {
		const document = await parsed(text.replace(/^\uFEFF/, ''));
		if (!isObject(ownMember(document, 'paths'))) return problemOf(undefined);
		const found = new Map<Endpoint, DescribedFields | Problem>();
		for (const place of places) {
			const fields = await requestFields(document, place).catch((error: unknown) => problemOf(error));
			found.set(place.endpoint, fields);
		}
		return found;
	} catch (error) {
		return problemOf(error);
	}
}
