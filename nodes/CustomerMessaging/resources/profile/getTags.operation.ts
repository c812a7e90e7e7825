import { howMany, readPages } from '../../fields/list';
import { profile } from '../../fields/locators';
import { list } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getTags = operation('GET /profiles/{profileId}/tags', {
	fields: [pathField('profileId', profile), ...howMany],
	flow: readPages(),
	output: list,
});
