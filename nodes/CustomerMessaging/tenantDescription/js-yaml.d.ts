/** The part of js-yaml that is used; the library comes without types. */
declare module 'js-yaml' {
	export class Type {
		constructor(
			tag: string,
			options: {
				kind: 'scalar';
				/** Whether a scalar is of this type; null stands for one that is not written. */
				resolve: (text: string | null) => boolean;
				construct?: (text: string | null) => unknown;
			},
		);
	}

	export interface Schema {
		/** @param types of scalars without a tag, the first that fits counts */
		extend(types: { implicit: Type[] }): Schema;
	}

	/** Objects, lists and text. */
	export const FAILSAFE_SCHEMA: Schema;

	export interface LoaderState {
		/** Kind of the node that was read; null for an alias. */
		kind: 'scalar' | 'sequence' | 'mapping' | null;
		anchor: string | null;
		result: unknown;
	}

	/** @throws Error */
	export function load(
		text: string,
		options: {
			schema: Schema;
			/** Whether a key may come twice; the last one counts. */
			json: boolean;
			maxDepth: number;
			/** Keys that `<<` brings in, all in all. */
			maxTotalMergeKeys: number;
			listener: (event: 'open' | 'close', state: LoaderState) => void;
		},
	): unknown;
}
