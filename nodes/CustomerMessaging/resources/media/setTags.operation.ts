import { mediaItem } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { ifEmpty } from '../../runner/emptySet';
import { pathField } from '../../runner/field';
import { syncTags } from '../../tags/tagFlows';
import { tagSet } from '../../tags/tagSet';

export const setTags = operation('POST /media/{mediaId}/tags', {
	fields: [pathField('mediaId', mediaItem), ...tagSet, ifEmpty],
	flow: syncTags,
	output: setOf('media_id', 'tags'),
});
