import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { expectNone } from '../engine/expectNone.mts';
import { nodeDescription, shownOperations } from './nodeDescription.mts';

type Named = Partial<INodeProperties & INodePropertyCollection>;

const childrenOf = ({ options = [], values = [] }: Named) => [...options, ...values] as Named[];
const allOf = (one: Named): Named[] => [one, ...childrenOf(one).flatMap(allOf)];

it('no two parameters of one collection have the same description', async () => {
	const { properties } = await nodeDescription();
	const repeated = properties.flatMap(allOf).flatMap((parent) => {
		const told = childrenOf(parent).flatMap(({ description = [] }) => description);
		return told
			.filter((one, at) => told.indexOf(one) !== at)
			.map((one) => `${parent.displayName}: two are described so: ${one}`);
	});
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
