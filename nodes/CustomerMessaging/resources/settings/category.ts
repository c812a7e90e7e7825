import { setting } from '../../runner/field';
import { oneOf } from '../../values/choices';

/** The category of settings. Each category has its own endpoint. */
export const category = setting('category', oneOf('crm', 'general', 'thirdParty'), {
	displayName: 'Category',
	name: 'category',
	type: 'options',
	options: [
		{ name: 'CRM', value: 'crm' },
		{ name: 'General', value: 'general' },
		{ name: 'Third Party', value: 'thirdParty' },
	],
	default: 'general',
	description: 'The category of the settings',
});
