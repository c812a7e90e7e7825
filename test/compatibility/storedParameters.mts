import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';

/** What n8n adds to a node that is installed. */
const ADDED_BY_N8N = new Set(['pollTimes', '__CUSTOM_API_CALL__']);

const rest = (value: unknown) => (value === undefined ? '' : ` ${JSON.stringify(value)}`);

const isProperty = (one: object): one is INodeProperties => 'type' in one;
const isGroup = (one: object): one is INodePropertyCollection => 'values' in one;

/** When a parameter is shown, apart from its operation, which stands in its path. */
function conditionsOf(show: Record<string, unknown> = {}): object | undefined {
	const others = Object.entries(show).filter(([name]) => name !== 'resource' && name !== 'operation');
	return others.length > 0 ? Object.fromEntries(others) : undefined;
}

function* linesOf(property: INodeProperties, path: string): Generator<string> {
	const { type, default: standard, required, noDataExpression, typeOptions, displayOptions } = property;
	const flags = [required && ' required', noDataExpression && ' noDataExpression'].filter(Boolean).join('');
	yield `${path}: ${type}${flags}, default ${JSON.stringify(standard)}${rest(typeOptions)}${rest(conditionsOf(displayOptions?.show))}${rest(displayOptions?.hide)}`;
	for (const { name, type: mode, typeOptions: search } of property.modes ?? []) {
		yield `${path} by ${name}: ${type === 'resourceLocator' ? mode : ''}${rest(search)}`;
	}
	for (const option of property.options ?? []) {
		if (ADDED_BY_N8N.has(String((option as INodePropertyOptions).value))) continue;
		if (isGroup(option))
			for (const inner of option.values) yield* linesOf(inner, `${path}.${option.name}.${inner.name}`);
		else if (isProperty(option)) yield* linesOf(option, `${path}.${option.name}`);
		else yield `${path} = ${JSON.stringify(option.value)} (${option.name})`;
	}
}

/** A parameter's paths, each with an operation that it belongs to. */
function pathsOf({ name, displayOptions }: INodeProperties): string[] {
	const { resource, operation = [''] } = displayOptions?.show ?? {};
	return operation.map((one) => {
		const owner = [...(resource ?? []), one].filter(Boolean).join(' ');
		return owner === '' ? name : `${owner}: ${name}`;
	});
}

/** Everything that surrounds the parameters and that n8n or a saved workflow relies on. */
function headerOf(description: INodeTypeDescription): string {
	const { name, version, group, inputs, outputs, credentials, webhooks, usableAsTool, polling } = description;
	return JSON.stringify({
		...{ name, version, group, inputs, outputs, credentials, webhooks, usableAsTool, polling },
		...{ defaults: description.defaults, requestDefaults: description.requestDefaults },
	});
}

/** What saved workflows and n8n rely on of both nodes and both credentials, a line each, in the order of the editor. */
export async function storedParameters(): Promise<string[]> {
	const loader = await loadedPackage();
	const nodes = Object.keys(loader.nodeTypes).flatMap((name) => {
		const { description } = loader.getNode(name).type as { description: INodeTypeDescription };
		const shown = description.properties.filter((property) => !ADDED_BY_N8N.has(property.name));
		return [
			`# ${name}`,
			headerOf(description),
			...shown.flatMap((property) => pathsOf(property).flatMap((path) => [...linesOf(property, path)])),
		];
	});
	const credentials = Object.keys(loader.credentialTypes).flatMap((name) => {
		const { properties } = loader.getCredential(name).type as ICredentialType;
		return [`# ${name}`, ...properties.flatMap((property) => [...linesOf(property, property.name)])];
	});
	return [...nodes, ...credentials];
}
