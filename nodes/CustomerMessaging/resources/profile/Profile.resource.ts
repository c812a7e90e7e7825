import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { addGroups } from './addGroups.operation';
import { addTags } from './addTags.operation';
import { get } from './get.operation';
import { getActivities } from './getActivities.operation';
import { getActivity } from './getActivity.operation';
import { getAll } from './getAll.operation';
import { getConsent } from './getConsent.operation';
import { getGroups } from './getGroups.operation';
import { getTags } from './getTags.operation';
import { removeGroup } from './removeGroup.operation';
import { removeTag } from './removeTag.operation';
import { setConsent } from './setConsent.operation';
import { setGroups } from './setGroups.operation';
import { setTags } from './setTags.operation';
import { update } from './update.operation';

/** The operations by the name that workflows store. */
export const operations = {
	addGroups,
	addTags,
	get,
	getActivities,
	getActivity,
	getAll,
	getConsent,
	getGroups,
	getTags,
	removeGroup,
	removeTag,
	setConsent,
	setGroups,
	setTags,
	update,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['profile'] } },
		options: [
			{
				name: 'Add Groups',
				value: 'addGroups',
				action: 'Add groups to profile',
				description: 'Put a profile into groups and keep those it is in already',
				routing: addGroups.routing,
			},
			{
				name: 'Add Tags',
				value: 'addTags',
				action: 'Add tags to profile',
				description: 'Attach tags to a profile and keep those it has already',
				routing: addTags.routing,
			},
			{
				name: 'Get',
				value: 'get',
				action: 'Get profile',
				description: 'Get one profile, by ID or phone number',
				routing: get.routing,
			},
			{
				name: 'Get Activities',
				value: 'getActivities',
				action: 'Get activities of profile',
				description: 'Get what a profile has done, such as giving or withdrawing consent',
				routing: getActivities.routing,
			},
			{
				name: 'Get Activity',
				value: 'getActivity',
				action: 'Get activity of profile',
				description: 'Get one activity of a profile by ID',
				routing: getActivity.routing,
			},
			{
				name: 'Get Groups',
				value: 'getGroups',
				action: 'Get groups of profile',
				description: 'Get the groups a profile is in',
				routing: getGroups.routing,
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many profiles',
				description: 'Get the profiles of the tenant, or those that match a search',
				routing: getAll.routing,
			},
			{
				name: 'Get Marketing Consent',
				value: 'getConsent',
				action: 'Get marketing consent of profile',
				description: 'Get whether a person agrees to marketing messages, and since when',
				routing: getConsent.routing,
			},
			{
				name: 'Get Tags',
				value: 'getTags',
				action: 'Get tags of profile',
				description: 'Get the tags attached to a profile',
				routing: getTags.routing,
			},
			{
				name: 'Remove Group',
				value: 'removeGroup',
				action: 'Remove group from profile',
				description: 'Take a profile out of one group',
				routing: removeGroup.routing,
			},
			{
				name: 'Remove Tag',
				value: 'removeTag',
				action: 'Remove tag from profile',
				description: 'Detach one tag from a profile',
				routing: removeTag.routing,
			},
			{
				name: 'Set Groups',
				value: 'setGroups',
				action: 'Set groups of profile',
				description:
					'Put a profile into exactly the given groups and take it out of all others. To keep them, use Add Groups.',
				routing: setGroups.routing,
			},
			{
				name: 'Set Marketing Consent',
				value: 'setConsent',
				action: 'Set marketing consent of profile',
				description:
					'Record that a person agrees to marketing messages, or no longer does. Only use it when the person has said so.',
				routing: setConsent.routing,
			},
			{
				name: 'Set Tags',
				value: 'setTags',
				action: 'Set tags of profile',
				description:
					'Attach exactly the given tags to a profile and detach all others. To keep them, use Add Tags.',
				routing: setTags.routing,
			},
			{
				name: 'Update',
				value: 'update',
				action: 'Update profile',
				description: 'Change fields of a profile',
				routing: update.routing,
			},
		],
		default: 'getAll',
	},
	...shownFor('profile', operations),
];
