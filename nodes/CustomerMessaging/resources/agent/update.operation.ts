import { agent } from '../../fields/locators';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField, clearable, collection, pathField } from '../../runner/field';
import { integerId } from '../../values/ids';
import { text } from '../../values/text';

const botId = clearable(
	bodyField('bot_id', integerId, {
		displayName: 'Bot ID',
		name: 'botId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 42',
		description: 'The ID of the bot that handles new conversations; an expression that gives null removes it',
	}),
);

const proxyEmail = clearable(
	bodyField('proxy_email', text, {
		displayName: 'Proxy Email',
		name: 'proxyEmail',
		type: 'string',
		default: '',
		placeholder: 'e.g. name@email.com',
		description: 'The proxy email address; an expression that gives null removes it',
	}),
);

export const update = operation('PATCH /agents/{id}', {
	fields: [
		pathField('id', agent),
		collection(
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
			},
			[botId, proxyEmail],
		),
	],
	output: record,
});
