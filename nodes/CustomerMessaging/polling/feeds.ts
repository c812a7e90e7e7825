import type { IDataObject } from 'n8n-workflow';

import { PAGE_SIZE, type PagedList } from '../transport/pages';
import { recordId } from '../values/ids';
import { CHANGED, CREATED, timeMember } from './times';

/** The events of the node, by the names that workflows store. */
export type EventName = 'newCustomer' | 'profileChanged' | 'consentChanged' | 'newNotification';

/** The list of the tenant in which an event shows. */
export interface Feed {
	list: PagedList;
	/** Name of the record for people. */
	noun: string;
	/** Member with the key of a record. */
	id: 'id' | 'uuid';
	/** Whether the interface lets a client choose the order. */
	isSortable: boolean;
	/** Returns the member that orders the records; undefined if they have none. */
	memberOf: (records: IDataObject[]) => string | undefined;
	/** Members with the time of the event. */
	times: string[];
	/** Members whose value tells two states of a record apart. */
	content: readonly string[];
}

/** The fields of a profile that the interface documents. */
export const PROFILE_FIELDS = [
	'name',
	'phone_number',
	'email',
	'date_of_birth',
	'address',
	'custom_1',
	'custom_2',
	'custom_3',
	'custom_4',
	'custom_5',
	'marketing_opt_in',
] as const;

const byNumber = (records: IDataObject[]) =>
	records.every(({ id }) => typeof recordId(id) === 'number') ? 'id' : undefined;

/**
 * Returns the list in which an event shows.
 *
 * @param channel only profiles of this channel; empty for all
 * @param fields members that tell two states of a profile apart
 */
export function feedOf(event: EventName, channel: string, fields: readonly string[]): Feed {
	if (event === 'newNotification') {
		return {
			list: { url: '/me/notifications' },
			noun: 'notification',
			id: 'uuid',
			isSortable: false,
			memberOf: (records) => timeMember(records, CREATED),
			times: CREATED,
			content: [],
		};
	}
	// A new customer always has a profile, and only the list of profiles can be sorted.
	const isNew = event === 'newCustomer';
	const times = isNew ? CREATED : CHANGED;
	return {
		list: { url: '/profiles', perPage: PAGE_SIZE, ...(channel !== '' && { qs: { channel } }) },
		noun: isNew ? 'customer' : 'profile',
		id: 'id',
		isSortable: true,
		memberOf: isNew ? byNumber : (records) => timeMember(records, times),
		times,
		content: isNew ? [] : event === 'consentChanged' ? ['marketing_opt_in'] : fields,
	};
}
