import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
	ResourceMapperField,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { editorOf, loadedPackage, newestVersion } from '../../engine/engine.mts';
import type { ContractTenant } from './contractTenant.mts';

/** An operation of the node, as its description has it. */
export interface ShownOperation {
	resource: string;
	operation: string;
	/** The parameters that are shown for it, those that depend on others included. */
	properties: INodeProperties[];
}

/** One thing that a person can fill in. */
export interface ShownParameter {
	/** Its path, e.g. `options.placeholders.placeholder.key`. */
	path: string;
	/** What it is; a field of a resource mapper is shown as a text, or by its own type. */
	property: INodeProperties;
	/** What it stands in, from the outside in. */
	within: INodeProperties[];
	/** What has to be chosen elsewhere for it to be shown, by path; each entry is one way. */
	shownBy: Array<Record<string, unknown>>;
	/** The field of a resource mapper that it is. */
	field?: ResourceMapperField;
}

export const nameOf = ({ resource, operation }: ShownOperation) => `${resource}: ${operation}`;

/** The description of the action node, as n8n has it after loading the package. */
export async function nodeDescription(): Promise<INodeTypeDescription> {
	const { type } = (await loadedPackage()).getNode('customerMessaging');
	return (type as { description: INodeTypeDescription }).description;
}

const isFor = ({ displayOptions }: INodeProperties, name: string, value: string) =>
	displayOptions?.show?.[name]?.includes(value) ?? true;

/** Whether a node in a workflow has the parameter, which is no tool of an agent. Tools have tests of their own. */
const isInWorkflows = ({ displayOptions }: INodeProperties) => displayOptions?.show?.['@tool'] === undefined;

/** Whether a node that somebody adds now has the parameter, and not only one of an earlier version. */
function isOfNewest(property: INodeProperties, typeVersion: number): boolean {
	const { '@version': versions } = property.displayOptions?.show ?? {};
	const ofVersions = { ...property, displayOptions: { show: { '@version': versions } } };
	return versions === undefined || NodeHelpers.displayParameter({}, ofVersions, { typeVersion }, null);
}

/** All operations in the order of the description. */
export function shownOperations(description: INodeTypeDescription): ShownOperation[] {
	const { properties } = description;
	const version = newestVersion(description);
	const chosen = properties.filter(({ name }) => name === 'operation');
	return chosen.flatMap(({ displayOptions, options }) => {
		const resource = String(displayOptions?.show?.resource?.[0]);
		return (options as INodePropertyOptions[])
			.map(({ value }) => String(value))
			.filter((operation) => operation !== '__CUSTOM_API_CALL__')
			.map((operation) => ({
				resource,
				operation,
				properties: properties.filter(
					(property) =>
						property.name !== 'operation' &&
						property.name !== 'resource' &&
						isInWorkflows(property) &&
						isOfNewest(property, version) &&
						isFor(property, 'resource', resource) &&
						isFor(property, 'operation', operation),
				),
			}));
	});
}

/** Whether a run looks at a part of the node only: a resource, or one operation, such as `profile: setTags`. */
const filter = process.env.RESOURCE_FILTER ?? '';
export const isWhole = filter === '';

/** Whether a run looks at an operation or a resource, by its name. */
export const isLookedAt = (name: string) => isWhole || name === filter || name.startsWith(`${filter}: `);

/**
 * The operations that the matrix looks at: all, or those that `RESOURCE_FILTER` names.
 *
 * @throws Error when it names none
 */
export async function matrixOperations(): Promise<ShownOperation[]> {
	const operations = shownOperations(await nodeDescription()).filter((one) => isLookedAt(nameOf(one)));
	if (operations.length === 0)
		throw new Error(`RESOURCE_FILTER=${filter}: the node has no such resource or operation`);
	return operations;
}

const hasCondition = (value: unknown, kind: string) =>
	kind in ((value as { _cnd?: object } | undefined)?._cnd ?? {});

/** All ways to meet the conditions of a property, as choices by path. */
function waysToShow(
	{ name, displayOptions = {} }: INodeProperties,
	siblings: string,
): Array<Record<string, unknown>> {
	for (const [key, values = []] of Object.entries(displayOptions.hide ?? {})) {
		// The text of a template is hidden until one is chosen, and a name by hand is none that was chosen with its language.
		const isOfTemplate =
			key === 'templateName' && values.every((value) => value === '' || typeof value === 'object');
		if (key !== '@tool' && !isOfTemplate)
			throw new Error('Conditions that hide a parameter are not understood');
	}
	let ways: Array<Record<string, unknown>> = [{}];
	for (const [key, values = []] of Object.entries(displayOptions.show ?? {})) {
		if (key === 'resource' || key === 'operation' || key === '@version') continue;
		// Whatever name is given by hand meets it.
		if (key === 'templateName' && values.every((value) => hasCondition(value, 'exists'))) continue;
		// A parameter of an earlier version, which is there while it has a value.
		if (key === name && values.every((value) => hasCondition(value, 'exists'))) continue;
		if (key.startsWith('@') || values.some((value) => typeof value === 'object')) {
			throw new Error(`The condition ${key} is not understood`);
		}
		const path = key.startsWith('/') ? key.slice(1) : `${siblings}${key}`;
		ways = ways.flatMap((way) => values.map((value) => ({ ...way, [path]: value })));
	}
	return ways;
}

