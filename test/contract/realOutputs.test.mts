import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import Ajv, { type AnySchema } from 'ajv';
import type { INodeProperties } from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';
import { expectNone } from '../engine/expectNone.mts';
import { type SentRequest, TestTenant } from '../engine/tenant.mts';
import { expectOnlyOpenFailures } from '../openFailures/openFailures.mts';
import { endpointOf, resolved, type Schema } from './contract.mts';
import { caseNames, runCase } from './runCase.mts';

const PROJECT = path.resolve(import.meta.dirname, '../..');

const tenant = TestTenant.inEachTest();

interface OutputSchema {
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/** The schema that the editor is given for an operation, out of the compiled package. */
function schemaOf(resource: string, operation: string): OutputSchema {
	const folder = path.join(PROJECT, 'dist/nodes/CustomerMessaging/__schema__/v1.0.0');
	const file = path.join(folder, resource, `${operation}.json`);
	expectNone(
		existsSync(file)
			? []
			: [`${path.relative(PROJECT, file)} is missing; run npm run schemas and npm run build`],
	);
	return JSON.parse(readFileSync(file, 'utf8')) as OutputSchema;
}

/** Members of a value that a schema does not name. What it says nothing about inside may be anything. */
function unnamed(value: unknown, schema: OutputSchema, prefix = ''): string[] {
	if (Array.isArray(value)) {
		const { items } = schema;
		return items ? value.flatMap((element) => unnamed(element, items, `${prefix}[]`)) : [];
	}
	if (typeof value !== 'object' || value === null || !schema.properties) return [];
	const { properties } = schema;
	return Object.entries(value).flatMap(([name, member]) => {
		const field = prefix ? `${prefix}.${name}` : name;
		return name in properties ? unnamed(member, properties[name], field) : [field];
	});
}

/** Members of a value whose type is another than the schema says; null is a type. */
function mistyped(value: unknown, schema: OutputSchema): string[] {
	const ajv = new Ajv({ allErrors: true, strict: false });
	const validate = ajv.compile(schema as AnySchema);
	if (validate(value)) return [];
	return (validate.errors ?? []).map(({ instancePath, message }) => {
		const names = instancePath.split('/').slice(1);
		const given = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], value);
		const field = names.map((name) => (/^\d+$/.test(name) ? '[]' : `.${name}`)).join('');
		return `${field.replace(/^\./, '')} ${String(message)}${given === null ? ', and is null' : ''}`;
	});
}

/** Names of all members that a schema of the contract shows, at every level. */
function namesIn(schema: Schema): string[] {
	const { properties = {}, items, allOf = [], anyOf = [], oneOf = [] } = resolved(schema);
	const parts = [...Object.values(properties), ...(items ? [items] : []), ...allOf, ...anyOf, ...oneOf];
	return [...Object.keys(properties), ...parts.flatMap(namesIn)];
}

/** Names of all members that the interface shows for the answers to these requests. */
const shownFor = (requests: SentRequest[]) =>
	new Set(
		requests.flatMap(({ method, path: requestPath }) => {
			const { answer } = endpointOf(method, requestPath) ?? {};
			return answer ? namesIn(answer) : [];
		}),
	);

/** Whether the node itself says which members an operation keeps. */
async function isSimplified(resource: string, operation: string): Promise<boolean> {
	const { description } = (await loadedPackage()).getNode('customerMessaging').type as {
		description: { properties: INodeProperties[] };
	};
	return description.properties.some(({ name, displayOptions }) => {
		const { resource: resources, operation: operations } = displayOptions?.show ?? {};
		return name === 'simple' && resources?.includes(resource) && operations?.includes(operation);
	});
}

/** What is wrong, by operation and field; the list of open failures has to name the same. */
const found = new Map<string, string>();
const checked = new Set<string>();

describe.each([
	['simplified', {}],
	['raw', { simple: false }],
])('%s', (form, parameters) => {
	it.each(caseNames)('%s', async (name) => {
		const { case: one, output, requests } = await runCase(tenant, name, {}, parameters);
		const { resource, operation } = one;
		const schema = schemaOf(resource, operation);
		const isChosen = form === 'simplified' && (await isSimplified(resource, operation));
		const shown = shownFor(requests);
		// Records may have members that the interface does not show: only what the node or the interface names is missed.
		const isNamed = (field: string) => isChosen || shown.has(field.split('.').at(-1) ?? field);
		for (const { json } of output) {
			const problems = [
				...mistyped(json, schema),
				...unnamed(json, schema)
					.filter(isNamed)
					.map((field) => `${field} is not in the schema`),
			];
			// What both forms have in common is one failure, not two.
			for (const problem of problems) {
				const common = `${resource}: ${operation}: ${problem}`;
				if (form === 'raw' && found.has(common)) continue;
				found.set(form === 'raw' ? `${common} (raw)` : common, JSON.stringify(json).slice(0, 200));
			}
		}
		if (output.length > 0) checked.add(`${form} ${resource}: ${operation}`);
	});
});

it('every operation gave out something to look at', () => {
	const operations = new Set(caseNames.map((name) => name.replace(/ \(\d+\)$/, '')));
	const wanted = ['simplified', 'raw'].flatMap((form) => [...operations].map((name) => `${form} ${name}`));
	expect(wanted.filter((name) => !checked.has(name))).toEqual([]);
});

it('every output is as its schema says, but for what is known', () => {
	expectOnlyOpenFailures('schemas', found);
});
