import { channelFilters } from '../../fields/channel';
import { howMany, readPages } from '../../fields/list';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getAll = operation('GET /customers', {
	fields: [...howMany, channelFilters],
	flow: readPages(),
	output: list,
});
