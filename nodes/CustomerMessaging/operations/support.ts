import { readWhole } from '../fields/list';
import { descriptionText, list } from '../core/outputs';
import { operation } from '../core/declare';
import { resource } from './resource';

export const supportResource = resource(
	'support',
	{ name: 'Support', one: '', default: 'getChannels' },
	{
		getActivityTypes: operation('GET /support/activity-types', {
			description: 'Get the types that activities of profiles can have',
			fields: [],
			run: readWhole,
			output: list,
		}),
		getAllowedMimeTypes: operation('GET /support/allowed-mime-types', {
			name: 'Get Allowed MIME Types',
			action: 'Get allowed MIME types',
			description: 'Get the MIME types allowed for each kind of file',
			fields: [],
		}),
		getChannels: operation('GET /support/channels', {
			description: 'Get the channels and what each of them can do',
			fields: [],
			run: readWhole,
			output: list,
		}),
		getMediaSizeLimits: operation('GET /support/media-size-limits', {
			description: 'Get the largest size of each kind of file in megabytes',
			fields: [],
		}),
		getOpenApi: operation('GET /support/openapi', {
			name: 'Get OpenAPI Description',
			action: 'Get API description',
			description: 'Get the OpenAPI description of your account as YAML text',
			fields: [],
			output: descriptionText,
		}),
		getPricing: operation('GET /support/chatapp-pricing', {
			description: 'Get the prices of chat app messages by market, and the calling codes of the markets',
			fields: [],
		}),
		getTemplateLanguages: operation('GET /support/chatapp-template-languages', {
			description: 'Get the languages that templates can be in',
			fields: [],
			run: readWhole,
			output: list,
		}),
	},
);
