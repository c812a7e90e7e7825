import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import type { Body } from '../../contract/endpoints';
import { template as templateLocator } from '../../fields/locators';
import { type ItemContext, setting } from '../../runner/field';
import { fieldError } from '../../runner/fieldError';
import type { Item, ItemRequest } from '../../runner/operation';
import type { HideToken } from '../../credential/accessToken';
import { MAX_DESCRIPTION, MAX_MESSAGE, nodeError } from '../../transport/errors';
import { noteOutcome, nodeRunOf } from '../../transport/nodeRun';
import { oneOf } from '../../values/choices';
import { type Column, column, rowBy, whenConverted } from '../../values/columns';
import { type Conversion, ValueProblem } from '../../values/conversion';
import { integerId } from '../../values/ids';
import { isObject, jsonObjects, ownMember } from '../../values/json';
import { reasonOf } from '../../values/messageSummary';
import { phoneNumber } from '../../values/phoneNumber';
import { isBlank, trimmedText } from '../../values/text';
import { skipSent } from '../messageOptions';
import { withLanguage, withoutLanguage } from '../templateChoice';
import { noteUndelivered, postMessage, sentBefore } from './postMessage';
import { type Sent, SentMemory, type Undelivered } from '../sentMemory';

type Template = Body<'POST /chatapp/send-template'>;

/** What to do with a message that the service took, but did not deliver ("Errors" of the interface). */
export const ifUndelivered = setting('options.ifUndelivered', oneOf('continue', 'error', 'sendTemplate'), {
	displayName: 'If Undelivered',
	name: 'ifUndelivered',
	type: 'options',
	options: [
		{ name: 'Continue', value: 'continue', description: 'The item tells of it in latest_error' },
		{ name: 'Fail', value: 'error', description: "The item ends in an error with the service's reason" },
		{
			name: 'Send Template',
			value: 'sendTemplate',
			description: 'A template is sent instead, once; if it is not delivered either, the item fails',
		},
	],
	default: 'continue',
	description: 'What to do when the service accepts the message, but answers that it was not delivered',
});

const json = jsonObjects('[{ "type": "body", "parameters": [{ "type": "text", "text": "Jo" }] }]');

const templateColumns = [
	column((value) => trimmedText((isObject(value) ? value.value : value) ?? ''), {
		...templateLocator,
		required: false,
	}),
	// Before the template could be chosen from a list.
	column(trimmedText, {
		displayName: 'Template Name',
		name: 'name',
		type: 'string',
		default: '',
		description: 'The template to send, if none is chosen above',
		displayOptions: { show: { name: [{ _cnd: { exists: true } }] } },
	}),
	column(trimmedText, {
		displayName: 'Language',
		name: 'language',
		type: 'string',
		default: '',
		placeholder: 'e.g. en_US',
		description: 'The language of the template',
		displayOptions: withoutLanguage('templateName'),
	}),
	column((value) => (isBlank(value) ? [] : json(value)), {
		displayName: 'Components (JSON)',
		name: 'components',
		type: 'json',
		default: '[]',
		description: 'How to fill the variables, as for Template Components of Send Template',
	}),
] as const;

/** Leaves out a value that is blank. */
const unlessBlank =
	<Value>(convert: Conversion<Value>): Conversion<Value | undefined> =>
	(value) =>
		isBlank(value) ? undefined : convert(value);

/** A message goes into a conversation, whose customer the interface does not tell. */
const recipientColumns = [
	column(unlessBlank(phoneNumber), {
		displayName: 'Phone Number',
		name: 'phoneNumber',
		type: 'string',
		default: '',
		placeholder: 'e.g. +49 171 1234567',
		description: 'The phone number of the customer of this conversation, with country code',
	}),
	column(unlessBlank(integerId), {
		displayName: 'Customer ID',
		name: 'customerId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 42',
		description: 'The customer of this conversation, instead of the phone number',
	}),
	column(unlessBlank(integerId), {
		displayName: 'Agent ID',
		name: 'agentId',
		type: 'string',
		default: '',
		placeholder: 'e.g. 42',
		description: 'The agent that sends the template',
	}),
] as const;

const NO_TEMPLATE = new ValueProblem('is empty', 'Add the option, and choose the template to send instead.');

const NO_NAME = new ValueProblem('(Template) is empty', 'Choose the template to send instead.');

const NO_LANGUAGE = new ValueProblem(
	'(Language) is empty',
	'Enter the language of the template, or choose the template from the list.',
);

const NO_RECIPIENT = new ValueProblem(
	'has no recipient',
	'Enter the Phone Number or the Customer ID: the service does not tell the customer of a conversation.',
);

/** Converts the option to the body of the template; undefined if the user has not added a template. */
function templateOf(value: unknown): Partial<Template> | ValueProblem | undefined {
	const row = ownMember(value, 'template');
	if (!isObject(row)) return undefined;
	return whenConverted(rowBy(templateColumns, row), ({ templateName, name, language, components }) => {
		const { template_name, template_language } = withLanguage({
			template_name: templateName || name,
			...(language !== '' && { template_language: language }),
		});
		if (template_name === '') return NO_NAME;
		if (template_language === undefined) return NO_LANGUAGE;
		return { template_name, template_language, template_components: components };
	});
}

