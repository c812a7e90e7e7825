import { type Conversion, ValueProblem } from './conversion';

/** Returns the elements of a set. The input is an array, a comma-separated list or a single value. */
export function listed(value: unknown): unknown[] {
	if (value === undefined || value === null || value === '') return [];
	if (Array.isArray(value)) return value;
	if (typeof value === 'string') return value.split(',');
	return [value];
}

/** Converts one ID to the number that the interface takes in a body. */
export const integerId: Conversion<number> = (value) =>
	/^\d+$/.test(String(value).trim())
		? Number(value)
		: new ValueProblem(
				'is not a whole number',
				'Choose a record from the list or enter its numeric ID, e.g. 42.',
			);

/**
 * Converts a set of IDs and removes duplicates. The input is an array of IDs or records, a comma-separated list, or a
 * single ID.
 */
export const idSet: Conversion<number[]> = (value) => {
	const ids = listed(value)
		.map((id: unknown) => (typeof id === 'object' && id !== null ? Reflect.get(id, 'id') : id) as unknown)
		.map((id) => String(id).trim())
		.filter((id) => id !== '');
	const wrong = ids.find((id) => !/^\d+$/.test(id));
	return wrong === undefined
		? [...new Set(ids.map(Number))]
		: new ValueProblem(
				`contains "${wrong}", which is not an ID`,
				'IDs are whole numbers: choose from the list, or give an array or a comma-separated list of IDs, e.g. 3, 14.',
			);
};

/** Converts a set of groups to the form of the interface. */
export const groupSet: Conversion<Array<{ id: number }>> = (value) => {
	const ids = idSet(value);
	return ids instanceof ValueProblem ? ids : ids.map((id) => ({ id }));
};

const EMPTY = new ValueProblem(
	'is empty',
	'Choose a record from the list or enter its ID. If it comes from an expression, check that the item before has that field.',
);

/** Converts an ID in the path of a request, if the interface defines a text or no type. */
export const textSegment: Conversion<string> = (value) => {
	const typed = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (typed === '') return EMPTY;
	return /^\.+$/.test(typed) ? new ValueProblem('is not an ID', 'Enter the ID of the record.') : typed;
};

/** Converts an ID in the path of a request, if the interface defines a whole number. */
export const integerSegment: Conversion<string> = (value) => {
	const typed = textSegment(value);
	if (typed === EMPTY) return EMPTY;
	return typeof typed === 'string' && /^\d+$/.test(typed)
		? typed
		: new ValueProblem('is not a whole number', 'Enter the numeric ID of the record, e.g. 42.');
};

/** Converts a set of names. */
export const textSet: Conversion<string[]> = (value) => listed(value).map((name) => String(name).trim());
