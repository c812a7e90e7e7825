import { invalid, notFound } from '../refusal.mts';
import type { Group } from '../store/groups.mts';
import type { Store } from '../store/store.mts';
import { DELETED, type Operations } from './operation.mts';

function existing(store: Store, id: number): Group {
	const group = store.groups.find(id);
	if (!group) throw notFound('Group');
	return group;
}

/** Members that the service sets itself. */
const OWN_MEMBERS = ['id', 'created_at', 'updated_at'];

/** A group has a name; every other member it is given is kept as it is. */
function readFields(body: Record<string, unknown>): Record<string, unknown> {
	const { name } = body;
	if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
		throw invalid({ name: ['The name must be a text.'] });
	}
	return Object.fromEntries(Object.entries(body).filter(([member]) => !OWN_MEMBERS.includes(member)));
}

export const groupOperations: Operations<
	'listGroups' | 'createGroup' | 'getGroup' | 'updateGroup' | 'deleteGroup' | 'listGroupProfiles'
> = {
	listGroups: ({ store }) => ({ data: store.groups.list() }),

	createGroup({ store, body }) {
		const fields = readFields(body);
		if (fields.name === undefined) throw invalid({ name: ['A group needs a name.'] });
		return existing(store, store.groups.create(fields));
	},

	getGroup: ({ store, params }) => ({ data: existing(store, params.id) }),

	updateGroup({ store, tenant, params, body }) {
		existing(store, params.id);
		store.groups.update(params.id, readFields(body));
		tenant.events.emit('reset');
		return existing(store, params.id);
	},

	deleteGroup({ store, tenant, params }) {
		store.groups.delete(existing(store, params.id).id);
		tenant.events.emit('reset');
		return DELETED;
	},

	listGroupProfiles: ({ store, user, params }) => ({
		data: store.profiles.inGroup(existing(store, params.groupId).id, user),
	}),
};
