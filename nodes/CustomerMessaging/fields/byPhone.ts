import type { IDataObject } from 'n8n-workflow';

import type { Api, RunContext } from '../api/client';
import { pagesOf, unreadableList } from '../api/pages';
import { InvalidValue } from '../values/parse';
import { type RecordId, recordId } from '../values/ids';
import { isObject, objectsOf } from '../values/json';
import { storedDigits, spellingsOf } from '../values/phoneNumber';
import { stringOf } from '../values/text';

interface Signs {
	customerId?: RecordId;
	/** Digits of phone numbers, of which a profile has one. */
	numbers: string[];
}

export interface FoundProfile {
	id: RecordId;
	/** Its customer; undefined if the service does not tell. The interface does not document it. */
	customerId?: RecordId;
	name?: string;
}

interface Found {
	profiles: FoundProfile[];
	/** Whether it cannot be told to whom some of the results belong. */
	isUnclear: boolean;
}

/** Returns the phone number of a profile. The interface does not document the name of the member. */
export const numberOf = ({ phone_number, phone }: IDataObject) => phone_number ?? phone;

/** Whether a profile belongs to somebody. If the profile names its customer, its phone number does not count. */
function isProfileOf({ customerId, numbers }: Signs, profile: IDataObject): boolean {
	const { customer_id: owner } = profile;
	if (customerId !== undefined && owner !== undefined && owner !== null)
		return stringOf(owner) === stringOf(customerId);
	return numbers.includes(storedDigits(numberOf(profile)) ?? '');
}

/** Searches for each of the texts and keeps who matches: the service may search by other rules, or give everybody. */
export async function searchProfiles(api: Api, searches: string[], signs: Signs): Promise<Found> {
	const found = new Map<RecordId, FoundProfile>();
	let isUnclear = false;
	for (const search of searches)
		for await (const { records } of pagesOf(api, { url: '/profiles', qs: { search } })) {
			for (const record of records) {
				const profile = isObject(record) ? record : {};
				const id = recordId(profile.id);
				if (id === undefined) throw unreadableList();
				// The number may be all that is known.
				isUnclear ||= signs.customerId === undefined && recordId(numberOf(profile)) === undefined;
				if (!isProfileOf(signs, profile)) continue;
				const name = typeof profile.name === 'string' ? profile.name : undefined;
				found.set(id, { id, customerId: recordId(profile.customer_id), name });
			}
		}
	return { profiles: [...found.values()], isUnclear };
}

const nobody = (digits: string) =>
	new InvalidValue(
		`was not found: nobody has the phone number ${digits}`,
		'Check the number. To create the person first, use Customer: Create or Update. For somebody without a phone number, give the ID.',
	);

const unidentified = (digits: string) =>
	new InvalidValue(
		`cannot be found by phone number: the service found somebody for ${digits}, but does not say whose number or ID it is`,
		'Give the ID instead, and tell the operator of the service.',
	);

const several = (digits: string, ids: RecordId[]) =>
	new InvalidValue(
		`is ambiguous: several people have the phone number ${digits}`,
		`Give the ID of the one you mean${ids.length > 0 ? `, such as ${ids.join(' or ')}` : ''}.`,
	);

const search = async (api: Api, digits: string) =>
	await api.once(`number ${digits}`, async () => {
		const numbers = spellingsOf(digits);
		return await searchProfiles(api, numbers, { numbers });
	});

/** Finds the ID of the only profile with a phone number. @throws InvalidValue that says why it cannot */
export async function profileByPhone({ api }: RunContext, digits: string): Promise<RecordId> {
	const { profiles, isUnclear } = await search(api, digits);
	const [profile, another] = profiles;
	if (another)
		throw several(
			digits,
			profiles.map(({ id }) => id),
		);
	if (profile) return profile.id;
	throw isUnclear ? unidentified(digits) : nobody(digits);
}

/** Reads the customers of the chat app by phone number, for tenants whose profiles do not name their customers. */
async function readCustomers(api: Api) {
	const channel = 'chatapp';
	const byDigits = new Map<string, Set<RecordId>>();
	for await (const { records } of pagesOf(api, { url: '/customers', qs: { channel } })) {
		for (const { id: given, display_id, channel: own = channel } of objectsOf(records)) {
			const [digits, id] = [storedDigits(display_id), recordId(given)];
			// Not every tenant heeds the query.
			if (digits === undefined || id === undefined || own !== channel) continue;
			byDigits.set(digits, (byDigits.get(digits) ?? new Set()).add(id));
		}
	}
	return byDigits;
}

const customersOnce: typeof readCustomers = async (api) =>
	await api.once('customers', async () => await readCustomers(api));

/** Returns the only customer of found profiles, or of the list of customers if the profiles do not tell. */
async function customerOf(
	api: Api,
	numbers: string[],
	{ profiles, isUnclear }: Found,
	read: typeof readCustomers,
): Promise<RecordId> {
	const [digits] = numbers;
	const [profile, another] = profiles;
	// The ID of a profile is not that of its customer.
	if (another) throw several(digits, [...new Set(profiles.flatMap(({ customerId }) => customerId ?? []))]);
	if (profile?.customerId !== undefined) return profile.customerId;
	if (!profile && !isUnclear) throw nobody(digits);
	const byDigits = await read(api);
	const ids = numbers.flatMap((number) => [...(byDigits.get(number) ?? [])]);
	if (ids.length > 1) throw several(digits, ids);
	const id = ids.at(0);
	if (id === undefined) throw unidentified(digits);
	return id;
}

/** Finds the ID of the only customer with a phone number. @throws InvalidValue that says why it cannot */
export const customerByPhone = async ({ api }: RunContext, digits: string) =>
	await customerOf(api, spellingsOf(digits), await search(api, digits), customersOnce);

/**
 * Finds the customer and the profile of a write, anew, because they may not have been there before; null for one that
 * cannot be told. Only the number counts that was written, since another writing of it may be another record.
 */
export async function idsByPhone(api: Api, digits: string, customerId?: RecordId) {
	const numbers = [digits];
	const found = await searchProfiles(api, numbers, { customerId, numbers });
	const customer = async () => await customerOf(api, numbers, found, readCustomers).catch(() => null);
	return {
		customer_id: customerId ?? (await customer()),
		profile_id: found.profiles.length === 1 ? found.profiles[0].id : null,
	};
}
