import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { binaryField, FILE_KINDS, isFileKind, uploadedFile } from '../files/fileFields';
import { bodyField, type ItemContext, type OpenField, options, setting, shownAs } from '../core/field';
import { customType } from '../fields/locators';
import { loopNotice } from './loopGuard';
import { simplify } from '../core/simplified';
import { parseField } from '../core/fieldError';
import { boolean, choice } from '../values/choices';
import { latitudeDegrees, longitudeDegrees } from '../values/numbers';
import { integerId } from '../values/ids';
import { isObject, jsonObject, ownMember } from '../values/json';
import { isBlank, optionalText, text, trimmedText } from '../values/text';
import type { Body } from '../contract/endpoints';
import { requiredMember, uploadForSending } from '../files/upload';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { type MessageOption, messageOptions, sendMessage } from './sendMessage';

export const messageType = setting(
	'messageType',
	...choice(
		{
			audio: ['Audio'],
			contact: ['Contact'],
			custom: 'Another message type of the service, with its body as JSON',
			document: ['Document'],
			image: ['Image'],
			location: ['Location'],
			text: ['Text'],
			video: ['Video'],
		},
		'text',
		{ description: 'What to send' },
	),
	'type',
);

const forTypes = (...types: string[]) => ({ displayOptions: { show: { messageType: types } } });

const forMedia = (source: string) => ({
	displayOptions: { show: { messageType: [...FILE_KINDS], mediaSource: [source] } },
});

export const mediaSource = setting(
	'mediaSource',
	...choice(
		{
			binary: ['Binary Field', 'A file of the input item. It is uploaded first.'],
			uploadedFile: 'A file that was uploaded before',
			url: 'A file at a public URL',
		},
		'binary',
		forTypes(...FILE_KINDS),
	),
);

const degrees = (placeholder: string) => ({ required: true, placeholder, ...forTypes('location') });

/** Merges two records and the records in them. The members of the first one win and come first. */
function merge(winner: unknown, other: IDataObject): IDataObject {
	if (!isObject(winner)) return other;
	const own = Object.entries(winner).map(([name, value]): [string, unknown] => {
		const beside = ownMember(other, name);
		return [name, isObject(value) && isObject(beside) ? merge(value, beside) : value];
	});
	const further = Object.entries(other).filter(([name]) => !Object.hasOwn(winner, name));
	return Object.fromEntries([...own, ...further]) as IDataObject;
}

/**
 * For further members of a message that the interface leaves open: of its location or contact, or of the body itself. They never
 * replace one that has its own parameter.
 */
function furtherMembers(
	type: 'contact' | 'custom' | 'location',
	example: string,
	look: Pick<INodeProperties, 'description' | 'displayName' | 'name'>,
): OpenField {
	const json = jsonObject(example);
	const { displayName, name } = look;
	const membersOf = (context: ItemContext, body: IDataObject): IDataObject => {
		const given: unknown = context.getNodeParameter(name, '{}');
		// Only what goes into another member can be left out: a body that nothing gives would be no message.
		const isLeftOut = isBlank(given) && (type !== 'custom' || typeof given === 'string');
		const members = parseField(context, displayName, json, isLeftOut ? {} : given);
		return type === 'custom' ? merge(body, members) : { ...body, [type]: merge(body[type], members) };
	};
	return { parameter: { ...look, type: 'json', default: '{}', ...forTypes(type) }, membersOf };
}

export const caption = setting(
	'options.caption',
	optionalText,
	{
		placeholder: 'e.g. Your parcel',
		description: 'The text below the image, video or document',
		displayOptions: { show: { '/messageType': ['document', 'image', 'video'] } },
	},
	'caption',
);

const filename = bodyField('document.filename', text, {
	displayName: 'File Name',
	placeholder: 'e.g. invoice.pdf',
	displayOptions: { show: { '/messageType': ['document'] } },
});

const replyTo = bodyField('reference_id', integerId, {
	displayName: 'Reply To Message ID',
	placeholder: 'e.g. 42',
	description: 'The ID of the message in this conversation to reply to',
});

const voice = bodyField('audio.voice', boolean, {
	displayName: 'Voice Message',
	type: 'boolean',
	description: 'Whether to show the audio as a voice message',
	displayOptions: { show: { '/messageType': ['audio'] } },
});

export const messageFields = [
	messageType,
	bodyField('text.content', text, {
		name: 'text',
		typeOptions: { rows: 4 },
		required: true,
		placeholder: 'e.g. Your parcel is on its way',
		...forTypes('text'),
	}),
	mediaSource,
	shownAs(binaryField, forMedia('binary')),
	shownAs(
		bodyField('file.internal_uuid', uploadedFile.parse, uploadedFile.parameter),
		forMedia('uploadedFile'),
	),
	bodyField('file.url', trimmedText, {
		name: 'fileUrl',
		required: true,
		placeholder: 'e.g. https://example.com/parcel.jpg',
		...forMedia('url'),
	}),
	bodyField('location.latitude', latitudeDegrees, degrees('e.g. 52.5200')),
	bodyField('location.longitude', longitudeDegrees, degrees('e.g. 13.4050')),
	furtherMembers('location', '{ "name": "Shop" }', {
		displayName: 'Further Location Fields (JSON)',
		name: 'locationFields',
		description: 'By the names of the service. Latitude and Longitude override them.',
	}),
	bodyField('contact.name.formatted_name', text, {
		name: 'contactName',
		required: true,
		placeholder: 'e.g. Nathan Smith',
		...forTypes('contact'),
	}),
	furtherMembers('contact', '{ "phones": [{ "phone": "+49 171 1234567" }] }', {
		displayName: 'Further Contact Fields (JSON)',
		name: 'contactFields',
		description: 'By the names of the service. Contact Name overrides them.',
	}),
	bodyField('type', text, { ...customType, ...forTypes('custom') }),
	furtherMembers('custom', '{ "interactive": {} }', {
		displayName: 'Custom Body (JSON)',
		name: 'customBody',
		description: 'The body without type. Custom Type and the options override it.',
	}),
	...simplify,
	options(...messageOptions, caption, filename, replyTo, voice),
	loopNotice,
] as const;

type AgentMessage = Body<'POST /conversations/{conversationId}/messages'>;

type ContentSetting = typeof binaryField | typeof caption | typeof mediaSource | typeof messageType;

/** Completes the body of a message. It first checks and uploads a file from a binary field. */
async function completeMessage(item: Item<ContentSetting, AgentMessage>): Promise<Partial<AgentMessage>> {
	const { context, request } = item;
	const { body } = request;
	const { type } = body;
	const isBinary = item.shows(mediaSource) && item.get(mediaSource) === 'binary';
	if (!isFileKind(type) || !isBinary) return body;
	const file = await uploadForSending(context, item.get(binaryField), { type }, request.labels);
	return { ...body, file: { internal_uuid: requiredMember(context, file, 'internal_uuid') } };
}

export const sendConversationMessage: Run<ContentSetting | MessageOption, AgentMessage> = async (item) => {
	const { request } = item;
	// Only a custom message has a type of its own among its members.
	const body: Partial<AgentMessage> = { type: item.get(messageType), ...request.body };
	const { type } = body;
	const words = item.shows(caption) ? item.get(caption) : '';
	if (words !== '' && (type === 'document' || type === 'image' || type === 'video'))
		body[type] = { ...body[type], caption: words };
	item.request = { ...request, body };
	return (await sendMessage(item, completeMessage)).items;
};
