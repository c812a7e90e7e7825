import { choice } from '../values/choices';
import { InvalidValue } from '../values/parse';
import { setting } from './field';
import { fieldError } from './fieldError';
import type { Item } from './item';

/** What a field without a value does to a record that exists: see "Without a value" in docs/values.md. */
export const emptyCells = setting(
	'options.emptyCells',
	...choice(
		{
			clear: 'Empty values clear the fields that can be empty',
			leave: ['Leave as They Are', 'Fields without a value are left out'],
		},
		'leave',
	),
);

export const ifEmpty = setting(
	'ifEmpty',
	...choice({ fail: 'The item fails, and nothing is changed', removeAll: 'Everything is detached' }, 'fail', {
		hint: 'Detaches all that is not chosen above',
	}),
);

const EMPTY_SET = new InvalidValue(
	'would detach everything, because the set is empty; nothing was changed',
	'Choose what to attach. To detach everything, set If Empty to Remove All.',
);

/** Fails an item that would detach everything without being told to. The label names the parameters of the set. */
export function guardAgainstEmpty(item: Item<typeof ifEmpty>, label: string, set: readonly unknown[]): void {
	if (set.length > 0 || item.get(ifEmpty) !== 'fail') return;
	item.problems.push(fieldError(item.context, label, EMPTY_SET));
	throw item.problems[0];
}
