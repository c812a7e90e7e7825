import type { Body } from '../../contract/endpoints';
import { plainWrite } from '../../fields/changeSet';
import { profile } from '../../fields/locators';
import { groupsOfProfile } from '../../fields/sets';
import { setOf } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const setGroups = operation('POST /profiles/{profileId}/groups', {
	fields: [pathField('profileId', profile), groupsOfProfile],
	flow: plainWrite<Body<'POST /profiles/{profileId}/groups'>>(),
	output: setOf('profile_id', 'groups'),
});
