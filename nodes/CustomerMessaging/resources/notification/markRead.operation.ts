import { notification } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { pathField } from '../../runner/field';

export const markRead = operation('POST /me/notifications/{uuid}/read', {
	fields: [pathField('uuid', notification)],
	output: record,
});
