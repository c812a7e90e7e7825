import { howMany, readPages } from '../../fields/list';
import { group } from '../../fields/locators';
import { list } from '../../outputs/outputs';
import { simpleProfileFields, simplified, simplify } from '../../outputs/simplified';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const getProfiles = operation('GET /groups/{groupId}/profiles', {
	fields: [pathField('groupId', group), ...howMany, ...simplify],
	flow: readPages(),
	output: simplified(list, simpleProfileFields),
});
