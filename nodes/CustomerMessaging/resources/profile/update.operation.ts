import type { INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { profileLocator } from '../../shared/locators';
import { otherFields } from '../../shared/freeFields';
import { recordPostReceive, simpleProfilePostReceive, simplify } from '../../shared/outputs';
import { routedProfileFields } from '../../shared/profileFields';
import { tenantFields } from '../../shared/tenantFields';

export const routing: INodePropertyRouting = {
	request: { method: 'PATCH', url: '/profiles/{profileId}' },
	output: { postReceive: [recordPostReceive, simpleProfilePostReceive] },
};

const properties: INodeProperties[] = [
	profileLocator,
	{
		displayName: 'Update Fields',
		name: 'updateFields',
		type: 'collection',
		placeholder: 'Add Field',
		default: {},
		options: [
			...routedProfileFields,
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. Nathan Smith',
				description: 'The name of the person',
				routing: { send: { type: 'body', property: 'name' } },
			},
		],
	},
	tenantFields,
	...otherFields,
	simplify,
];

export const description = updateDisplayOptions(
	{ show: { resource: ['profile'], operation: ['update'] } },
	properties,
);
