import { mediaItem } from '../../fields/locators';
import { deleted } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const remove = operation('DELETE /media/{id}', {
	fields: [pathField('id', mediaItem)],
	output: deleted,
});
