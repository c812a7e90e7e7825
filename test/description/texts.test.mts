import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { loadedPackage } from '../engine/engine.mts';
import { expectNone } from '../engine/expectNone.mts';
import { nodeDescription, shownOperations } from './nodeDescription.mts';

/** Anything that has a name which is shown. */
interface Named {
	name: string;
	displayName?: string;
	action?: string;
	description?: string;
	hint?: string;
	type?: string;
	value?: unknown;
	placeholder?: string;
	options?: unknown[];
	values?: unknown[];
}

const childrenOf = ({ options = [], values = [] }: Named) => [...options, ...values] as Named[];
const allOf = (one: Named): Named[] => [one, ...childrenOf(one).flatMap(allOf)];
const labelOf = ({ displayName, name }: Named) => displayName ?? name;

/** What n8n adds to a node that is installed, and what n8n names itself. */
const OF_N8N = new Set(['pollTimes', '__CUSTOM_API_CALL__']);

interface Owner {
	name: string;
	properties: Named[];
}

/** The nodes and credentials of the package. */
async function owners(): Promise<Owner[]> {
	const loader = await loadedPackage();
	const nodes = Object.keys(loader.nodeTypes).map((name) => {
		const { description } = loader.getNode(name).type as { description: INodeTypeDescription };
		return { name, properties: description.properties };
	});
	const credentials = Object.keys(loader.credentialTypes).map((name) => {
		const { properties } = loader.getCredential(name).type as ICredentialType;
		return { name, properties };
	});
	return [...nodes, ...credentials].map(({ name, properties }) => ({
		name,
		properties: (properties as Named[]).filter((property) => !OF_N8N.has(property.name)),
	}));
}

it('no two parameters of one collection have the same description', async () => {
	const repeated = (await owners()).flatMap(({ name: owner, properties }) =>
		properties.flatMap(allOf).flatMap((parent) => {
			const told = childrenOf(parent).filter(({ description }) => description !== undefined);
			return told
				.filter((one, at) => told.findIndex(({ description }) => description === one.description) !== at)
				.map(
					(one) =>
						`${owner}: ${labelOf(parent)}: ${labelOf(one)} is described as another is: ${one.description}`,
				);
		}),
	);
	expectNone(repeated);
});

it('no two parameters of one operation have the same description', async () => {
	const repeated = shownOperations(await nodeDescription()).flatMap(({ resource, operation, properties }) => {
		const isTold = ({ description, type }: INodeProperties) => description !== undefined && type !== 'notice';
		const told = properties.filter(isTold);
		const isSame = (one: INodeProperties) => (other: INodeProperties) =>
			other.description === one.description && other.name !== one.name;
		return told
			.filter((one) => told.some(isSame(one)))
			.map(({ displayName, description }) => `${resource}: ${operation}: ${displayName}: ${description}`);
	});
	expectNone(repeated);
});
