import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getMediaSizeLimits = operation('GET /support/media-size-limits', {
	fields: [],
	output: record,
});
