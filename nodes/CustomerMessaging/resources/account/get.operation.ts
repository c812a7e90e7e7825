import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';

export const get = operation('GET /me', {
	fields: [],
	output: record,
});
