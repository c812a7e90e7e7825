import { plainWrite } from '../../fields/changeSet';
import { mediaItem, tag } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const removeTag = operation('DELETE /media/{mediaId}/tags/{tagId}', {
	fields: [pathField('mediaId', mediaItem), pathField('tagId', tag)],
	flow: plainWrite(),
	output: setOf('media_id', 'tags'),
});
