import { collection, type MemberField, type Setting } from '../runner/field';

type Optional<Name extends string> = ReadonlyArray<MemberField | Setting<`${Name}.${string}`>>;

/** Makes the collection of the fields that a new record can do without. */
export const additionalFields = <const Fields extends Optional<'additionalFields'>>(...fields: Fields) =>
	collection(
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
		},
		fields,
	);

/** Makes the collection of the fields that an update changes. */
export const updateFields = <const Fields extends Optional<'updateFields'>>(...fields: Fields) =>
	collection(
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
		},
		fields,
	);

/** Makes the collection of the filters of a list. */
export const filters = <const Fields extends Optional<'filters'>>(...fields: Fields) =>
	collection(
		{ displayName: 'Filters', name: 'filters', type: 'collection', placeholder: 'Add Filter', default: {} },
		fields,
	);

/** Makes the collection of an operation's options. */
export const options = <const Fields extends Optional<'options'>>(...fields: Fields) =>
	collection(
		{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
		fields,
	);
