import { activity, profile } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getActivity = operation('GET /profiles/{profileId}/activities/{activityId}', {
	fields: [pathField('profileId', profile), pathField('activityId', activity)],
	output: record,
});
