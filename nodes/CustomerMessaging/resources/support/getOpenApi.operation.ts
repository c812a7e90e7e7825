import { descriptionText } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getOpenApi = operation('GET /support/openapi', {
	fields: [],
	output: descriptionText,
});
