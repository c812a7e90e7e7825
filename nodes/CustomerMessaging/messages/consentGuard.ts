import { type FoundProfile, searchProfiles } from '../fields/byPhone';
import { type ItemContext, setting } from '../core/field';
import { itemError } from '../core/fieldError';
import type { Item } from '../core/item';
import { readRecord } from '../api/records';
import { choice } from '../values/choices';
import { storedDigits, spellingsOf } from '../values/phoneNumber';
import { textOrNothing } from '../values/text';
import type { TemplateBody } from './template/templateChoice';
import type { Send } from './sendingOption';

/** Leaving the option out sends without a look at the consent. */
const option = setting(
	'options.withoutConsent',
	...choice({ fail: 'The item fails', skip: 'Nothing is sent, and the item is skipped' }, 'skip', {
		displayName: 'If No Marketing Consent',
	}),
);

export type RecipientSigns = Omit<FoundProfile, 'id'> & { digits?: string };

/** Makes the error about a consent that the service does not tell. Nobody knows then whether the message is welcome. */
const noConsent = (context: ItemContext) =>
	itemError(
		context,
		'The service does not say whether the recipient has opted in',
		'Nothing was sent. Tell the operator of the service that the number of a profile, or is_opted_in, is missing or unreadable.',
	);

/** Returns the signs of a recipient. It reads a customer. */
export async function signsOf(
	context: ItemContext,
	{ customer_id: customerId, phone_number: number }: Pick<TemplateBody, 'customer_id' | 'phone_number'>,
): Promise<RecipientSigns> {
	if (customerId === undefined) return { digits: storedDigits(number) };
	const customer = await readRecord(context.api, 'GET /customers/{id}', { id: customerId });
	return { customerId, digits: storedDigits(customer.display_id), name: textOrNothing(customer.name) };
}

/**
 * Finds the profiles of a recipient, by phone number, then by name, and those of other writings of the number, whoever
 * their customer is: the message reaches the same person. None if there is none yet.
 *
 * @throws NodeOperationError when there may be one that was not found: a result is unreadable
 */
async function profilesOf(context: ItemContext, signs: RecipientSigns): Promise<FoundProfile[]> {
	const { customerId, digits, name = '' } = signs;
	// A tenant whose search is literal does not find a number that it stores in another form.
	const searches = [digits ?? '', name].filter((sign) => sign.trim() !== '');
	if (searches.length === 0 && customerId !== undefined) throw noConsent(context);
	const [number, ...others] = digits === undefined ? [] : spellingsOf(digits);
	const alike = await searchProfiles(context.api, others, { numbers: others });
	for (const search of searches) {
		const own = await searchProfiles(context.api, [search], { customerId, numbers: [number] });
		const byId = new Map([...own.profiles, ...alike.profiles].map((profile) => [profile.id, profile]));
		if (alike.isUnclear && byId.size === 0) throw noConsent(context);
		if (own.profiles.length > 0) return [...byId.values()];
		if (own.isUnclear) throw noConsent(context);
	}
	return alike.profiles;
}

/**
 * Looks up the consent of a recipient. A recipient without a profile has not consented. Of several profiles, for example
 * of people who share a phone, all must have. The profile in the result is one that has not, if there is any.
 *
 * @throws NodeOperationError when the service does not tell it
 */
export async function consentOf(context: ItemContext, signs: RecipientSigns) {
	const profiles = await profilesOf(context, signs);
	let without: FoundProfile | undefined;
	for (const profile of profiles) {
		const { is_opted_in } = await readRecord(context.api, 'GET /profiles/{id}/marketing-opt-in', {
			id: profile.id,
		});
		if (typeof is_opted_in !== 'boolean') throw noConsent(context);
		if (!is_opted_in) {
			without = profile;
			break;
		}
	}
	const [reason, remedy] = without
		? [
				'The recipient has not opted in to marketing messages',
				'Record the consent first (Profile: Set Marketing Consent), or set If No Marketing Consent to Skip.',
			]
		: [
				'The recipient has no profile that could have opted in to marketing messages',
				'Check the recipient: no profile has this phone number or customer. To leave out such recipients, set If No Marketing Consent to Skip.',
			];
	const isOptedIn = profiles.length > 0 && !without;
	return { isOptedIn, isShared: profiles.length > 1, profile: without ?? profiles.at(0), reason, remedy };
}

/** Notes what is known of the recipient, for the row of the message. */
function learn({ known }: Item<never, TemplateBody>, { customerId, digits, name }: RecipientSigns): void {
	known.customer_id ??= customerId;
	known.phone_number ??= digits;
	known.name ??= name;
}

/** Sends a template to a recipient who has opted in. @throws NodeOperationError where an item without consent is to fail */
async function requireConsent(item: Item<typeof option, TemplateBody>, send: Send) {
	const mode = item.get(option);
	const signs = await signsOf(item.context, item.request.body);
	learn(item, signs);
	const { profile, isOptedIn, isShared, reason, remedy } = await consentOf(item.context, signs);
	// Several people who may get the message can share the number.
	if (profile && !(isOptedIn && isShared)) learn(item, profile);
	if (isOptedIn) return await send();
	if (mode === 'skip') return { reason, profile_id: profile?.id };
	throw item.error(reason, remedy);
}

export const consentGuard = { ...option, guard: requireConsent };
