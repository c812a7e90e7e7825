import { bodyField, clearable, filters, options, pathField, updateFields } from '../core/field';
import { channelFilter, howMany, pages } from '../fields/list';
import { agent } from '../fields/locators';
import { operation } from '../core/declare';
import { emptyCells } from '../core/emptyValues';
import { integerId } from '../values/ids';
import { trimmedText } from '../values/text';
import { resource } from './resource';

const botId = clearable(
	bodyField('bot_id', integerId, {
		placeholder: 'e.g. 42',
		description: 'The bot that handles new conversations',
	}),
);

const proxyEmail = clearable(bodyField('proxy_email', trimmedText, { placeholder: 'e.g. name@email.com' }));

export const agentResource = resource(
	'agent',
	{ name: 'Agent', default: 'getAll' },
	{
		get: operation('GET /agents/{id}', {
			description: 'Get one agent by ID',
			fields: [pathField('id', agent)],
		}),
		getAll: operation('GET /agents', {
			description: 'Retrieve a list of agents',
			fields: [...howMany, filters(channelFilter)],
			...pages,
		}),
		update: operation('PATCH /agents/{id}', {
			description: 'Change the default bot or the proxy email of an agent',
			fields: [pathField('id', agent), updateFields(botId, proxyEmail), options(emptyCells)],
		}),
	},
);
