import { SORTABLE_PROFILE_FIELDS } from '../choices.mts';
import { invalid, notFound } from '../refusal.mts';
import type { ProfileFields, ProfileQuery } from '../store/profiles.mts';
import { readDate } from './date.mts';
import { isEmail } from './email.mts';
import { type Call, type OperationId, type Operations } from './operation.mts';
import { checkTagChoices } from './tagChoices.mts';

const WRITABLE = ['address', 'custom_1', 'custom_2', 'custom_3', 'custom_4', 'custom_5'] as const;

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

const changed = (call: Call<OperationId>, customerId: number) =>
	call.tenant.events.emit('customer', customerId);

export const profileOperations: Operations<
	| 'listProfiles'
	| 'getProfile'
	| 'updateProfile'
	| 'getMarketingConsent'
	| 'setMarketingConsent'
	| 'listProfileActivities'
	| 'getProfileActivity'
	| 'listProfileTags'
	| 'syncProfileTags'
	| 'detachProfileTag'
	| 'listProfileGroups'
	| 'syncProfileGroups'
	| 'detachProfileGroup'
> = {
	listProfiles(call) {
		const { search, channel, order_by, per_page } = call.query;
		if (per_page !== undefined && per_page < 1)
			throw invalid({ per_page: ['The page size must be at least 1.'] });
		const orderBy = readOrder(order_by);
		return call.page((window) => call.store.profiles.list(call.user, { search, channel, orderBy }, window));
	},

	getProfile: (call) => ({ data: call.profile(call.params.id) }),

	updateProfile(call) {
		const { store, body } = call;
		const profile = call.profile(call.params.id);
		const fields: ProfileFields = {};
		for (const field of WRITABLE) fields[field] = body[field];
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
};
