import { SEARCHED_PROFILE_FIELDS as SEARCHED, SORTABLE_PROFILE_FIELDS } from '../choices.mts';
import { existing, invalid, notFound } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import { type Slice, slice, Table, type Window } from '../store/table.mts';
import { compare, isEmail, readDate } from '../values.mts';
import type { Customer } from './customer.mts';
import { type Call, type OperationId, type Operations } from './operation.mts';
import { checkTagChoices } from './tag.mts';
import type { User } from './user.mts';

/** Fields of a profile that hold any text. */
export const PROFILE_TEXTS = ['address', 'custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5'] as const;
type ProfileText = (typeof PROFILE_TEXTS)[number];

export interface Profile extends Record<ProfileText, string | null> {
	id: number;
	customer_id: number;
	channel: string;
	name: string;
	phone_number: string;
	email: string | null;
	date_of_birth: string | null;
	marketing_opt_in: number | null;
	created_at: string;
	updated_at: string;
}

/** Fields of a profile to write; those left out stay. */
export type ProfileFields = Partial<Pick<Profile, 'name' | 'email' | 'date_of_birth' | ProfileText>>;

export interface Activity {
	id: number;
	profile_id: number;
	type: string;
	created_at: string;
}

export interface Consent {
	id: number;
	is_opted_in: boolean;
	latest_opt_in_at: string | null;
	latest_opt_out_at: string | null;
}

type SortedBy = [field: (typeof SORTABLE_PROFILE_FIELDS)[number], direction: 'asc' | 'desc'];

export interface ProfileQuery {
	search?: string;
	channel?: string;
	orderBy?: SortedBy[];
}

export const tables = {
	// The ID of a profile is that of the next customer: who takes one for the other gets somebody else.
	profiles: () => new Table<Profile>({ firstId: 102, isCounted: true, by: ['customer_id'] }),
	activities: () => new Table<Activity>({ firstId: 7_001, by: ['profile_id'] }),
};

const NO_TEXTS = Object.fromEntries(PROFILE_TEXTS.map((field) => [field, null])) as Record<ProfileText, null>;

/** The profile that a customer starts with. */
export function newProfile(customer: Customer): Omit<Profile, 'id'> {
	const { id: customer_id, channel, name, display_id: phone_number, created_at, updated_at } = customer;
	return {
		customer_id,
		channel,
		name,
		phone_number,
		email: null,
		date_of_birth: null,
		...NO_TEXTS,
		marketing_opt_in: null,
		created_at,
		updated_at,
	};
}

const isOptIn = ({ type }: Activity) => type === 'marketing_opt_in';
const isOptOut = ({ type }: Activity) => type === 'marketing_opt_out';

/** Profiles with their activities and their marketing consent, which follows from the activities. */
export class Records extends RecordStore {
	/** The profile with this id, if `user` may see its customer. */
	find(id: number, user: User): Profile | undefined {
		const profile = this.tables.profiles.find(id);
		return profile && this.isVisible(profile, user) ? profile : undefined;
	}

	ofCustomer(customerId: number): Profile | undefined {
		return this.tables.profiles.by('customer_id', customerId).at(0);
	}

	/** Profiles that `user` may see, searched, filtered and sorted. */
	list(user: User, { search = '', channel, orderBy = [] }: ProfileQuery, window?: Window): Slice<Profile> {
		const part = search.toLowerCase();
		const found = this.tables.profiles
			.all()
			.filter(
				(profile) =>
					(channel ?? profile.channel) === profile.channel &&
					(part === '' || SEARCHED.some((field) => profile[field]?.toLowerCase().includes(part))) &&
					this.isVisible(profile, user),
			);
		const keyOf = (profile: Profile, field: keyof Profile) =>
			field === 'name' ? profile.name.toLowerCase() : profile[field];
		for (const [field, direction] of orderBy.toReversed()) {
			const sign = direction === 'asc' ? 1 : -1;
			found.sort((one, other) => sign * compare(keyOf(one, field), keyOf(other, field)));
		}
		return slice(found, window);
	}

	/** Profiles in a group that `user` may see. */
	inGroup(groupId: number, user: User): Profile[] {
		return this.tables.profile_groups.owners(groupId).flatMap((id) => this.find(id, user) ?? []);
	}

	update(id: number, fields: ProfileFields): void {
		this.tables.profiles.update(id, { ...fields, ...this.touched });
	}

	/** Where the profile stands: its latest opt-in has no opt-out after it. */
	consent(id: number): Consent {
		const all = this.tables.activities.by('profile_id', id);
		return {
			id,
			is_opted_in: all.findLastIndex(isOptIn) > all.findLastIndex(isOptOut),
			latest_opt_in_at: all.findLast(isOptIn)?.created_at ?? null,
			latest_opt_out_at: all.findLast(isOptOut)?.created_at ?? null,
		};
	}

	/** Opts in or out. Only a change adds an activity; repeating the present state does nothing. */
	setConsent(id: number, optIn: boolean): void {
		if (this.consent(id).is_opted_in === optIn) return;
		this.addActivity(id, optIn ? 'marketing_opt_in' : 'marketing_opt_out');
		this.tables.profiles.update(id, { marketing_opt_in: optIn ? 1 : 0, ...this.touched });
	}

	addActivity(profile_id: number, type: string): void {
		this.tables.activities.insert({ profile_id, type, created_at: this.clock.iso() });
	}

	/** Activities of a profile, the newest first. */
	activities(profileId: number, window?: Window): Slice<Activity> {
		return slice(this.tables.activities.by('profile_id', profileId).reverse(), window);
	}

	private isVisible({ customer_id }: Profile, user: User): boolean {
		return user.is_admin || this.tables.customer_users.has(customer_id, user.id);
	}
}

