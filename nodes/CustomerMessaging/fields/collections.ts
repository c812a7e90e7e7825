import { collection, type MemberField, type OpenField, type Setting } from '../core/field';

/** Makes the function that makes a collection of optional fields. */
const collectionOf =
	<const Name extends string>(name: Name, displayName: string, placeholder: string) =>
	<const Fields extends ReadonlyArray<MemberField | OpenField | Setting<`${Name}.${string}`>>>(
		...fields: Fields
	) =>
		collection({ displayName, name, placeholder }, fields);

/** The fields that a new record can do without. */
export const additionalFields = collectionOf('additionalFields', 'Additional Fields', 'Add Field');

/** The fields that an update changes. */
export const updateFields = collectionOf('updateFields', 'Update Fields', 'Add Field');

/** The filters of a list. */
export const filters = collectionOf('filters', 'Filters', 'Add Filter');

/** The options of an operation. */
export const options = collectionOf('options', 'Options', 'Add option');
