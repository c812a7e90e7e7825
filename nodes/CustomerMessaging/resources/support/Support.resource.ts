import type { INodeProperties } from 'n8n-workflow';

import { shownFor } from '../../runner/declare';
import { getActivityTypes } from './getActivityTypes.operation';
import { getAllowedMimeTypes } from './getAllowedMimeTypes.operation';
import { getChannels } from './getChannels.operation';
import { getMediaSizeLimits } from './getMediaSizeLimits.operation';
import { getOpenApi } from './getOpenApi.operation';
import { getPricing } from './getPricing.operation';
import { getTemplateLanguages } from './getTemplateLanguages.operation';

/** The operations by the name that workflows store. */
export const operations = {
	getActivityTypes,
	getAllowedMimeTypes,
	getChannels,
	getMediaSizeLimits,
	getOpenApi,
	getPricing,
	getTemplateLanguages,
};

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['support'] } },
		options: [
			{
				name: 'Get Activity Types',
				value: 'getActivityTypes',
				action: 'Get activity types',
				description: 'Get the types that activities of profiles can have',
				routing: getActivityTypes.routing,
			},
			{
				name: 'Get Allowed MIME Types',
				value: 'getAllowedMimeTypes',
				action: 'Get allowed MIME types',
				description: 'Get the MIME types allowed for each kind of file',
				routing: getAllowedMimeTypes.routing,
			},
			{
				name: 'Get Channels',
				value: 'getChannels',
				action: 'Get channels',
				description: 'Get the channels with what each of them can do',
				routing: getChannels.routing,
			},
			{
				name: 'Get Media Size Limits',
				value: 'getMediaSizeLimits',
				action: 'Get media size limits',
				description: 'Get the largest size of each kind of file in megabytes',
				routing: getMediaSizeLimits.routing,
			},
			{
				name: 'Get OpenAPI Description',
				value: 'getOpenApi',
				action: 'Get interface description',
				description: 'Get the description of the interface for machines, as YAML text',
				routing: getOpenApi.routing,
			},
			{
				name: 'Get Pricing',
				value: 'getPricing',
				action: 'Get pricing',
				description: 'Get the prices of chat app messages by market, and the calling codes of the markets',
				routing: getPricing.routing,
			},
			{
				name: 'Get Template Languages',
				value: 'getTemplateLanguages',
				action: 'Get template languages',
				description: 'Get the languages that templates can be in',
				routing: getTemplateLanguages.routing,
			},
		],
		default: 'getChannels',
	},
	...shownFor('support', operations),
];
