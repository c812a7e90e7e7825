import type { Clock } from '../clock.mts';
import type { Database } from './database.mts';

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

const toGroup = ({ id, fields, created_at, updated_at }: GroupRow): Group => ({
	...(JSON.parse(fields) as { name: string }),
	id,
	created_at,
	updated_at,
});

/** Groups of profiles. Their fields are not shown, so they keep every member they are given. */
export class GroupStore {
	constructor(
		private readonly database: Database,
		private readonly clock: Clock,
	) {}

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
