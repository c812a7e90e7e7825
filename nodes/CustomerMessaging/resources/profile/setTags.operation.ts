import { profile } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { ifEmpty } from '../../runner/emptySet';
import { pathField } from '../../runner/field';
import { syncTags } from '../../tags/tagFlows';
import { tagSet } from '../../tags/tagSet';

export const setTags = operation('POST /profiles/{profileId}/tags', {
	fields: [pathField('profileId', profile), ...tagSet, ifEmpty],
	flow: syncTags,
	output: setOf('profile_id', 'tags'),
});
