import { profile } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';
import * as tagFlows from '../../tags/tagFlows';
import { tagSet } from '../../tags/tagSet';

export const addTags = operation('POST /profiles/{profileId}/tags', {
	fields: [pathField('profileId', profile), ...tagSet],
	flow: tagFlows.addTags,
	output: setOf('profile_id', 'tags'),
});
