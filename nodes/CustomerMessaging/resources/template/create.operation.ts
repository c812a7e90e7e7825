import { otherFields } from '../../fields/otherFields';
import { tenantFields } from '../../fields/tenantFields';
import { unshownMembers } from '../../fields/unshownMembers';
import { record } from '../../outputs/outputs';
import { operation } from '../../runner/declare';
import { bodyField } from '../../runner/field';
import { oneOf } from '../../values/choices';
import { trimmedText } from '../../values/text';
import { newTemplateParts } from './newTemplate';

const name = bodyField('name', trimmedText, {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. order_shipped',
	description:
		'The name of the template. The interface does not show new templates: they go out as the records of templates look. Tenant Fields and Other Fields win.',
});

const language = bodyField('language', trimmedText, {
	displayName: 'Language Name or ID',
	name: 'language',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getLanguages' },
	default: '',
	description:
		'The language of the template. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

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
	description: 'What the template is for, in the words of the chat app provider',
});

export const create = operation('POST /templates', {
	fields: [unshownMembers([name, language, category]), newTemplateParts, tenantFields, otherFields],
	output: record,
});
