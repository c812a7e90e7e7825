/** The reason why the tenant's fields are missing. The text continues "…, since ". */
export interface Problem {
	problem: string;
}

/** Makes the problem of a description. */
export const problem = (words: string): Problem => ({ problem: `its description ${words}` });

/** Something in a description is too large to be read. */
export class TooLarge extends Error {}
