import { readWhole } from '../../fields/list';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getChannels = operation('GET /support/channels', {
	fields: [],
	flow: readWhole(),
	output: list,
});
