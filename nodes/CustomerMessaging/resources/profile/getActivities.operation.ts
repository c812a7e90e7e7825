import { howMany, readPages } from '../../fields/list';
import { profile } from '../../fields/locators';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { collection, pathField, setting } from '../../runner/field';
import type { Output } from '../../runner/operation';
import { textSet } from '../../values/ids';

const types = setting('filters.types', textSet, {
	displayName: 'Type Names or IDs',
	name: 'types',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getActivityTypes' },
	default: [],
	description:
		'Only activities of these types. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** Keeps only the activities of the chosen types. The service cannot filter them. */
const ofTypes: Output<typeof types> = {
	reads: [types],
	itemsOf: (answer, item) => {
		const wanted = item.read(types);
		const items = list.itemsOf(answer, item);
		return wanted.length === 0 ? items : items.filter(({ json }) => wanted.includes(String(json.type)));
	},
};

export const getActivities = operation('GET /profiles/{profileId}/activities', {
	fields: [
		pathField('profileId', profile),
		...howMany,
		collection(
			{
				displayName: 'Filters',
				name: 'filters',
				type: 'collection',
				placeholder: 'Add Filter',
				default: {},
			},
			[types],
		),
	],
	flow: readPages(),
	output: ofTypes,
});
