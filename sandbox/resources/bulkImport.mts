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
	store.database.transaction(() => {
		const numbers = request.customers.map(({ display_id }) => display_id);
		const ids = new Map(
			store.customers.byDisplayIds('chatapp', numbers).map(({ id, display_id }) => [display_id, id]),
		);
		// Only the first row of a new number creates a customer; further ones find it.
		const created = new Map<string, CustomerImport>();
		const others = request.customers.filter((customer) => {
			const isNew = !ids.has(customer.display_id) && !created.has(customer.display_id);
			if (isNew) created.set(customer.display_id, customer);
			return !isNew;
		});
		let id = store.customers.createAll(
			[...created.values()].map(({ profile = {}, ...customer }) => ({
				...customer,
				profile: readFields(profile),
			})),
		);
		for (const { display_id, profile = {} } of created.values()) {
			if (!user.is_admin) store.customers.attach(user.id, id);
			writeConsentAndTags(store, id, profile);
			ids.set(display_id, id++);
			counts.created_count++;
		}
		for (const { display_id, name, profile = {} } of others) {
			const known = ids.get(display_id) as number;
			if (request.duplicates === 'skip' || (!user.is_admin && !store.customers.isAttached(user.id, known))) {
				counts.skipped_count++;
				continue;
			}
			store.customers.rename(known, name, readFields(profile));
			writeConsentAndTags(store, known, profile);
			counts.updated_count++;
		}
	});
	return counts;
}
