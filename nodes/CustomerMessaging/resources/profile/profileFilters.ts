import { groupFilter, tagFilter } from '../../fields/locators';
import { setting } from '../../runner/field';
import { choice } from '../../values/choices';
import { integerSegment } from '../../values/ids';

// The interface has no query for these filters.

export const inGroup = setting('filters.group', integerSegment, groupFilter);

export const withTag = setting('filters.tag', integerSegment, tagFilter);

export const withConsent = setting(
	'filters.marketingConsent',
	...choice(
		{
			notOptedIn: 'Withdrew the consent or never gave it',
			optedIn: 'Agreed to marketing messages',
		},
		'optedIn',
		{ description: 'Only profiles that agree to marketing messages, or only those that do not' },
	),
);
