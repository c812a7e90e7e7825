import { existing, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import { Links, Table } from '../store/table.mts';
import { DELETED, type Operations } from './operation.mts';

/** A group; besides these, whatever members it was written with. */
export interface Group {
	id: number;
	name: string;
	created_at: string;
	updated_at: string;
	[member: string]: unknown;
}

export const tables = {
	groups: () => new Table<Group>({ firstId: 61, isCounted: true }),
	profile_groups: () => new Links(),
};

const toGroup = ({ id, created_at, updated_at, ...fields }: Group) =>
	({ ...fields, id, created_at, updated_at }) as Group;

/** Groups of profiles. Their fields are not shown, so they keep every member they are given. */
export class Records extends RecordStore {
	list(): Group[] {
		return this.tables.groups.all().map(toGroup);
	}

	find(id: number): Group | undefined {
		const group = this.tables.groups.find(id);
		return group && toGroup(group);
	}

	create(fields: Record<string, unknown>): number {
		return this.tables.groups.insert({ ...fields, ...this.born } as Group).id;
	}

	update(id: number, fields: Record<string, unknown>): void {
		this.tables.groups.update(id, { ...fields, ...this.touched });
	}

	delete(id: number): void {
		this.tables.groups.delete(id);
		this.tables.profile_groups.forget(id);
	}

	ofProfile(profileId: number): Group[] {
		return this.tables.profile_groups.of(profileId).flatMap((id) => this.find(id) ?? []);
	}

	attach(profileId: number, groupId: number): void {
		this.tables.profile_groups.add(profileId, groupId);
	}

	/** @returns false if the profile was not in the group. */
	detach(profileId: number, groupId: number): boolean {
		return this.tables.profile_groups.delete(profileId, groupId);
	}

	/** Puts the profile into exactly these groups, which must exist. */
	sync(profileId: number, groupIds: number[]): Group[] {
		this.tables.profile_groups.sync(profileId, groupIds);
		return this.ofProfile(profileId);
	}
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

export const operations = {
	listGroups: ({ store }) => ({ data: store.groups.list() }),

	createGroup({ store, body }) {
		const fields = readFields(body);
		if (fields.name === undefined) throw invalid({ name: ['A group needs a name.'] });
		return existing(store.groups.find(store.groups.create(fields)), 'Group');
	},

	getGroup: ({ store, params }) => ({ data: existing(store.groups.find(params.id), 'Group') }),

	updateGroup({ store, tenant, params, body }) {
		existing(store.groups.find(params.id), 'Group');
		store.groups.update(params.id, readFields(body));
		tenant.events.emit('reset');
		return existing(store.groups.find(params.id), 'Group');
	},

	deleteGroup({ store, tenant, params }) {
		store.groups.delete(existing(store.groups.find(params.id), 'Group').id);
		tenant.events.emit('reset');
		return DELETED;
	},

	listGroupProfiles({ store, user, params }) {
		const { id } = existing(store.groups.find(params.groupId), 'Group');
		return { data: store.profiles.inGroup(id, user) };
	},
} satisfies Operations;

export function demo({ groups }: Store): void {
	groups.create({ name: 'Regulars', description: 'Ordered three times or more' });
	groups.create({ name: 'Wholesale', description: null });
}
