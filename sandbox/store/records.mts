import type { Clock } from '../clock.mts';
import type { Database } from './database.mts';

/** What the records of a resource are kept with. */
export abstract class RecordStore {
	/** @param folder where the contents of files lie */
	constructor(
		protected readonly database: Database,
		protected readonly clock: Clock,
		protected readonly folder: string,
	) {}
}
