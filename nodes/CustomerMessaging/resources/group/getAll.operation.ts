import { howMany, readPages } from '../../fields/list';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getAll = operation('GET /groups', {
	fields: [...howMany],
	flow: readPages(),
	output: list,
});
