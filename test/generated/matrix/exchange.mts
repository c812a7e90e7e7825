import type {
	IBinaryData,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeProperties,
	ResourceMapperField,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { type NodeRun, type NodeRunOptions, runNode, workbench } from '../../engine/engine.mts';
import { PIXEL } from '../../engine/pixel.mts';
import type { Behaviour, ContractTenant, SeenRequest } from './contractTenant.mts';
import { fillerOf, isSet, kindOf } from './kinds.mts';
import { NOTED_FIELD, type ShownOperation, type ShownParameter } from './shownParameters.mts';

/** What a run of the node sent and gave back. */
export interface Exchange {
	requests: SeenRequest[];
	items: Array<{ json: IDataObject; binary?: Record<string, Pick<IBinaryData, 'fileName' | 'mimeType'>> }>;
	/** Message and description of what stopped the run. */
	error?: string;
}

/** Two binary fields, so that their name makes a difference. */
const BINARY = Object.fromEntries(
	['data', 'other'].map((name) => [
		name,
		{ data: PIXEL.toString('base64'), mimeType: 'image/png', fileName: `${name}.png` },
	]),
);

/** An item with these fields and two files. */
export const itemOf = (json: IDataObject): INodeExecutionData => ({ json, binary: BINARY });

/** What n8n finds wrong with parameters before it begins. */
async function issuesOf(parameters: INodeParameters): Promise<string[]> {
	const { node, nodeType } = await workbench({ parameters });
	const { description } = nodeType;
	const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
	return Object.values(issues?.parameters ?? {}).flat();
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a run waits with: the question as n8n keeps it, and until when, which does not differ from run to run. */
function waitingOf({ data }: NodeRun['run']): { askedQuestion: string; until: string } | undefined {
	const { waitTill, executionData } = data;
	if (!waitTill) return undefined;
	const { askedQuestion } = executionData?.contextData['node:Node'] ?? {};
	const left = waitTill.getTime() - Date.now();
	const until = left > 100 * DAY_MS ? waitTill.toISOString() : `${Math.ceil(left / 60_000)} minutes`;
	return { askedQuestion: String(askedQuestion), until };
}

/** The same as an item, without its secret. What such a run gives out meanwhile is its input. */
function itemsOf({ items, run }: Pick<NodeRun, 'items' | 'run'>): INodeExecutionData[] {
	const waiting = waitingOf(run);
	if (!waiting) return items;
	const { question } = JSON.parse(waiting.askedQuestion) as { question: IDataObject };
	return [{ json: { question, until: waiting.until } }];
}

/** A request without the secret of a link and its signature. */
const steady = (request: SeenRequest): SeenRequest => {
	const text = JSON.stringify(request);
	const { body } = JSON.parse(text.replace(/(question|signature)=[\w-]+/g, '$1=<$1>')) as SeenRequest;
	return text.includes('/webhook-waiting/') || text.includes('question=') ? { ...request, body } : request;
};

/**
 * A preview is judged by what it tells: the message that Send Template would send counts as sent, and what it would refuse
 * as an error.
 */
function previewed(tenant: ContractTenant, { request, problems, missing }: IDataObject) {
	if (request) return { request: tenant.seenAs('POST', '/chatapp/send-template', request) };
	const said = [...(problems as string[]), ...(missing as string[])];
	return { error: { message: said.join('\n'), description: undefined } };
}

/** How many there were. Each has a workflow of its own, so that none meets a key that another has used. */
let exchanges = 0;

/** Runs the node once. */
export async function exchange(
	tenant: ContractTenant,
	parameters: INodeParameters,
	items: INodeExecutionData[] = [itemOf({})],
	behaviour: Behaviour = {},
	options: Partial<NodeRunOptions> = {},
): Promise<Exchange> {
	const { credentials, leave } = tenant.expect(behaviour);
	const workflowId = `exchange ${++exchanges}`;
	const run = await runNode({ parameters, items, credentials, workflowId, ...options }).catch(
		async (issue: Error) => ({
			// n8n does not begin a workflow in which something required is missing.
			items: [],
			error: { message: issue.message, description: (await issuesOf(parameters)).join('\n') },
		}),
	);
	const output = 'run' in run ? itemsOf(run) : run.items;
	const requests = leave();
	const told = output.flatMap(({ json }) => (json.preview === true ? [previewed(tenant, json)] : []));
	requests.push(...told.flatMap(({ request = [] }) => request));
	const error = run.error ?? told.find((one) => one.error)?.error;
	return {
		requests: requests.map(steady),
		items: output.map(({ json: { input, ...json }, binary }) => ({
			// An imported row is given back as it was, which says nothing about its values.
			json: 'result' in json ? json : { ...json, ...(input !== undefined && { input }) },
			...(binary && {
				binary: Object.fromEntries(
					Object.entries(binary).map(([name, { fileName, mimeType }]) => [name, { fileName, mimeType }]),
				),
			}),
		})),
		...(error && { error: [error.message, error.description].filter(Boolean).join('\n') }),
	};
}

/** Requests that change something at the tenant. */
export const writesOf = ({ requests }: Exchange) => requests.filter(({ method }) => method !== 'GET');

/** What went out, without times, in an order that does not depend on the network. */
function sentBy(requests: SeenRequest[]): string[] {
	return requests
		.map(({ method, path, query, body }) => `${method} ${path} ${JSON.stringify({ query, body })}`)
		.sort();
}

/** Everything that a person would notice of an exchange, as text. */
export function noticed({ requests, items, error }: Exchange): string {
	return JSON.stringify({ requests: sentBy(requests), items, error });
}

/** Values by the path of their parameter. */
export type Values = Record<string, unknown>;

/** Parameters of which any one makes a record to write; the others stay away while one of them is looked at. */
const CONTENT = /^(updateFields|tenantFields|fields|options\.fieldsJson)\b/;

/** The row of a fixed collection that a parameter belongs to, by its path. */
function rowOf({ path, within }: ShownParameter): string | undefined {
	return within.at(-1)?.type === 'fixedCollection' ? path.slice(0, path.lastIndexOf('.')) : undefined;
}

/** A locator's value, by ID unless another mode is asked for. */
function stored({ type }: INodeProperties, value: unknown, mode = 'id'): unknown {
	const isWhole = typeof value === 'object' && value !== null && '__rl' in value;
	return type === 'resourceLocator' && !isWhole ? { __rl: true, mode, value } : value;
}

/** The parameters of an operation as a workflow keeps them. */
export class Parameters {
	readonly values: INodeParameters;

	constructor(
		operation: ShownOperation,
		private readonly shown: ShownParameter[],
	) {
		this.values = { resource: operation.resource, operation: operation.operation };
	}

	/** Puts a value where the editor keeps it. */
	put(parameter: ShownParameter, value: unknown, mode?: string): void {
		if (parameter.path === NOTED_FIELD) {
			this.values.templateText = { schema: [{ id: value as string }] };
			return;
		}
		const parts = parameter.path.split('.');
		let at = this.values as IDataObject;
		for (const { name, type, typeOptions } of parameter.within) {
			parts.shift();
			const inner = (at[name] ??= {}) as IDataObject;
			if (type === 'fixedCollection') {
				const group = String(parts.shift());
				const rows = inner[group] as IDataObject | IDataObject[] | undefined;
				inner[group] = rows ?? (typeOptions?.multipleValues ? [{}] : {});
				at = [inner[group]].flat()[0] as IDataObject;
			} else if (type === 'resourceMapper') {
				inner.mappingMode ??= 'defineBelow';
				const schema = (inner.schema ??= []) as unknown as ResourceMapperField[];
				if (parameter.field && !schema.some(({ id }) => id === parameter.field?.id))
					schema.push({ ...parameter.field, removed: false });
				at = (inner.value ??= {}) as IDataObject;
			} else {
				at = inner;
			}
		}
		at[parts.join('.')] = stored(parameter.property, value, mode) as IDataObject[string];
	}

	/** Takes an optional parameter out of what it stands in again; true where it stands in something. */
	remove({ path, within }: ShownParameter): boolean {
		const inside = within.at(-1)?.type;
		if (inside !== 'collection' && inside !== 'resourceMapper') return false;
		const parts = path.split('.');
		const last = parts.pop() as string;
		const [at] = parts.reduce<IDataObject[]>(
			([outer], part) => [outer[part]].flat() as IDataObject[],
			[this.values as IDataObject],
		);
		delete (inside === 'resourceMapper' ? (at.value as IDataObject) : at)[last];
		return true;
	}

	find(path: string): ShownParameter {
		const found = this.shown.find((parameter) => parameter.path === path);
		if (!found) throw new Error(`There is no parameter ${path}`);
		return found;
	}

	/** Whether the choices made so far show a parameter, as n8n finds it. */
	shows({ shownBy }: ShownParameter): boolean {
		return shownBy.some((way) => {
			for (const [path, value] of Object.entries(way)) {
				const chosen = this.valueAt(path);
				// Where an expression decides, n8n shows everything, and does not look at further conditions.
				if (String(chosen).startsWith('=')) return true;
				if (chosen !== value) return false;
			}
			return true;
		});
	}

	private valueAt(path: string): unknown {
		const set = path
			.split(/[.[\]]+/)
			.reduce<unknown>(
				(at, name) => (typeof at === 'object' && at !== null ? (at as IDataObject)[name] : undefined),
				this.values,
			);
		return set ?? this.shown.find((parameter) => parameter.path === path)?.property.default;
	}
}

/**
 * Parameters with which an operation can run, made from the description alone: what is required has a value, and a write
 * has something to write.
 *
 * @param tested what is looked at; other parameters that could stand in for it stay away
 * @param value its value, which may show or hide others
 * @param chosen values that are wanted elsewhere
 */
export function baseParameters(
	operation: ShownOperation,
	shown: ShownParameter[],
	tested: ShownParameter,
	value: unknown,
	chosen: Values = {},
): Parameters {
	const parameters = new Parameters(operation, shown);
	for (const [path, other] of Object.entries(chosen)) parameters.put(parameters.find(path), other);
	parameters.put(tested, value);
	const has = (path: string) => path in chosen || path === tested.path;
	const fill = (parameter: ShownParameter) => {
		if (!has(parameter.path)) parameters.put(parameter, fillerOf(parameter));
	};
	let hasSet = isSet(kindOf(tested)) && tested.within.length === 0;
	for (const parameter of shown) {
		const { path, property, within } = parameter;
		if (!parameters.shows(parameter)) continue;
		const inMapper = within.length === 1 && within[0].type === 'resourceMapper' && within[0].required;
		if (property.required && (within.length === 0 || inMapper)) fill(parameter);
		if (within.length === 0 && kindOf(parameter) === 'id set' && !property.required && !hasSet) {
			hasSet = true;
			fill(parameter);
		}
		if (path !== tested.path && rowOf(tested) !== undefined && rowOf(parameter) === rowOf(tested))
			fill(parameter);
	}
	if (![tested.path, ...Object.keys(chosen)].some((path) => CONTENT.test(path))) {
		const update = shown.find(({ path }) => path.startsWith('updateFields.'));
		for (const parameter of update ? [update] : shown.filter(({ path }) => path.startsWith('fields.field.')))
			fill(parameter);
	}
	return parameters;
}

/** Does the work for all, some at a time, and keeps the order. */
export async function inChunks<T, R>(all: T[], work: (one: T) => Promise<R>, size = 16): Promise<R[]> {
	const results: R[] = [];
	let next = 0;
	const lane = async () => {
		while (next < all.length) {
			const index = next++;
			results[index] = await work(all[index]);
		}
	};
	await Promise.all(Array.from({ length: size }, lane));
	return results;
}
