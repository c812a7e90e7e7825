import { mediaItem } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';
import * as tagFlows from '../../tags/tagFlows';
import { tagSet } from '../../tags/tagSet';

export const addTags = operation('POST /media/{mediaId}/tags', {
	fields: [pathField('mediaId', mediaItem), ...tagSet],
	flow: tagFlows.addTags,
	output: setOf('media_id', 'tags'),
});
