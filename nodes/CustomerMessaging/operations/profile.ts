import type { IDataObject } from 'n8n-workflow';

import { bodyField, filters, options, queryField, setting, updateFields } from '../core/field';
import { channelFilter, howMany, orderBy, pageSize, pages, readPages } from '../fields/list';
import { groupFilter } from '../fields/locators';
import { otherFields, otherFieldsJson } from '../fields/openFields';
import { idOrName } from '../fields/byName';
import { profileFields } from '../customers/writeCustomer';
import { attachedIds, plainWrite, writeGroups } from '../sets/idSets';
import { list, record, wholeSet } from '../core/outputs';
import { simplifiedProfiles, simplify } from '../core/simplified';
import { findField } from '../core/fieldError';
import { emptyCells, ifEmpty } from '../core/emptyValues';
import type { Run } from '../core/operation';
import { nodeErrorOf } from '../api/errors';
import { readRecord, wholeList } from '../api/records';
import { boolean } from '../values/choices';
import { InvalidValue, orUndefinedIfInvalid, type Parse } from '../values/parse';
import { type RecordId, recordId, textSet, wholeId } from '../values/ids';
import { ownMember } from '../values/json';
import { searchText } from '../values/phoneNumber';
import { quote, stringOf, text } from '../values/text';
import { addTags, syncTags } from '../sets/tags';
import { groupsOfProfile, separator, setParameter, tagSet } from '../fields/sets';
import { operation, resource } from './resource';

const search = queryField('search', searchText, {
	placeholder: 'e.g. Nathan Smith',
	description: 'Any text, or a phone number',
});

/** The filter of profiles that the interface has no query for. */
const inGroup = setting('filters.group', idOrName('groups'), groupFilter);

const name = bodyField('name', text, {
	placeholder: 'e.g. Nathan Smith',
});

const WORDS: Record<string, boolean> = { given: true, withdrawn: false };

/** Parses *Given*, *Withdrawn*, and what else stands for yes and no. */
const consent: Parse<boolean> = (value) => {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
	const given = Object.hasOwn(WORDS, word) ? WORDS[word] : orUndefinedIfInvalid(boolean, value);
	if (given !== undefined) return given;
	throw new InvalidValue(
		`"${quote(value)}" does not say whether consent is given`,
		'Enter true for Given or false for Withdrawn.',
	);
};

const decisions = [
	{ name: 'Given', value: true, description: 'The person agrees to marketing messages' },
	{ name: 'Withdrawn', value: false, description: 'The person no longer agrees to marketing messages' },
];

const optIn = bodyField('opt_in', consent, {
	displayName: 'Marketing Consent',
	type: 'options',
	options: decisions,
	// Nobody's consent is withdrawn because a choice was overlooked.
	default: '',
	required: true,
	description: 'What the person has decided about marketing messages',
});

const activityTypes = setting(
	'filters.types',
	textSet,
	setParameter('Type Names or IDs', 'getActivityTypes'),
);

/** Keeps only the activities of the chosen types, before Limit counts. The service cannot filter them. */
const readActivities: Run<(typeof howMany)[number] | typeof activityTypes> = async (item) => {
	const wanted = item.get(activityTypes);
	const isWanted = (one: unknown) => wanted.includes(stringOf(ownMember(one, 'type')));
	return await readPages(item, wanted.length > 0 ? { isWanted } : {});
};

/**
 * Reads profiles page by page. Those of a group come from the group's own list, unless the query asks for something that
 * only the list of all profiles can search or sort. Then this list is read until the whole group has come.
 */
const readProfiles: Run<(typeof howMany)[number] | typeof inGroup | typeof pageSize> = async (item) => {
	const size = item.get(pageSize);
	if (!item.shows(inGroup)) return await readPages(item, { size });
	const { displayName } = inGroup.parameter;
	const group = await findField(item.context, displayName, item.get(inGroup)(item.context));
	const url = `/groups/${encodeURIComponent(group)}/profiles`;
	if (Object.keys(item.request.qs ?? {}).length === 0) return await readPages(item, { url });
	const members = new Set<unknown>(await attachedIds(item.api, url));
	if (members.size === 0) return [];
	const isWanted = (one: unknown) => members.delete(recordId(ownMember(one, 'id')));
	return await readPages(item, { size, isWanted, isDone: () => members.size === 0 });
};

