import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { CustomerMessaging } from '../nodes/CustomerMessaging/CustomerMessaging.node.ts';
import { operationsByResource } from '../nodes/CustomerMessaging/operations/index.ts';
import type { Operation } from '../nodes/CustomerMessaging/core/operation.ts';
import { endpoints, resolved, type Schema } from '../test/contract/contract.mts';

/** Where n8n looks for them, next to the node. */
const SCHEMA_FOLDER = path.resolve(import.meta.dirname, '../nodes/CustomerMessaging/__schema__');

interface OutputSchema {
	type?: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/** Types of members that the interface shows without one, or not at all: n8n's editor would call them empty. */
const USUAL_TYPES: Record<string, string> = { id: 'integer', phone_number: 'string', customer_id: 'integer' };

/**
 * The type of a member, with null last: n8n's editor shows the first one. It shows the members of an object, and the
 * elements of an array, only if that is the only type.
 */
function typeOf(type: Schema['type']): OutputSchema['type'] {
	if (!Array.isArray(type)) return type;
	const [one, ...others] = type.filter((name) => name !== 'null');
	const isNullable = others.length + 1 < type.length && one !== 'object' && one !== 'array';
	return isNullable ? [one, 'null'] : one;
}

/** A schema of the contract, reduced to what n8n's editor shows: types and names. */
function reduced(schema: Schema): OutputSchema {
	const { type, properties, items, allOf } = resolved(schema);
	if (allOf) {
		const parts = allOf.map(reduced);
		return { type: 'object', properties: Object.assign({}, ...parts.map((part) => part.properties)) };
	}
	const given = typeOf(type);
	return {
		...(given && { type: given }),
		...(properties && {
			properties: Object.fromEntries(
				Object.entries(properties).map(([name, member]) => {
					const { type: shown = USUAL_TYPES[name], ...others } = reduced(member);
					return [name, { ...(shown && { type: shown }), ...others }];
				}),
			),
		}),
		...(items && { items: reduced(items) }),
	};
}

const object = (properties: Record<string, OutputSchema>): OutputSchema => ({ type: 'object', properties });
const integer: OutputSchema = { type: 'integer' };
const text: OutputSchema = { type: 'string' };

const boolean: OutputSchema = { type: 'boolean' };
const textOrNull: OutputSchema = { type: ['string', 'null'] };
const listOf = (items: OutputSchema): OutputSchema => ({ type: 'array', items });

/** What a preview holds. */
const preview: Record<string, OutputSchema> = {
	...{ text, ready: boolean, missing: text, problems: text, consent: text },
	...{ name: text, phone_number: text, request: { type: 'object' } },
};

const finding = object({ row: integer, column: text, problem: text, hint: text, done: text });

/** Operations whose items are not what their endpoint answers. */
const OWN_OUTPUT: Record<string, OutputSchema> = {
	'customer: bulkDelete': object({ ids: { type: 'array', items: integer }, deleted: { type: 'boolean' } }),
	// Of a row, or of a summary.
	'customer: bulkImport': object({
		...{
			row: integer,
			name: text,
			number: text,
			result: text,
			reason: text,
			input: { type: 'object' },
		},
		...{ requests: integer, created_count: integer, updated_count: integer, skipped_count: integer },
		findings: listOf(finding),
	}),
	'file: download': object({ internal_uuid: text }),
	'message: previewTemplate': object(preview),
	'message: sendAndWait': object({
		data: object({ approved: { type: 'boolean' }, choice: text, text, respondedAt: text }),
		timedOut: { type: 'boolean' },
	}),
	'profile: export': object({
		...{ profile: { type: 'object' }, customer: { type: ['object', 'null'] } },
		...{ consent: { type: ['object', 'null'] }, activities: { type: ['array', 'null'] } },
		...{ tags: { type: ['array', 'null'] }, groups: { type: ['array', 'null'] } },
		...{ users: { type: ['array', 'null'] }, unreadable: { type: 'object' }, messages: text },
	}),
	'support: getOpenApi': object({ openapi: text, document: { type: 'object' } }),
};

/** What a simplified message of the trigger has that the interface has not. */
const summary: Record<string, OutputSchema> = {
	...{ text: textOrNull, template: textOrNull, language: textOrNull },
	...{ customer_id: { type: ['integer', 'null'] }, error: textOrNull },
	...{ error_code: integer, try_again: text },
};

/** What the row of a message has that the interface has not. */
const row: Record<string, OutputSchema> = {
	...{ result: text, reason: text, name: text, phone_number: text },
	...{ customer_id: integer, text, template: text, language: text },
	...{ send_once_key: text, send_after: text, error_code: integer, try_again: text },
};

/** What the items of an operation can also hold: members that the node adds, or that tenants give without the interface. */
const ALSO: Record<string, Record<string, OutputSchema>> = {
	'customer: create': { customer_id: integer, profile_id: integer },
	'customer: upsert': { customer_id: integer, profile_id: integer },
	'message: send': row,
	'message: sendTemplate': { ...row, profile_id: integer },
	'profile: setConsent': { customer_id: integer },
};

/** The items of one operation. */
function outputOf(
	resource: string,
	operation: string,
	{ endpoints: [target], run }: Operation,
): OutputSchema {
	const name = `${resource}: ${operation}`;
	const keeps = 'each' in run ? run.each.output.keeps : undefined;
	if (OWN_OUTPUT[name]) return OWN_OUTPUT[name];
	if (operation === 'delete') return object({ id: integer, deleted: { type: 'boolean' } });

	const endpoint = endpoints.find(({ method, path: template }) => `${method} ${template}` === target);
	if (!endpoint?.answer) throw new Error(`The contract has no JSON answer for ${name} (${target})`);
	const answer = reduced(endpoint.answer);
	const record = answer.properties?.data ?? answer;

	const set = /^(?:add|remove|set)(Groups?|Tags?|Users?)$/.exec(operation);
	if (set) {
		return object({ [`${resource}_id`]: integer, [set[1].toLowerCase().replace(/s?$/, 's')]: record });
	}
	if (name === 'customer: upsert') return object({ display_id: text, ...record.properties, ...ALSO[name] });

	const item = record.type === 'array' ? (record.items ?? object({})) : record;
	// Simplify can be off: what it keeps comes first, then the others.
	const kept = Object.fromEntries((keeps ?? []).map((field) => [field, { type: USUAL_TYPES[field] }]));
	const consent: Record<string, OutputSchema> = keeps?.includes('marketing_opt_in')
		? { marketing_opt_in: { type: ['boolean', 'integer', 'null'] } }
		: {};
	return object({ ...kept, ...item.properties, ...consent, ...ALSO[name] });
}

/** JSON in the format of the project: the types of a member stand on one line. */
const written = (schema: OutputSchema) =>
	`${JSON.stringify({ ...schema, version: 1 }, null, 2)}\n`.replace(
		/\[\s+("\w+"(?:,\s+"\w+")+)\s+\]/g,
		(_, types: string) => `[${types.replace(/\s+/g, ' ')}]`,
	);

/** A version of a node, as n8n writes it in paths. */
const folderOf = (version: number) => `v${[...String(version).split('.'), '0', '0'].slice(0, 3).join('.')}`;

/** The folders of the node's versions, and of the trigger's only one. */
const FOLDERS = [new CustomerMessaging().description.version].flat().map(folderOf);
const TRIGGER_FOLDER = folderOf(1);

/** What the trigger gives out: the message, with the event's own fields. */
function triggerOutput(): OutputSchema {
	const message = endpoints.find(({ operationId }) => operationId === 'createConversationMessage')?.answer;
	if (!message) throw new Error('The contract has no answer for createConversationMessage');
	const { properties } = reduced(message).properties?.data ?? {};
	return object({ ...summary, ...properties, event: object({ event: text }) });
}

/** The output schema of every operation and of the trigger, by its path below the schema folder. */
export function outputSchemas(): Map<string, string> {
	const schemas = new Map<string, string>();
	for (const [resource, operations] of Object.entries(operationsByResource)) {
		for (const [name, operation] of Object.entries(operations)) {
			const schema = written(outputOf(resource, name, operation));
			for (const folder of FOLDERS) schemas.set(`${folder}/${resource}/${name}.json`, schema);
		}
	}
	schemas.set(`${TRIGGER_FOLDER}.json`, written(triggerOutput()));
	return schemas;
}

/** The schemas as they are committed, in the same form as `outputSchemas`. */
export async function committedSchemas(): Promise<Map<string, string>> {
	const files = await readdir(SCHEMA_FOLDER, { recursive: true });
	const schemas = files.filter((file) => file.endsWith('.json'));
	return new Map(
		await Promise.all(
			schemas.map(
				async (file): Promise<[string, string]> => [
					file.split(path.sep).join('/'),
					await readFile(path.join(SCHEMA_FOLDER, file), 'utf8'),
				],
			),
		),
	);
}

/** Writes all of them anew. */
async function writeSchemas(): Promise<void> {
	await rm(SCHEMA_FOLDER, { recursive: true, force: true });
	for (const [file, content] of outputSchemas()) {
		const target = path.join(SCHEMA_FOLDER, file);
		await mkdir(path.dirname(target), { recursive: true });
		await writeFile(target, content);
	}
}

if (process.argv[1] === import.meta.filename) void writeSchemas();
