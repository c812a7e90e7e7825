import { choice } from '../values/choices';
import { setting } from './field';

/** What a field without a value does to a record that exists: see "Without a value" in docs/values.md. */
export const emptyCells = setting(
	'options.emptyCells',
	...choice(
		{
			clear: 'Fields that can be empty become empty',
			leave: ['Leave as They Are', 'Fields without a value are left out'],
		},
		'leave',
		{ description: 'What to do with empty added fields' },
	),
);
