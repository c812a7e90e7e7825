import { replaceGroups } from '../../fields/changeSet';
import { profile } from '../../fields/locators';
import { groupsOfProfile } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { ifEmpty } from '../../runner/emptySet';
import { pathField } from '../../runner/field';

export const setGroups = operation('POST /profiles/{profileId}/groups', {
	fields: [pathField('profileId', profile), groupsOfProfile, ifEmpty],
	flow: replaceGroups,
	output: setOf('profile_id', 'groups'),
});
