import type { Body } from '../contract/endpoints';
import { bodyField, options, undocumented } from '../core/field';
import { choiceParameter, pages } from '../fields/list';
import { otherFields, otherFieldsJson } from '../fields/openFields';
import { requireMembers } from '../core/itemRequest';
import type { Run } from '../core/operation';
import { objectsOf } from '../values/json';
import { oneOf } from '../values/choices';
import { stringOf, trimmedText } from '../values/text';
import { operation, resource } from './resource';

const name = bodyField('name', trimmedText, {
	placeholder: 'e.g. order_shipped',
	description: 'Its components go into Other Fields, in the format of Template: Get Many',
});

const language = bodyField('language', trimmedText, choiceParameter('Language Name or ID', 'getLanguages'));

const category = bodyField('category', oneOf('AUTHENTICATION', 'MARKETING', 'UTILITY'), {
	displayName: 'Category',
	// Another name than the category of settings, which decides the fields of a tenant.
	name: 'templateCategory',
	type: 'options',
	options: [
		{ name: 'Authentication', value: 'AUTHENTICATION' },
		{ name: 'Marketing', value: 'MARKETING' },
		{ name: 'None', value: '' },
		{ name: 'Utility', value: 'UTILITY' },
	],
	default: '',
	description: 'The category of the template at the chat app provider',
});

const createFields = [
	undocumented(name),
	undocumented(language),
	undocumented(category),
	otherFields,
	options(otherFieldsJson),
];

/** A variable with a name, such as `{{first_name}}`. The chat app takes all for numbers unless it is told otherwise. */
const NAMED_VARIABLE = /\{\{\s*[a-z_]\w*\s*\}\}/i;

const createTemplate: Run<never, Body<'POST /templates'>> = async (item) => {
	const { api, context, request } = item;
	const { body } = request;
	requireMembers(context, createFields, body);
	const isNamed = objectsOf(body.components).some(({ text }) => NAMED_VARIABLE.test(stringOf(text)));
	const complete = { ...(isNamed && { parameter_format: 'named' }), ...body };
	const { content } = await api.send({ ...request, body: complete });
	return item.output(content);
};

export const templateResource = resource('template', {
	create: operation('POST /templates', 'Create a message template', {
		fields: createFields,
		run: createTemplate,
	}),
	getAll: operation('GET /templates', 'Retrieve a list of message templates', pages),
});
