import { type Conversion, ValueProblem } from './conversion';
import { isObject } from './json';

/** The elements of a set, given as an array, a comma list or a single value. */
export function listed(value: unknown): unknown[] {
	if (value === undefined || value === null || value === '') return [];
	if (Array.isArray(value)) return value;
	if (typeof value === 'string') return value.split(',');
	return [value];
}

/** One ID as the interface takes it in a body. */
export const integerId: Conversion<number> = (value) =>
	/^\d+$/.test(String(value).trim())
		? Number(value)
		: new ValueProblem(
				'is not a whole number',
				'Choose a record from the list or enter its numeric ID, e.g. 42.',
			);

/** A set of IDs, each once: from an array of IDs or of records, a comma list or a single ID. */
export const idSet: Conversion<number[]> = (value) => {
	const ids = listed(value)
		.map((id) => (isObject(id) ? id.id : id))
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

/** A set of groups as the interface writes it. */
export const groupSet: Conversion<Array<{ id: number }>> = (value) => {
	const ids = idSet(value);
	return ids instanceof ValueProblem ? ids : ids.map((id) => ({ id }));
};

const EMPTY = new ValueProblem(
	'is empty',
	'Choose a record from the list or enter its ID. If it comes from an expression, check that the item before has that field.',
);

/** An ID in the path of a request, where the interface shows a text or does not show the type. */
export const textSegment: Conversion<string> = (value) => {
	const typed = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	if (typed === '') return EMPTY;
	return /^\.+$/.test(typed) ? new ValueProblem('is not an ID', 'Enter the ID of the record.') : typed;
};

/** An ID in the path of a request, where the interface shows a whole number. */
export const integerSegment: Conversion<string> = (value) => {
	const typed = textSegment(value);
	if (typed === EMPTY) return EMPTY;
	return typeof typed === 'string' && /^\d+$/.test(typed)
		? typed
		: new ValueProblem('is not a whole number', 'Enter the numeric ID of the record, e.g. 42.');
};

/** A set of names. */
export const textSet: Conversion<string[]> = (value) => listed(value).map((name) => String(name).trim());
