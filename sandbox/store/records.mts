import type { Clock } from '../clock.mts';
import type { Tables } from './store.mts';

/** What the records of a resource are kept with. */
export abstract class RecordStore {
	/** @param folder where the contents of files lie */
	constructor(
		protected readonly tables: Tables,
		protected readonly clock: Clock,
		protected readonly folder: string,
	) {}

	/** The times of a record that comes into being now. */
	protected get born(): { created_at: string; updated_at: string } {
		const now = this.clock.iso();
		return { created_at: now, updated_at: now };
	}

	/** The time of a change. */
	protected get touched(): { updated_at: string } {
		return { updated_at: this.clock.iso() };
	}
}
