import { readWhole } from '../fields/list';
import { descriptionText, list } from '../core/outputs';
import { operation, resource } from './resource';

const asList = { run: readWhole, output: list };

export const supportResource = resource(
	'support',
	{
		getActivityTypes: operation(
			'GET /support/activity-types',
			'Get the types that activities of profiles can have',
			asList,
		),
		getAllowedMimeTypes: operation(
			'GET /support/allowed-mime-types',
			'Get the MIME types allowed for each kind of file',
			{ name: 'Get Allowed MIME Types', action: 'Get allowed MIME types' },
		),
		getChannels: operation('GET /support/channels', 'Get the channels and what each of them can do', asList),
		getMediaSizeLimits: operation(
			'GET /support/media-size-limits',
			'Get the largest size of each kind of file in megabytes',
		),
		getOpenApi: operation(
			'GET /support/openapi',
			'Get the OpenAPI description of your account as YAML text',
			{ name: 'Get OpenAPI Description', action: 'Get API description', output: descriptionText },
		),
		getPricing: operation(
			'GET /support/chatapp-pricing',
			'Get the prices of chat app messages and the calling codes, by market',
		),
		getTemplateLanguages: operation(
			'GET /support/chatapp-template-languages',
			'Get the languages that templates can be in',
			asList,
		),
	},
	{ one: '', default: 'getChannels' },
);
