import { channelFilter } from '../../fields/channel';
import { howMany, readPages } from '../../fields/list';
import { orderBy } from '../../fields/orderBy';
import { list } from '../../outputs/outputs';
import { simpleProfileFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { collection, queryField } from '../../runner/field';
import { text } from '../../values/text';

const search = queryField('search', text, {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'Text to search the profiles for',
});

export const getAll = operation('GET /profiles', {
	fields: [
		...howMany,
		collection(
			{ displayName: 'Filters', name: 'filters', type: 'collection', placeholder: 'Add Filter', default: {} },
			[channelFilter, orderBy, search],
		),
		...simplify,
	],
	flow: readPages('per_page'),
	output: simplified(list, simpleProfileFields),
});
