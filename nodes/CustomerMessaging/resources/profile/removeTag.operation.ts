import { plainWrite } from '../../fields/changeSet';
import { profile, tag } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const removeTag = operation('DELETE /profiles/{profileId}/tags/{tagId}', {
	fields: [pathField('profileId', profile), pathField('tagId', tag)],
	flow: plainWrite(),
	output: setOf('profile_id', 'tags'),
});
