import { options, setting } from '../core/field';
import { otherFields, otherFieldsJson, settingsForm } from '../fields/openFields';
import { operationByChoice } from '../core/declare';
import { emptyCells } from '../core/emptyValues';
import { choice } from '../values/choices';
import { resource } from './resource';

/** The category of settings. Each category has its own endpoint. */
const category = setting(
	'category',
	...choice({ crm: ['CRM'], general: ['General'], thirdParty: ['Third Party'] }, 'general'),
);

export const settingsResource = resource(
	'settings',
	{
		get: operationByChoice(
			category,
			{ crm: 'GET /settings/crm', general: 'GET /settings/general', thirdParty: 'GET /settings/third-party' },
			'Get one category of the settings',
			{ fields: [category] },
		),
		update: operationByChoice(
			category,
			{
				crm: 'PATCH /settings/crm',
				general: 'PATCH /settings/general',
				thirdParty: 'PATCH /settings/third-party',
			},
			'Change fields in one category of the settings',
			{ fields: [category, settingsForm, otherFields, options(emptyCells, otherFieldsJson)] },
		),
	},
	{ name: 'Setting', one: 'settings', default: 'get' },
);
