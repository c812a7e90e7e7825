import type {
	IExecuteSingleFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyRouting,
} from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { listed } from '../../shared/ids';
import { listParameters } from '../../shared/listParameters';
import { profileLocator } from '../../shared/locators';
import { listPostReceive } from '../../shared/outputs';
import { sendPages } from '../../transport/pages';

/** Keeps the activities of the chosen types; the service cannot filter them. */
async function typeFilterPostReceive(
	this: IExecuteSingleFunctions,
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const types = listed(this.getNodeParameter('filters.types', [])).map((type) => String(type).trim());
	return types.length === 0 ? items : items.filter(({ json }) => types.includes(String(json.type)));
}

export const routing: INodePropertyRouting = {
	request: { method: 'GET', url: '/profiles/{profileId}/activities' },
	output: { postReceive: [listPostReceive, typeFilterPostReceive] },
	operations: { pagination: sendPages() },
};

const properties: INodeProperties[] = [
	profileLocator,
	...listParameters,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Type Names or IDs',
				name: 'types',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getActivityTypes' },
				default: [],
				description:
					'Only activities of these types. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
		],
	},
];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['getActivities'] } },
	properties,
);
