import { mediaItem } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const get = operation('GET /media/{id}', {
	fields: [pathField('id', mediaItem)],
	output: record,
});
