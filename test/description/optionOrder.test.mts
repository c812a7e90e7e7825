import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';
import { expectNone } from '../engine/expectNone.mts';

/** The ends of the places whose order means something: a week, a sequence of answers, what decides about the rest. */
const IN_AN_ORDER_OF_THEIR_OWN =
	/: (options\.(sendOnce|sendingHours|limitWaitTime)\.values(\.days)?|bodyVariables\.variable|header\.header|approvalOptions\.values|resource|operation|orderBy\.sort)$/;

/** What n8n adds to a node that is installed. */
const ADDED_BY_N8N = new Set(['pollTimes', '__CUSTOM_API_CALL__']);

/** A list that a person chooses from, with the names that are shown. */
interface List {
	place: string;
	names: string[];
}

const isGroup = (one: object): one is INodePropertyCollection => 'values' in one;
const isProperty = (one: object): one is INodeProperties => 'type' in one;

/** The list that a property is, and those within it. */
function listsOf({ name, options = [] }: INodeProperties, before: string): List[] {
	const place = `${before}${name}`;
	const shown = options.filter((one) => !ADDED_BY_N8N.has(String((one as INodePropertyOptions).value)));
	const names = shown.map((one) => ('displayName' in one ? one.displayName : one.name));
	const inner = shown.flatMap((one) => {
		if (isGroup(one)) {
			const group = `${place}.${one.name}`;
			return [
				{ place: group, names: one.values.map(({ displayName }) => displayName) },
				...one.values.flatMap((value) => listsOf(value, `${group}.`)),
			];
		}
		return isProperty(one) ? listsOf(one, `${place}.`) : [];
	});
	return [{ place, names }, ...inner];
}

/** All lists of both nodes and both credentials. */
async function allLists(): Promise<List[]> {
	const loader = await loadedPackage();
	const nodes = Object.keys(loader.nodeTypes).flatMap((node) => {
		const { description } = loader.getNode(node).type as { description: INodeTypeDescription };
		return description.properties
			.filter(({ name }) => !ADDED_BY_N8N.has(name))
			.flatMap((property) => {
				const { resource = [], operation = [''] } = property.displayOptions?.show ?? {};
				return operation.flatMap((one) => {
					const owner = [node, ...resource, one].filter(Boolean).join(' ');
					return listsOf(property, `${owner}: `);
				});
			});
	});
	const credentials = Object.keys(loader.credentialTypes).flatMap((credential) => {
		const { properties } = loader.getCredential(credential).type as ICredentialType;
		return properties.flatMap((property) => listsOf(property, `${credential}: `));
	});
	return [...nodes, ...credentials];
}

const sorted = (names: string[]) => [...names].sort((one, other) => one.localeCompare(other));
const isSorted = ({ names }: List) => sorted(names).every((name, at) => name === names[at]);

it('every list that a person chooses from is in the order of the alphabet, by the names that are shown', async () => {
	const lists = await allLists();
	expect(lists.filter(({ names }) => names.length > 1)).not.toEqual([]);
	expectNone(
		lists
			.filter((list) => !isSorted(list) && !IN_AN_ORDER_OF_THEIR_OWN.test(list.place))
			.map(
				({ place, names }) => `${place}: put it in the order of the alphabet, ${sorted(names).join(', ')}`,
			),
	);
});