/** A field of a resource mapper as the parameter that it looks like. */
function propertyOf({
	id,
	displayName,
	type = 'string',
	options,
	...field
}: ResourceMapperField): INodeProperties {
	const types = {
		boolean: 'boolean',
		number: 'number',
		options: 'options',
		array: 'json',
		object: 'json',
	} as const;
	// An error leaves out what a setting is now.
	const now = 'now' in field ? String(field.now) : '';
	return {
		displayName: displayName.slice(0, displayName.length - now.length),
		name: id,
		type: types[type as keyof typeof types] ?? (type === 'dateTime' ? 'dateTime' : 'string'),
		default: type === 'array' ? '[]' : '',
		required: field.required || ('isNeeded' in field && field.isNeeded === true),
		...(options && { options }),
	};
}

/** The fields that the editor offers for a resource mapper. */
async function mapperFields(
	tenant: ContractTenant,
	{ resource, operation }: ShownOperation,
	{ typeOptions, displayOptions }: INodeProperties,
): Promise<ResourceMapperField[]> {
	const method = String(typeOptions?.resourceMapper?.resourceMapperMethod);
	const { credentials, leave } = tenant.expect();
	// The first choices with which the editor displays it, and so asks for its fields.
	const choices = Object.entries(displayOptions?.show ?? {}).map(([name, values]) => [name, values?.[0]]);
	const { methods, context } = await editorOf({
		credentials,
		parameters: {
			...Object.fromEntries(choices),
			resource,
			operation,
			templateName: { __rl: true, mode: 'id', value: 'Alpha' },
			templateLanguage: 'Alpha',
		},
	});
	const { fields } = (await methods.resourceMapping?.[method].call(context)) ?? { fields: [] };
	leave();
	return fields;
}

/** What the editor notes about the chosen template, which decides what else is shown. */
export const NOTED_FIELD = 'templateText.schema[0].id';

/** Whether nobody fills it in: in a mode that n8n does not know, a form only shows its notice. */
const isOnlyShown = ({ default: preset }: INodeProperties) =>
	(preset as { mappingMode?: string }).mappingMode === 'shown';

/** Everything that can be filled in for an operation, collections and resource mappers taken apart. */
export async function shownParameters(
	tenant: ContractTenant,
	operation: ShownOperation,
): Promise<ShownParameter[]> {
	const found: ShownParameter[] = [];

	const add = async (
		property: INodeProperties,
		prefix: string,
		within: INodeProperties[],
		outer: Array<Record<string, unknown>>,
	): Promise<void> => {
		if (property.type === 'hidden') return;
		const path = `${prefix}${property.name}`;
		const shownBy = outer.flatMap((way) =>
			waysToShow(property, prefix).map((inner) => ({ ...way, ...inner })),
		);
		const inside = [...within, property];
		if (property.type === 'collection') {
			for (const option of property.options as INodeProperties[])
				await add(option, `${path}.`, inside, shownBy);
		} else if (property.type === 'fixedCollection') {
			for (const { name, values } of property.options as INodePropertyCollection[])
				for (const value of values) await add(value, `${path}.${name}.`, inside, shownBy);
		} else if (property.type === 'resourceMapper' && isOnlyShown(property)) {
			const noted: INodeProperties = { displayName: '', name: 'id', type: 'notice', default: '' };
			found.push({ path: NOTED_FIELD, property: noted, within, shownBy });
		} else if (property.type === 'resourceMapper') {
			for (const field of await mapperFields(tenant, operation, property)) {
				found.push({
					path: `${path}.${field.id}`,
					property: propertyOf(field),
					within: inside,
					shownBy,
					field,
				});
			}
		} else {
			found.push({ path, property, within, shownBy });
		}
	};

	for (const property of operation.properties) await add(property, '', [], [{}]);
	return found;
}

/** The choices of a parameter that has a fixed list of them. */
export function choicesOf({ type, options = [] }: INodeProperties): unknown[] {
	return type === 'options' ? (options as INodePropertyOptions[]).map(({ value }) => value) : [];
}
