import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const getPricing = operation('GET /support/chatapp-pricing', {
	fields: [],
	output: record,
});
