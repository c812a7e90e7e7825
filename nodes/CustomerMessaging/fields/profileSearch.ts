import type { IDataObject } from 'n8n-workflow';

import type { Api } from '../api/client';
import { pagesOf } from '../api/pages';
import { type RecordId, recordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { storedDigits } from '../values/phoneNumber';
import { stringOf } from '../values/text';

export interface Signs {
	customerId?: RecordId;
	/** Digits of phone numbers, of which a profile has one. */
	numbers?: string[];
}

export interface FoundProfile {
	id: RecordId;
	/** Its customer; undefined if the service does not tell. The interface does not document it. */
	customerId?: RecordId;
	name?: string;
}

export interface Found {
	profiles: FoundProfile[];
	/** Whether it cannot be told to whom some of the results belong. */
	isUnclear: boolean;
	/** Whether one of the results is somebody with these signs, but has no ID. */
	lacksId: boolean;
}

/** Returns the phone number of a profile. The interface does not document the name of the member. */
export const numberOf = ({ phone_number, phone }: IDataObject) => phone_number ?? phone;

/** Whether a profile belongs to somebody. If the profile names its customer, its phone number does not count. */
function isProfileOf({ customerId, numbers = [] }: Signs, profile: IDataObject): boolean {
	const { customer_id: owner } = profile;
	if (customerId !== undefined && owner !== undefined && owner !== null)
		return stringOf(owner) === stringOf(customerId);
	return numbers.includes(storedDigits(numberOf(profile)) ?? '');
}

/** Whether a result could be the person: it has no ID, or no phone number where the number is all that is known. */
function isUnknown({ customerId }: Signs, result: unknown): boolean {
	if (!isObject(result)) return true;
	const isNameless = [result.phone_number, result.phone].every((sign) => recordId(sign) === undefined);
	return recordId(result.id) === undefined || (customerId === undefined && isNameless);
}

/**
 * Compares all that the service finds for each of the texts, which may search by other rules, or not at all. No page is
 * read after enough profiles.
 */
export async function searchProfiles(
	api: Api,
	searches: string[],
	signs: Signs,
	enough = Infinity,
): Promise<Found> {
	const found = new Map<RecordId, FoundProfile>();
	let [isUnclear, lacksId] = [false, false];
	const result = (): Found => ({ profiles: [...found.values()], isUnclear, lacksId });
	for (const search of searches) {
		for await (const { records } of pagesOf(api, { url: '/profiles', qs: { search } })) {
			for (const profile of objectsOf(records)) {
				if (!isProfileOf(signs, profile)) continue;
				const id = recordId(profile.id);
				lacksId ||= id === undefined;
				if (id === undefined) continue;
				const name = typeof profile.name === 'string' ? profile.name : undefined;
				found.set(id, { id, customerId: recordId(profile.customer_id), name });
			}
			isUnclear ||= records.some((one) => isUnknown(signs, one));
			if (found.size >= enough) return result();
		}
	}
	return result();
}
