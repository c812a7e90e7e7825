import { mediaItem } from '../../fields/locators';
import { ifEmpty } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';
import { syncTags } from '../../tags/tagFlows';
import { tagSet } from '../../tags/tagSet';

export const setTags = operation('POST /media/{mediaId}/tags', {
	fields: [pathField('mediaId', mediaItem), ...tagSet, ifEmpty],
	flow: syncTags,
	output: setOf('media_id', 'tags'),
});
