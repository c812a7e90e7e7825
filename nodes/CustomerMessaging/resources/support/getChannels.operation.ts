import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getChannels = operation('GET /support/channels', {
	fields: [],
	output: list,
});
