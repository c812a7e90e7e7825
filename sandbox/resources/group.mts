import { existing, invalid } from '../refusal.mts';
import { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import type { Tables } from '../store/tables.mts';
import { DELETED, type Operations } from './operation.mts';

/** A group; besides these, whatever members it was written with. */
export interface Group {
	id: number;
	name: string;
	created_at: string;
	updated_at: string;
	[member: string]: unknown;
}

interface GroupRow {
	id: number;
	fields: string;
	created_at: string;
	updated_at: string;
}

export const tables = {
	groups: {
		firstId: 61,
		isCounted: true,
		columns: 'fields TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL',
	},
	profile_groups: {
		columns: `
			profile_id INTEGER NOT NULL REFERENCES profiles ON DELETE CASCADE,
			group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
			PRIMARY KEY (profile_id, group_id)`,
		indexes: ['(group_id)'],
	},
} satisfies Tables;

const toGroup = ({ id, fields, created_at, updated_at }: GroupRow): Group => ({
	...(JSON.parse(fields) as { name: string }),
	id,
	created_at,
	updated_at,
});

/** Groups of profiles. Their fields are not shown, so they keep every member they are given. */
export class Records extends RecordStore {
	list(): Group[] {
		return this.database.all<GroupRow>('SELECT * FROM groups ORDER BY id').map(toGroup);
	}

	find(id: number): Group | undefined {
		const row = this.database.get<GroupRow>('SELECT * FROM groups WHERE id = ?', id);
		return row && toGroup(row);
	}

	create(fields: Record<string, unknown>): number {
		const now = this.clock.iso();
		return this.database.insert('groups', {
			fields: JSON.stringify(fields),
			created_at: now,
			updated_at: now,
		});
	}

	update(id: number, fields: Record<string, unknown>): void {
		const row = this.database.get<GroupRow>('SELECT * FROM groups WHERE id = ?', id);
		const merged = { ...(row ? (JSON.parse(row.fields) as object) : {}), ...fields };
		this.database.update('groups', id, { fields: JSON.stringify(merged), updated_at: this.clock.iso() });
	}

	delete(id: number): void {
		this.database.run('DELETE FROM groups WHERE id = ?', id);
	}

	ofProfile(profileId: number): Group[] {
		return this.database
			.all<GroupRow>(
				'SELECT groups.* FROM profile_groups JOIN groups ON groups.id = group_id WHERE profile_id = ? ORDER BY groups.id',
				profileId,
			)
			.map(toGroup);
	}

	attach(profileId: number, groupId: number): void {
		this.database.run(
			'INSERT OR IGNORE INTO profile_groups (profile_id, group_id) VALUES (?, ?)',
			profileId,
			groupId,
		);
	}

	/** @returns false if the profile was not in the group. */
	detach(profileId: number, groupId: number): boolean {
		return (
			this.database.run(
				'DELETE FROM profile_groups WHERE profile_id = ? AND group_id = ?',
				profileId,
				groupId,
			).changes > 0
		);
	}

	/** Puts the profile into exactly these groups, which must exist. */
	sync(profileId: number, groupIds: number[]): Group[] {
		return this.database.transaction(() => {
			this.database.run('DELETE FROM profile_groups WHERE profile_id = ?', profileId);
			for (const groupId of groupIds) this.attach(profileId, groupId);
			return this.ofProfile(profileId);
		});
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
