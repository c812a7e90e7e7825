import { list } from '../../outputs/outputs';
import { setting } from '../../runner/field';
import type { Output } from '../../runner/operation';
import { textSet } from '../../values/ids';
import { stringOf } from '../../values/text';

export const activityTypes = setting('filters.types', textSet, {
	displayName: 'Type Names or IDs',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getActivityTypes' },
	description:
		'Only activities of these types. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

/** Keeps only the activities of the chosen types. The service cannot filter them. */
export const listOfTypes: Output<typeof activityTypes> = {
	reads: [activityTypes],
	itemsOf: (answer, item) => {
		const wanted = item.read(activityTypes);
		const items = list.itemsOf(answer, item);
		return wanted.length === 0 ? items : items.filter(({ json }) => wanted.includes(stringOf(json.type)));
	},
};
