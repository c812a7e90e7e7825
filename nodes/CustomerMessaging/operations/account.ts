import { record } from '../core/outputs';
import { operation } from '../core/declare';
import { resource } from './resource';

export const accountResource = resource(
	'account',
	{ name: 'Account', default: 'get' },
	{
		get: operation('GET /me', {
			description: 'Get the user behind the access token',
			fields: [],
			output: record,
		}),
	},
);
