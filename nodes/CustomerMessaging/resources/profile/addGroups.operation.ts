import { changeGroups, union } from '../../fields/changeSet';
import { profile } from '../../fields/locators';
import { groupsOfProfile } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const addGroups = operation('POST /profiles/{profileId}/groups', {
	fields: [pathField('profileId', profile), groupsOfProfile],
	flow: changeGroups(union),
	output: setOf('profile_id', 'groups'),
});
