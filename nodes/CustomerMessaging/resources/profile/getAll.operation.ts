import { channelFilter } from '../../fields/channel';
import { howMany, pageSize, readPagesOfSize } from '../../fields/list';
import { orderBy } from '../../fields/orderBy';
import { list } from '../../outputs/outputs';
import { simpleProfileFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { collection, queryField } from '../../runner/field';
import { searchText } from '../../values/phoneNumber';

const search = queryField('search', searchText, {
	displayName: 'Search',
	name: 'search',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description: 'Text to search the profiles for, or a phone number in any usual writing',
});

export const getAll = operation('GET /profiles', {
	fields: [
		...howMany,
		collection(
			{ displayName: 'Filters', name: 'filters', type: 'collection', placeholder: 'Add Filter', default: {} },
			[channelFilter, orderBy, search],
		),
		...simplify,
		collection(
			{ displayName: 'Options', name: 'options', type: 'collection', placeholder: 'Add option', default: {} },
			[pageSize],
		),
	],
	flow: readPagesOfSize(),
	output: simplified(list, simpleProfileFields),
});