/** Converts the option to the body of the template with its recipient. */
function templateTo(value: unknown): Partial<Template> | ValueProblem | undefined {
	const template = templateOf(value);
	const row = ownMember(value, 'template');
	if (template === undefined || template instanceof ValueProblem || !isObject(row)) return template;
	return whenConverted(rowBy(recipientColumns, row), ({ phoneNumber: digits, customerId, agentId }) => {
		if (digits === undefined && customerId === undefined) return NO_RECIPIENT;
		const to = customerId === undefined ? { phone_number: digits } : { customer_id: customerId };
		return { ...to, ...(agentId !== undefined && { agent_id: agentId }), ...template };
	});
}

const optionOf = (columns: readonly Column[]): INodeProperties => ({
	displayName: 'Fallback Template',
	name: 'fallbackTemplate',
	type: 'fixedCollection',
	placeholder: 'Add Template',
	default: {},
	description: 'The template to send if the message is not delivered',
	displayOptions: { show: { ifUndelivered: ['sendTemplate'] } },
	options: [{ displayName: 'Template', name: 'template', values: columns.map(({ parameter }) => parameter) }],
});

/** The template that is sent instead of another one, to the same recipient. */
export const fallbackTemplate = setting('options.fallbackTemplate', templateOf, optionOf(templateColumns));

/** The template that is sent instead of a message in a conversation. */
export const fallbackTemplateTo = setting(
	'options.fallbackTemplate',
	templateTo,
	optionOf([...templateColumns, ...recipientColumns]),
);

/** Maximum number of members of an error that are told. The interface has six. */
const MAX_MEMBERS = 20;

/** Returns a value of the service for the details of an error, without the token. The interface has no lists and objects in it. */
const withoutToken = (value: unknown, hide: HideToken): unknown =>
	typeof value === 'string' ? hide(value, MAX_MESSAGE) : typeof value === 'object' ? null : value;

/** Returns what the details of an error tell of a message. */
function shownOf({ id, latest_error: error }: Undelivered, hide: HideToken): Undelivered {
	const members = isObject(error) ? Object.entries(error).slice(0, MAX_MEMBERS) : [];
	const latest_error = isObject(error)
		? Object.fromEntries(members.map(([name, value]) => [name, withoutToken(value, hide)]))
		: withoutToken(error, hide);
	return { id: withoutToken(id, hide), latest_error } as Undelivered;
}

const NOT_DELIVERED = 'The service accepted the message, but did not deliver it';

/**
 * Makes the error about a message that was not delivered.
 *
 * @param remedy what the user can do
 */
export async function undeliveredError(
	context: ItemContext,
	undelivered: Undelivered,
	remedy: string,
): Promise<NodeOperationError> {
	const { hide } = await nodeRunOf(context);
	const reason = reasonOf(undelivered.latest_error);
	const original = ownMember(undelivered.latest_error, 'original_message');
	const details = typeof original === 'string' && original !== reason ? ` (${original})` : '';
	const error = new NodeOperationError(context.getNode(), hide(reason || NOT_DELIVERED, MAX_MESSAGE), {
		itemIndex: context.getItemIndex(),
		description: hide(`${NOT_DELIVERED}${details}.\n${remedy}`, MAX_DESCRIPTION),
	});
	error.context.undelivered = shownOf(undelivered, hide);
	return error;
}

type Settings = typeof ifUndelivered | typeof skipSent;

/**
 * Makes the function that gives the output items for a message that the service took.
 *
 * @param template body of the template that is sent instead
 * @throws NodeOperationError when a template is to be sent instead, and there is none
 */
export function whenUndelivered(
	{ context, read, output, request }: Item<Settings, Pick<Template, 'from_automation'>>,
	template: Partial<Template> | undefined,
): (sent: Sent) => Promise<INodeExecutionData[]> {
	const mode = read(ifUndelivered);
	if (mode === 'continue') return async (sent) => await noteUndelivered(context, sent);
	if (mode === 'sendTemplate' && !template) throw fieldError(context, 'Fallback Template', NO_TEMPLATE);
	const { from_automation } = request.body;
	const body = { ...template, ...(from_automation !== undefined && { from_automation }) };

	return async ({ items, undelivered }) => {
		if (!undelivered) return items;
		if (mode === 'error') {
			throw await undeliveredError(
				context,
				undelivered,
				'Check the recipient. After the session of a conversation has ended, only a template reaches the customer (If Undelivered: Send Template). A retry of this node does not send the message again.',
			);
		}
		const memory = new SentMemory(context, read(skipSent), 'fallback');
		const message: ItemRequest<Template> = {
			method: 'POST',
			url: '/chatapp/send-template',
			path: {},
			qs: {},
			body,
		};
		let fallback: Sent;
		try {
			fallback =
				sentBefore(context, memory, message) ?? (await postMessage({ context, output }, memory, message));
		} catch (error) {
			const failure = nodeError(context.getNode(), error, context.getItemIndex());
			const { hide } = await nodeRunOf(context);
			const first = `This is about the fallback template. The message itself was not delivered: ${reasonOf(undelivered.latest_error) || 'the service gives no reason'}.`;
			failure.description = [failure.description, hide(first, MAX_MESSAGE)].filter(Boolean).join('\n');
			failure.context.undelivered = shownOf(undelivered, hide);
			throw failure;
		}
		if (fallback.undelivered) {
			throw await undeliveredError(
				context,
				fallback.undelivered,
				`This is about the fallback template. The message itself was not delivered either: ${reasonOf(undelivered.latest_error) || 'the service gives no reason'}.\nCheck the recipient. A retry of this node sends neither of them again.`,
			);
		}
		await noteOutcome(context, 'were not delivered and got the fallback template instead');
		return fallback.items.map(({ json }) => ({ json: { ...json, instead_of: { ...undelivered } } }));
	};
}
