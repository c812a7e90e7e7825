import { RecordStore } from '../store/records.mts';
import type { Tables } from '../store/tables.mts';

/** What can change by itself after a while. */
export type PlanKind = 'message' | 'template';

/** A status that a record gets later. */
export interface Plan {
	id: number;
	kind: PlanKind;
	record_id: number;
	status: string;
	/** What comes with the status, as JSON; null without it. */
	detail: string | null;
	/** Milliseconds since 1970, on the tenant's clock. */
	due_at: number;
}

export const tables = {
	plans: {
		firstId: 1,
		columns: `
			kind TEXT NOT NULL,
			record_id INTEGER NOT NULL,
			status TEXT NOT NULL,
			detail TEXT,
			due_at INTEGER NOT NULL`,
		indexes: ['(due_at)', '(kind, record_id)'],
	},
} satisfies Tables;

/** What is to happen to which records, and when. */
export class Records extends RecordStore {
	add({ detail, ...plan }: Omit<Plan, 'id'>): void {
		this.database.insert('plans', { ...plan, detail: detail ?? undefined });
	}

	/** Plans whose time has come, in the order in which it came. */
	due(now: number): Plan[] {
		return this.database.all<Plan>('SELECT * FROM plans WHERE due_at <= ? ORDER BY due_at, id', now);
	}

	/** When the next one is due, in milliseconds since 1970. */
	nextDue(): number | undefined {
		return this.database.get<{ due_at: number }>('SELECT due_at FROM plans ORDER BY due_at LIMIT 1')?.due_at;
	}

	/** @returns false if the plan was given up before. */
	delete(id: number): boolean {
		return this.database.run('DELETE FROM plans WHERE id = ?', id).changes > 0;
	}

	/** Gives up what was planned for one record, or for all of a kind. */
	giveUp(kind: PlanKind, recordId?: number): void {
		if (recordId === undefined) this.database.run('DELETE FROM plans WHERE kind = ?', kind);
		else this.database.run('DELETE FROM plans WHERE kind = ? AND record_id = ?', kind, recordId);
	}
}
