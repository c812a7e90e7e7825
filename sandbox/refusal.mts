import { STATUS } from './choices.mts';

/** Field errors of an answer: texts by field, nested fields with dots. */
export type FieldErrors = Record<string, string[]>;

/** A request that the sandbox refuses; the server turns it into `{ message, errors }` with this status. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly errors?: FieldErrors,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

export const notFound = (what: string): Refusal => new Refusal(STATUS.notFound, `${what} not found.`);

/** A record that has to be there. @throws 404 */
export function existing<Item>(record: Item | undefined, what: string): Item {
	if (record === undefined) throw notFound(what);
	return record;
}

export const notAttached = (): Refusal =>
	new Refusal(STATUS.notAttached, 'You are neither an admin nor attached to this customer.');

/** A body or query that breaks a rule; the first field error becomes the message. */
export function invalid(errors: FieldErrors): Refusal {
	const texts = Object.values(errors).flat();
	const more = texts.length > 1 ? ` (and ${texts.length - 1} more)` : '';
	return new Refusal(STATUS.invalid, `${texts[0]}${more}`, errors);
}

export const fileTooLarge = (kind: string, megabytes: number): Refusal =>
	new Refusal(
		STATUS.fileTooLarge,
		`The file is too large: a file of type ${kind} may have ${megabytes} MB.`,
		{
			file: [`The file may not be larger than ${megabytes} MB.`],
		},
	);
