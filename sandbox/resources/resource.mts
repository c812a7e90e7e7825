import type { RecordStore } from '../store/records.mts';
import type { Store } from '../store/store.mts';
import type { Kept } from '../store/table.mts';
import type { Operations } from './operation.mts';

/** What the file of a resource exports: as much of it as the resource has. */
export interface Resource {
	/** Makes what its records are kept in. */
	tables?: Record<string, () => Kept>;
	/** What can be done with its records: `store.tags` and so on, for every resource. */
	Records?: new (...args: ConstructorParameters<typeof RecordStore>) => object;
	/** A handler for each endpoint that has the name of the file as its tag in openapi.yaml. */
	operations?: Operations;
	/** Adds what a fresh tenant has of it. */
	demo?: (store: Store, picture: Buffer) => void;
}
