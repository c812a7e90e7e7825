import type { INodeProperties } from 'n8n-workflow';

/** A record chosen from a searchable list of the tenant, or by its ID. */
function locator(
	displayName: string,
	name: string,
	searchListMethod: string,
	description: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				validation: [
					{
						type: 'regex',
						properties: { regex: '^\\s*[0-9]+\\s*$', errorMessage: 'The ID is a whole number' },
					},
				],
			},
		],
		description,
	};
}

export const profileLocator = locator('Profile', 'profileId', 'searchProfiles', 'The profile to work on');

export const customerLocator = locator(
	'Customer',
	'customerId',
	'searchCustomers',
	'The customer to work on',
);

export const agentLocator = locator('Agent', 'agentId', 'searchAgents', 'The agent to work on');