/** Reads everything about a person. A part that cannot be read whole is null, and named with the reason. */
const exportProfile: Run = async (item) => {
	const { api, context, request } = item;
	const { id } = request.path;
	const { content } = await api.send(request);
	const [{ json: profile }] = item.output(content);
	const customerId = (): RecordId => {
		const owner = wholeId(profile.customer_id);
		if (owner === undefined) throw new Error('The service does not say whose profile this is');
		return owner;
	};
	const listOf = (part: string) => async () => await wholeList(api, `${request.url}/${part}`);
	const readers: Record<string, () => Promise<unknown>> = {
		customer: async () => await readRecord(api, 'GET /customers/{id}', { id: customerId() }),
		consent: async () => await readRecord(api, 'GET /profiles/{id}/marketing-opt-in', { id }),
		activities: listOf('activities'),
		tags: listOf('tags'),
		groups: listOf('groups'),
		users: async () => await wholeList(api, `/customers/${customerId()}/users`),
	};
	const parts: Record<string, unknown> = {};
	const unreadable: IDataObject = {};
	for (const [part, read] of Object.entries(readers)) {
		parts[part] = await read().catch((error: unknown) => {
			unreadable[part] = nodeErrorOf(context, error).message;
			return null;
		});
	}
	if (Object.keys(unreadable).length > 0) api.note('lack a part that could not be read; unreadable names it');
	const json = { profile, ...parts, unreadable, messages: 'not offered by the service' };
	return [{ json: json as IDataObject }];
};

export const profileResource = resource(
	'profile',
	{
		addGroups: operation(
			'POST /profiles/{profileId}/groups',
			'Add a profile to groups and keep it in its other groups',
			{ fields: [groupsOfProfile], run: writeGroups.add, output: wholeSet },
		),
		addTags: operation(
			'POST /profiles/{profileId}/tags',
			'Attach tags to a profile and keep those already attached',
			{ fields: [...tagSet, options(separator)], run: addTags, output: wholeSet },
		),
		export: operation(
			'GET /profiles/{id}',
			'Get everything about one person in one item, e.g. for a data access request',
			{ run: exportProfile },
		),
		get: operation('GET /profiles/{id}', 'Get one profile', {
			fields: simplify,
			output: simplifiedProfiles(record),
		}),
		getActivities: operation(
			'GET /profiles/{profileId}/activities',
			'Get the activities of a profile, such as giving or withdrawing consent',
			{ fields: [...howMany, filters(activityTypes)], run: readActivities, output: list },
		),
		getActivity: operation(
			'GET /profiles/{profileId}/activities/{activityId}',
			'Get one activity of a profile by ID',
		),
		getGroups: operation('GET /profiles/{profileId}/groups', 'Get the groups a profile is in', pages),
		getAll: operation('GET /profiles', 'Retrieve a list of profiles', {
			fields: [...howMany, filters(channelFilter, inGroup, search), orderBy, ...simplify, options(pageSize)],
			run: readProfiles,
			output: simplifiedProfiles(list),
		}),
		getConsent: operation(
			'GET /profiles/{id}/marketing-opt-in',
			'Get whether a person agrees to marketing messages, and since when',
			{ name: 'Get Marketing Consent' },
		),
		getTags: operation('GET /profiles/{profileId}/tags', 'Get the tags attached to a profile', pages),
		removeGroup: operation(
			'DELETE /profiles/{profileId}/groups/{groupId}',
			'Remove a profile from one group',
			{ run: plainWrite, output: wholeSet },
		),
		removeTag: operation('DELETE /profiles/{profileId}/tags/{tagId}', 'Detach one tag from a profile', {
			run: plainWrite,
			output: wholeSet,
		}),
		setGroups: operation(
			'POST /profiles/{profileId}/groups',
			'Put a profile in exactly the given groups and remove it from all others. To keep them, use Add Groups.',
			{ fields: [groupsOfProfile, ifEmpty], run: writeGroups.replace, output: wholeSet },
		),
		setConsent: operation(
			'POST /profiles/{id}/marketing-opt-in',
			'Record that a person agrees to marketing messages, or no longer does. Only when they have said so.',
			{ name: 'Set Marketing Consent', fields: [optIn] },
		),
		setTags: operation(
			'POST /profiles/{profileId}/tags',
			'Attach exactly the given tags to a profile and detach all others. To keep them, use Add Tags.',
			{ fields: [...tagSet, ifEmpty, options(separator)], run: syncTags, output: wholeSet },
		),
		update: operation('PATCH /profiles/{id}', 'Change fields of a profile', {
			fields: [updateFields(...profileFields, name), otherFields, options(emptyCells, otherFieldsJson)],
		}),
	},
	{ first: ['addTags', 'setTags', 'setConsent', 'update'] },
);
