import { oneOf } from '../values/choices';
import { setting } from './field';

/** What a field without a value does to a record that exists: see "Without a value" in docs/values.md. */
export const emptyCells = setting('options.emptyCells', oneOf('leave', 'clear'), {
	displayName: 'Empty Cells',
	type: 'options',
	options: [
		{ name: 'Clear', value: 'clear', description: 'Fields that can be empty become empty' },
		{ name: 'Leave as They Are', value: 'leave', description: 'Fields without a value are left out' },
	],
	default: 'leave',
	description: 'What to do with added fields without a value',
});
