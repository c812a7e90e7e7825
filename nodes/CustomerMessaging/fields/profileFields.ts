import { bodyField, clearable, setting } from '../core/field';
import { oneOrZero } from '../values/choices';
import { birthDate } from '../values/dates';
import { text, trimmedText } from '../values/text';
import { idOrName } from './byName';
import { groupFilter } from './locators';

/** Makes one of the five custom fields that a tenant defines. */
const customField = <const Number extends 1 | 2 | 3 | 4 | 5>(number: Number, which: string) =>
	clearable(
		bodyField(`custom_${number}`, text, {
			displayName: `Custom ${number}`,
			placeholder: 'e.g. Gold',
			description: `The ${which} custom field of your account`,
		}),
	);

/** The writable profile fields that the interface documents, in the order of its table. */
export const profileFields = [
	clearable(
		bodyField('address', text, {
			placeholder: 'e.g. 1 Example Street, Berlin',
			description: 'The postal address',
		}),
	),
	customField(1, 'first'),
	customField(2, 'second'),
	customField(3, 'third'),
	customField(4, 'fourth'),
	customField(5, 'fifth'),
	clearable(
		bodyField('date_of_birth', birthDate, {
			placeholder: 'e.g. 1990-05-17',
			description: 'The birthday as YYYY-MM-DD or DD.MM.YYYY, or a date made by n8n',
		}),
	),
	clearable(
		bodyField('email', trimmedText, {
			placeholder: 'e.g. name@email.com',
			description: 'The email address',
		}),
	),
	// Not clearable: a tenant would record a withdrawal.
	bodyField('marketing_opt_in', oneOrZero, {
		displayName: 'Marketing Consent',
		type: 'boolean',
		description:
			'Whether the person agreed to marketing messages. Profile: Set Marketing Consent records it with time and proof.',
	}),
] as const;

/** The filter of profiles that the interface has no query for. */
export const inGroup = setting('filters.group', idOrName('groups'), groupFilter);
