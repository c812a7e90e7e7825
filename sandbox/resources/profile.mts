import { SEARCHED_PROFILE_FIELDS, SORTABLE_PROFILE_FIELDS } from '../choices.mts';
import { invalid, notFound } from '../refusal.mts';
import { containing, type SqlValue } from '../store/database.mts';
import { RecordStore } from '../store/records.mts';
import type { Slice, Window } from '../store/slice.mts';
import type { Tables } from '../store/tables.mts';
import { isEmail, readDate } from '../values.mts';
import { type Call, type OperationId, type Operations } from './operation.mts';
import { checkTagChoices } from './tag.mts';
import type { User } from './user.mts';

export interface Profile {
	id: number;
	customer_id: number;
	channel: string;
	name: string;
	phone_number: string;
	email: string | null;
	date_of_birth: string | null;
	address: string | null;
	custom_1: string | null;
	custom_2: string | null;
	custom_3: string | null;
	custom_4: string | null;
	custom_5: string | null;
	marketing_opt_in: number | null;
	created_at: string;
	updated_at: string;
}

/** Fields of a profile that hold any text. */
export const PROFILE_TEXTS = ['address', 'custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5'] as const;

/** Fields of a profile to write; those left out stay. */
export type ProfileFields = Partial<
	Pick<Profile, 'name' | 'email' | 'date_of_birth' | (typeof PROFILE_TEXTS)[number]>
>;

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

export interface ProfileQuery {
	search?: string;
	channel?: string;
	/** Column and direction pairs; the caller has checked the columns. */
	orderBy?: Array<[column: string, direction: 'asc' | 'desc']>;
}

export const tables = {
	profiles: {
		// So that the ID of a profile in the place of a customer's reaches somebody else.
		firstId: 102,
		isCounted: true,
		columns: `
			customer_id INTEGER NOT NULL UNIQUE REFERENCES customers ON DELETE CASCADE,
			channel TEXT NOT NULL,
			name TEXT NOT NULL,
			phone_number TEXT NOT NULL,
			email TEXT,
			date_of_birth TEXT,
			address TEXT,
			custom_1 TEXT,
			custom_2 TEXT,
			custom_3 TEXT,
			custom_4 TEXT,
			custom_5 TEXT,
			marketing_opt_in INTEGER,
			created_at TEXT NOT NULL,
			updated_at TEXT NOT NULL`,
		indexes: ['(channel)', '(name COLLATE NOCASE)'],
	},
	activities: {
		firstId: 7_001,
		columns: `
			profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
			type TEXT NOT NULL,
			created_at TEXT NOT NULL`,
		indexes: ['(profile_id, type)'],
	},
} satisfies Tables;

/** Profiles with their activities and their marketing consent, which follows from the activities. */
export class Records extends RecordStore {
	/** The profile with this id, if `user` may see its customer. */
	find(id: number, user: User): Profile | undefined {
		return user.is_admin
			? this.database.get<Profile>('SELECT * FROM profiles WHERE id = ?', id)
			: this.database.get<Profile>(
					`SELECT * FROM profiles WHERE id = ?
					AND customer_id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)`,
					id,
					user.id,
				);
	}

	ofCustomer(customerId: number): Profile | undefined {
		return this.database.get<Profile>('SELECT * FROM profiles WHERE customer_id = ?', customerId);
	}

	/** Profiles that `user` may see, searched, filtered and sorted. */
	list(user: User, { search, channel, orderBy = [] }: ProfileQuery, window?: Window): Slice<Profile> {
		const conditions: string[] = [];
		const values: SqlValue[] = [];
		if (channel !== undefined) {
			conditions.push('channel = ?');
			values.push(channel);
		}
		if (search !== undefined && search !== '') {
			conditions.push(
				`(${SEARCHED_PROFILE_FIELDS.map((field) => `${field} LIKE ? ESCAPE '\\'`).join(' OR ')})`,
			);
			values.push(...SEARCHED_PROFILE_FIELDS.map(() => containing(search)));
		}
		if (!user.is_admin) {
			conditions.push('customer_id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)');
			values.push(user.id);
		}
		const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
		const order = [
			...orderBy.map(
				([column, direction]) => `${column}${column === 'name' ? ' COLLATE NOCASE' : ''} ${direction}`,
			),
			'id',
		].join(', ');
		return this.database.slice<Profile>({ from: `profiles ${where}`, order }, values, window);
	}

	/** Profiles in a group that `user` may see. */
	inGroup(groupId: number, user: User): Profile[] {
		const attached = user.is_admin
			? ''
			: 'AND customer_id IN (SELECT customer_id FROM customer_users WHERE user_id = ?)';
		return this.database.all<Profile>(
			`SELECT profiles.* FROM profile_groups JOIN profiles ON profiles.id = profile_id
			WHERE group_id = ? ${attached} ORDER BY profiles.id`,
			groupId,
			...(user.is_admin ? [] : [user.id]),
		);
	}

	update(id: number, fields: ProfileFields): void {
		this.database.update('profiles', id, { ...fields, updated_at: this.clock.iso() });
	}

