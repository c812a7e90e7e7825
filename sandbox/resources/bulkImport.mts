import { DISPLAY_ID } from '../choices.mts';
import type { components } from '../contract.types.mts';
import { type FieldErrors, invalid } from '../refusal.mts';
import type { Store } from '../store/store.mts';
import { isEmail, readDate } from '../values.mts';
import { PROFILE_TEXTS, type ProfileFields } from './profile.mts';
import type { User } from './user.mts';

type Import = components['schemas']['CustomerBulkImport'];
type CustomerImport = components['schemas']['CustomerImport'];
type ImportedProfile = NonNullable<CustomerImport['profile']>;
type Counts = components['schemas']['CustomerBulkImportResult'];

/** The fields to write; an invalid e-mail or date of birth is left out, as if it had not been given. */
function readFields({ email, date_of_birth, ...profile }: ImportedProfile): ProfileFields {
	const fields: ProfileFields = {};
	for (const field of PROFILE_TEXTS) fields[field] = profile[field];
	if (email === null || (email !== undefined && isEmail(email))) fields.email = email;
	if (date_of_birth === null) fields.date_of_birth = null;
	else if (date_of_birth !== undefined) fields.date_of_birth = readDate(date_of_birth);
	return fields;
}

const readTitles = (tags: string | null | undefined): string[] => [
	...new Set(
		(tags ?? '')
			.split(',')
			.map((title) => title.trim())
			.filter((title) => title !== ''),
	),
];

/** Does what the profile part of an imported customer says beside its fields. Tags named are added to those there are. */
function writeConsentAndTags(
	store: Store,
	customerId: number,
	{ marketing_opt_in, tags }: ImportedProfile,
): void {
	const titles = readTitles(tags);
	if (typeof marketing_opt_in !== 'number' && titles.length === 0) return;
	const id = store.profiles.ofCustomer(customerId)?.id;
	if (id === undefined) return;
	if (typeof marketing_opt_in === 'number') store.profiles.setConsent(id, marketing_opt_in === 1);
	for (const title of titles) {
		const tag = store.tags.byTitle(title) ?? store.tags.create(title);
		store.tags.attach('profile', id, tag.id);
	}
}

/** @throws 422 that names every customer whose number or name cannot be stored; then nothing is imported. */
function check({ customers }: Import): void {
	const errors: FieldErrors = {};
	customers.forEach(({ display_id, name }, index) => {
		if (!DISPLAY_ID.test(display_id)) {
			errors[`customers.${index}.display_id`] = [
				'The display id must be digits only, in international format.',
			];
		}
		if (name.trim() === '') errors[`customers.${index}.name`] = ['The name may not be empty.'];
	});
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

/**
 * Creates or updates customers with their profiles, all or none. An existing customer is overridden or skipped as
 * `duplicates` says; one that `user` may not act on is always skipped.
 */
export function importCustomers(store: Store, user: User, request: Import): Counts {
	check(request);
	const counts: Counts = { created_count: 0, updated_count: 0, skipped_count: 0 };
	for (const { channel, display_id, name, profile = {} } of request.customers) {
		const known = store.customers.byDisplayId(channel, display_id);
		if (!known) {
			const { id } = store.customers.create(channel, display_id, name, readFields(profile));
			if (!user.is_admin) store.customers.attach(user.id, id);
			writeConsentAndTags(store, id, profile);
			counts.created_count++;
		} else if (
			request.duplicates === 'skip' ||
			(!user.is_admin && !store.customers.isAttached(user.id, known.id))
		) {
			counts.skipped_count++;
		} else {
			store.customers.rename(known.id, name, readFields(profile));
			writeConsentAndTags(store, known.id, profile);
			counts.updated_count++;
		}
	}
	return counts;
}
