import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getAllowedMimeTypes = operation('GET /support/allowed-mime-types', {
	fields: [],
	output: record,
});