/** `field:asc,field:desc` with known fields; the contract has already checked the form. */
function readOrder(orderBy: string | undefined): ProfileQuery['orderBy'] {
	return orderBy?.split(',').map((part): SortedBy => {
		const [name, direction] = part.split(':');
		const field = SORTABLE_PROFILE_FIELDS.find((sortable) => sortable === name);
		if (!field) {
			throw invalid({ order_by: [`Profiles can be sorted by ${SORTABLE_PROFILE_FIELDS.join(', ')}.`] });
		}
		return [field, direction === 'desc' ? 'desc' : 'asc'];
	});
}

const FORMS_OF_TIMES = {
	milliseconds: (time: string) => time,
	seconds: (time: string) => time.replace(/\.\d+Z$/, 'Z'),
	local: (time: string) => time.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' '),
};

/** A profile as the tenant shows its times and tags. */
function shown({ store, tenant }: Call<OperationId>, profile: Profile): Profile {
	const { profileTimes: times, profileTags } = tenant.choices;
	const { created_at, updated_at, ...fields } = profile;
	const tags = store.tags.of('profile', profile.id);
	const shownTags = profileTags === 'titles' ? tags.map(({ title }) => title).join(',') : tags;
	const others = { ...fields, ...(profileTags !== 'hidden' && { tags: shownTags }) };
	if (times === 'hidden') return others as Profile;
	const form = FORMS_OF_TIMES[times];
	return { ...others, created_at: form(created_at), updated_at: form(updated_at) };
}

const changed = ({ tenant }: Call<OperationId>) => tenant.events.emit('customer');

export const operations = {
	listProfiles(call) {
		const { search, channel, order_by, per_page } = call.query;
		if (per_page !== undefined && per_page < 1)
			throw invalid({ per_page: ['The page size must be at least 1.'] });
		const { orderBy: order } = call.tenant.choices;
		if (order === 'refused' && order_by !== undefined)
			throw invalid({ order_by: ['The order by parameter is not allowed.'] });
		const orderBy = order === 'ignored' ? undefined : readOrder(order_by);
		return call.page((window) => {
			const { records, total } = call.store.profiles.list(call.user, { search, channel, orderBy }, window);
			return { records: records.map((record) => shown(call, record)), total };
		});
	},

	getProfile: (call) => ({ data: shown(call, call.profile(call.params.id)) }),

	updateProfile(call) {
		const { store, body } = call;
		const profile = call.profile(call.params.id);
		const fields: ProfileFields = {};
		for (const field of PROFILE_TEXTS) fields[field] = body[field];
		if (typeof body.email === 'string' && !isEmail(body.email)) {
			throw invalid({ email: ['The email must be a valid address.'] });
		}
		fields.email = body.email;
		if (typeof body.date_of_birth === 'string') {
			fields.date_of_birth = readDate(body.date_of_birth);
			if (fields.date_of_birth === undefined) {
				throw invalid({ date_of_birth: ['The date of birth must be YYYY-MM-DD or DD.MM.YYYY.'] });
			}
		} else {
			fields.date_of_birth = body.date_of_birth;
		}
		if (body.name !== undefined && body.name.trim() === '')
			throw invalid({ name: ['The name may not be empty.'] });
		const { marketing_opt_in, name } = body;
		store.profiles.update(profile.id, fields);
		if (name !== undefined) store.customers.rename(profile.customer_id, name);
		if (marketing_opt_in !== undefined) store.profiles.setConsent(profile.id, marketing_opt_in === 1);
		changed(call);
		return { data: call.profile(profile.id) };
	},

	getMarketingConsent: (call) => ({ data: call.store.profiles.consent(call.profile(call.params.id).id) }),

	setMarketingConsent(call) {
		const profile = call.profile(call.params.id);
		call.store.profiles.setConsent(profile.id, call.body.opt_in);
		changed(call);
		return { data: call.profile(profile.id) };
	},

	listProfileActivities(call) {
		const { id } = call.profile(call.params.profileId);
		return call.page((window) => call.store.profiles.activities(id, window));
	},

	getProfileActivity(call) {
		const { records } = call.store.profiles.activities(call.profile(call.params.profileId).id);
		return {
			data: existing(
				records.find(({ id }) => id === call.params.activityId),
				'Activity',
			),
		};
	},

	listProfileTags: (call) => ({
		data: call.store.tags.of('profile', call.profile(call.params.profileId).id),
	}),

	syncProfileTags(call) {
		const profile = call.profile(call.params.profileId);
		checkTagChoices(call.store, call.body.tags);
		const tags = call.store.tags.sync('profile', profile.id, call.body.tags);
		changed(call);
		return { data: tags };
	},

	detachProfileTag(call) {
		const profile = call.profile(call.params.profileId);
		if (!call.store.tags.detach('profile', profile.id, call.params.tagId))
			throw notFound('Tag of this profile');
		changed(call);
		return { data: call.store.tags.of('profile', profile.id) };
	},

	listProfileGroups: (call) => ({
		data: call.store.groups.ofProfile(call.profile(call.params.profileId).id),
	}),

	syncProfileGroups(call) {
		const profile = call.profile(call.params.profileId);
		const ids = call.body.groups.map(({ id }) => id);
		const missing = ids.filter((id) => !call.store.groups.find(id));
		if (missing.length > 0) throw invalid({ groups: [`There is no group ${missing.join(', ')}.`] });
		const groups = call.store.groups.sync(profile.id, ids);
		changed(call);
		return { data: groups };
	},

	detachProfileGroup(call) {
		const profile = call.profile(call.params.profileId);
		if (!call.store.groups.detach(profile.id, call.params.groupId)) throw notFound('Group of this profile');
		changed(call);
		return { data: call.store.groups.ofProfile(profile.id) };
	},
} satisfies Operations;