	/** Where the profile stands: its latest opt-in has no opt-out after it. */
	consent(id: number): Consent {
		const latest = this.database.all<Activity>(
			`SELECT * FROM activities WHERE id IN (
				SELECT max(id) FROM activities
				WHERE profile_id = ? AND type IN ('marketing_opt_in', 'marketing_opt_out') GROUP BY type
			) ORDER BY id`,
			id,
		);
		return {
			id,
			is_opted_in: latest.at(-1)?.type === 'marketing_opt_in',
			latest_opt_in_at: latest.find(({ type }) => type === 'marketing_opt_in')?.created_at ?? null,
			latest_opt_out_at: latest.find(({ type }) => type === 'marketing_opt_out')?.created_at ?? null,
		};
	}

	/** Opts in or out. Only a change adds an activity; repeating the present state does nothing. */
	setConsent(id: number, optIn: boolean): void {
		this.database.transaction(() => {
			if (this.consent(id).is_opted_in === optIn) return;
			this.addActivity(id, optIn ? 'marketing_opt_in' : 'marketing_opt_out');
			this.database.update('profiles', id, { marketing_opt_in: optIn ? 1 : 0, updated_at: this.clock.iso() });
		});
	}

	addActivity(profileId: number, type: string): void {
		this.database.insert('activities', { profile_id: profileId, type, created_at: this.clock.iso() });
	}

	/** Activities of a profile, the newest first. */
	activities(profileId: number, window?: Window): Slice<Activity> {
		return this.database.slice<Activity>(
			{ from: 'activities WHERE profile_id = ?', order: 'id DESC' },
			[profileId],
			window,
		);
	}

	activity(profileId: number, id: number): Activity | undefined {
		return this.database.get<Activity>(
			'SELECT * FROM activities WHERE profile_id = ? AND id = ?',
			profileId,
			id,
		);
	}
}

/** `field:asc,field:desc` with known fields; the contract has already checked the form. */
function readOrder(orderBy: string | undefined): ProfileQuery['orderBy'] {
	return orderBy?.split(',').map((part): [string, 'asc' | 'desc'] => {
		const [field, direction] = part.split(':');
		if (!SORTABLE_PROFILE_FIELDS.some((sortable) => sortable === field)) {
			throw invalid({ order_by: [`Profiles can be sorted by ${SORTABLE_PROFILE_FIELDS.join(', ')}.`] });
		}
		return [field, direction === 'desc' ? 'desc' : 'asc'];
	});
}

/** A profile as the tenant shows its times and tags. */
function shown({ store, tenant }: Call<OperationId>, profile: Profile): Profile {
	const { profileTimes: times, profileTags } = tenant.choices;
	const { created_at, updated_at, ...fields } = profile;
	const tags = profileTags === 'hidden' ? [] : store.tags.of('profile', profile.id);
	const titles = tags.map(({ title }) => title).join(',');
	const others = {
		...fields,
		...(profileTags !== 'hidden' && { tags: profileTags === 'titles' ? titles : tags }),
	};
	if (times === 'hidden') return others as Profile;
	const form = (time: string) =>
		times === 'milliseconds'
			? time
			: times === 'seconds'
				? time.replace(/\.\d+Z$/, 'Z')
				: time.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' ');
	return { ...others, created_at: form(created_at), updated_at: form(updated_at) };
}

const changed = (call: Call<OperationId>, customerId: number) =>
	call.tenant.events.emit('customer', customerId);

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

	getProfile: (call) => ({ data: call.profile(call.params.id) }),

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
		store.database.transaction(() => {
			store.profiles.update(profile.id, fields);
			if (name !== undefined) store.customers.rename(profile.customer_id, name);
			if (marketing_opt_in !== undefined) store.profiles.setConsent(profile.id, marketing_opt_in === 1);
		});
		changed(call, profile.customer_id);
		return { data: call.profile(profile.id) };
	},

	getMarketingConsent: (call) => ({ data: call.store.profiles.consent(call.profile(call.params.id).id) }),

	setMarketingConsent(call) {
		const profile = call.profile(call.params.id);
		call.store.profiles.setConsent(profile.id, call.body.opt_in);
		changed(call, profile.customer_id);
		return { data: call.profile(profile.id) };
	},

	listProfileActivities(call) {
		const { id } = call.profile(call.params.profileId);
		return call.page((window) => call.store.profiles.activities(id, window));
	},

	getProfileActivity(call) {
		const profile = call.profile(call.params.profileId);
		const activity = call.store.profiles.activity(profile.id, call.params.activityId);
		if (!activity) throw notFound('Activity');
		return { data: activity };
	},

	listProfileTags: (call) => ({
		data: call.store.tags.of('profile', call.profile(call.params.profileId).id),
	}),

	syncProfileTags(call) {
		const profile = call.profile(call.params.profileId);
		checkTagChoices(call.store, call.body.tags);
		const tags = call.store.tags.sync('profile', profile.id, call.body.tags);
		changed(call, profile.customer_id);
		return { data: tags };
	},

	detachProfileTag(call) {
		const profile = call.profile(call.params.profileId);
		if (!call.store.tags.detach('profile', profile.id, call.params.tagId))
			throw notFound('Tag of this profile');
		changed(call, profile.customer_id);
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
		changed(call, profile.customer_id);
		return { data: groups };
	},

	detachProfileGroup(call) {
		const profile = call.profile(call.params.profileId);
		if (!call.store.groups.detach(profile.id, call.params.groupId)) throw notFound('Group of this profile');
		changed(call, profile.customer_id);
		return { data: call.store.groups.ofProfile(profile.id) };
	},
} satisfies Operations;
