import { record } from '../outputs/outputs';
import { operation } from '../runner/declare';
import { resource } from './resource';

export const accountResource = resource(
	'account',
	{ name: 'Account', default: 'get' },
	{
		get: operation('GET /me', {
			description: 'Get the user behind the token',
			fields: [],
			output: record,
		}),
	},
);
