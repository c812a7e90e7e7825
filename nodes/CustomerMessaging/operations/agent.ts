import { bodyField, clearable, filters, options, updateFields } from '../core/field';
import { channelFilter, howMany, pages } from '../fields/list';
import { emptyCells } from '../core/emptyValues';
import { integerId } from '../values/ids';
import { trimmedText } from '../values/text';
import { operation, resource } from './resource';

const botId = clearable(
	bodyField('bot_id', integerId, {
		placeholder: 'e.g. 42',
		description: 'The bot that handles new conversations',
	}),
);

const proxyEmail = clearable(bodyField('proxy_email', trimmedText, { placeholder: 'e.g. name@email.com' }));

export const agentResource = resource('agent', {
	get: operation('GET /agents/{id}', 'Get one agent by ID'),
	getAll: operation('GET /agents', 'Retrieve a list of agents', {
		...pages,
		fields: [...howMany, filters(channelFilter)],
	}),
	update: operation('PATCH /agents/{id}', 'Change the default bot or the proxy email of an agent', {
		fields: [updateFields(botId, proxyEmail), options(emptyCells)],
	}),
});
