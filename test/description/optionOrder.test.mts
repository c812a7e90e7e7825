import { Info } from 'luxon';
import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';
import { expectNone } from '../engine/expectNone.mts';

/** Lists whose order means something, each with the reason. */
const IN_AN_ORDER_OF_THEIR_OWN: Record<string, string> = {
	'customerMessaging: resource': 'Messages, customers and profiles are what most people look for.',
	...Object.fromEntries(
		['customer', 'message', 'profile'].map((resource) => [
			`customerMessaging ${resource}: operation`,
			'What people look for most comes first, then the alphabet.',
		]),
	),
};

/** The days of a week, which has an order. */
const WEEK = Info.weekdays('long', { locale: 'en' }).join();

const HERE = 'test/description/optionOrder.test.mts';

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
			// A row is filled in as it is read. Nobody chooses from its fields.
			return one.values.flatMap((value) => listsOf(value, `${place}.${one.name}.`));
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
const isSorted = ({ names }: List) =>
	names.join() === WEEK || sorted(names).every((name, at) => name === names[at]);

it('every list that a person chooses from is in the order of the alphabet, by the names that are shown', async () => {
	const lists = await allLists();
	expect(lists.filter(({ names }) => names.length > 1)).not.toEqual([]);
	const unsorted = lists.filter((list) => !isSorted(list));
	const places = new Set(unsorted.map(({ place }) => place));
	expectNone([
		...unsorted
			.filter(({ place }) => !(place in IN_AN_ORDER_OF_THEIR_OWN))
			.map(
				({ place, names }) =>
					`${place}: put it in the order of the alphabet, ${sorted(names).join(', ')}; if its order means something, say why in ${HERE}`,
			),
		...Object.keys(IN_AN_ORDER_OF_THEIR_OWN)
			.filter((place) => !places.has(place))
			.map((place) => `${HERE}: ${place} needs no exception; take it out`),
	]);
});
