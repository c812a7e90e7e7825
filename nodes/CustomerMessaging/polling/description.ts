import type { INodeProperties } from 'n8n-workflow';

import { channelFilter } from '../fields/list';
import { group, tag } from '../fields/locators';
import { type EventName, PROFILE_EVENTS } from './feeds';

const showFor = (...event: EventName[]) => ({ show: { event } });

const setFilter = (label: 'Group' | 'Tag', which: string): INodeProperties => ({
	displayName: `${label} Names or IDs`,
	name: `${label.toLowerCase()}Ids`,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: `get${label}s` },
	default: [],
	description: `Only profiles ${which}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});

export const pollingProperties: INodeProperties[] = [
	{
		displayName:
			'If the service sorts its profiles, a poll reads only the newest page. Otherwise it reads all, one request for each 100, and the log says so.',
		name: 'costNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('newCustomer', 'profileChanged', 'consentChanged'),
	},
	{
		displayName:
			'Each poll reads all profiles, one request for each 100, since the interface has no list of the profiles with a tag. If your account does not show tags in its profiles, the first poll fails and says so.',
		name: 'tagNotice',
		type: 'notice',
		default: '',
		displayOptions: showFor('tagAdded', 'tagRemoved'),
	},
	{
		displayName: 'Event',
		name: 'event',
		type: 'options',
		options: [
			{ name: 'Joined a Group', value: 'joinedGroup', description: 'A profile was added to the group' },
			{ name: 'Left a Group', value: 'leftGroup', description: 'A profile is no longer in the group' },
			{
				name: 'Marketing Consent Changed',
				value: 'consentChanged',
				description: 'A person has given or withdrawn the consent to marketing messages',
			},
			{ name: 'New Customer', value: 'newCustomer', description: 'A customer was created, with a profile' },
			{
				name: 'New Notification',
				value: 'newNotification',
				description: 'The user behind the access token has a new notification',
			},
			{ name: 'Profile Changed', value: 'profileChanged', description: 'Fields of a profile have changed' },
			{ name: 'Tag Added', value: 'tagAdded', description: 'A profile got the tag' },
			{ name: 'Tag Removed', value: 'tagRemoved', description: 'A profile no longer has the tag' },
			{
				name: 'Template Approved or Rejected',
				value: 'templateStatus',
				description: 'The review of a template has ended',
			},
		],
		default: 'newCustomer',
		required: true,
		description: 'The event that starts the workflow',
	},
	{ ...group.parameter, displayOptions: showFor('joinedGroup', 'leftGroup') },
	{ ...tag.parameter, displayOptions: showFor('tagAdded', 'tagRemoved') },
	{
		displayName: 'Fields',
		name: 'fields',
		type: 'string',
		default: '',
		displayOptions: showFor('profileChanged'),
		placeholder: 'e.g. email, custom_1',
		description:
			'Names of fields, separated by commas: only their changes start the workflow. If the old values of a profile are not known, each change of it does. Without names, each new time of change starts it.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		displayOptions: showFor(...PROFILE_EVENTS),
		description: 'Only events that pass all of these start the workflow',
		options: [
			{
				...channelFilter.parameter,
				description: channelFilter.parameter.description?.replace('records', 'profiles'),
			},
			setFilter('Group', 'in one of these groups'),
			setFilter('Tag', 'with one of these tags'),
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Catch Up (Days)',
				name: 'catchUpDays',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 7,
				description:
					'After a time in which n8n did not run, changes that are older than this, compared with the newest one, are left out',
			},
		],
	},
];
