import { plainWrite } from '../../fields/changeSet';
import { group, profile } from '../../fields/locators';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const removeGroup = operation('DELETE /profiles/{profileId}/groups/{groupId}', {
	fields: [pathField('profileId', profile), pathField('groupId', group)],
	flow: plainWrite(),
	output: setOf('profile_id', 'groups'),
});
