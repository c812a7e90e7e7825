import type { IDataObject, IHttpRequestOptions, INodeProperties, INodePropertyRouting } from 'n8n-workflow';
import { updateDisplayOptions } from 'n8n-workflow';

import { binaryField, uploadForSending, fileUuid } from '../../shared/files';
import { integerId } from '../../shared/ids';
import { messageTypeLocator } from '../../shared/locators';
import { MEDIA_TYPES } from '../../shared/messageTypes';
import { recordPostReceive, simpleMessagePostReceive, simplify } from '../../shared/outputs';
import { allowLoop, fromAutomation, loopNotice, sendMessage, skipSent } from '../../shared/sending';
import { converted, convertBody, jsonOf } from '../../shared/values';
import { preSend } from '../../transport/preSend';
import { sendWith } from '../../transport/send';

/** Sends the message; media from a binary field are checked and uploaded first. */
const send = sendWith(async function (options, requestData) {
	return await sendMessage(this, requestData, options, async (body) => {
		const type = String(body.type);
		const fromBinary =
			MEDIA_TYPES.includes(String(this.getNodeParameter('messageType'))) &&
			this.getNodeParameter('mediaSource', 'binary') === 'binary';
		if (!fromBinary) return body;
		const fieldName = String(this.getNodeParameter('binaryPropertyName', 'data'));
		const { internal_uuid } = await uploadForSending(this, fieldName, { type });
		return { ...body, file: { internal_uuid } };
	});
});

/** Adds fields to one member of the body. */
function withMember(options: IHttpRequestOptions, member: string, fields: IDataObject): IHttpRequestOptions {
	const body = options.body as IDataObject;
	return { ...options, body: { ...body, [member]: { ...(body[member] as IDataObject), ...fields } } };
}

/** Pre-send that adds the members of a JSON parameter to one member of the body, or to the body itself. */
function furtherMembers(parameterName: string, label: string, example: string, member?: string) {
	const json = jsonOf('object', example);
	return preSend((context, options) => {
		const members = converted(
			context,
			label,
			json,
			context.getNodeParameter(parameterName, '{}'),
		) as IDataObject;
		if (member) return withMember(options, member, members);
		return { ...options, body: { ...(options.body as IDataObject), ...members } };
	});
}

/** Pre-send for a coordinate, which goes out as text. */
function coordinate(name: 'latitude' | 'longitude') {
	return preSend((context, options) =>
		withMember(options, 'location', { [name]: String(context.getNodeParameter(name)) }),
	);
}

/** Pre-send for the text below a file, which stands with its kind. */
const captionPreSend = preSend((context, options) =>
	withMember(options, String(context.getNodeParameter('messageType')), {
		caption: context.getNodeParameter('options.caption'),
	}),
);

export const routing: INodePropertyRouting = {
	request: { method: 'POST', url: '/conversations/{conversationId}/messages' },
	output: { postReceive: [recordPostReceive, simpleMessagePostReceive] },
	operations: { pagination: send },
};

const properties: INodeProperties[] = [
	{
		displayName: 'Conversation ID',
		name: 'conversationId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 42',
		description: 'The conversation to send into, as a message or the trigger gives it in conversation_id',
	},
	{
		displayName: 'Message Type',
		name: 'messageType',
		type: 'options',
		options: [
			{ name: 'Audio', value: 'audio' },
			{ name: 'Contact', value: 'contact' },
			{
				name: 'Custom',
				value: 'custom',
				description: 'A type of your own with its body as JSON, for what your tenant can do beyond these',
			},
			{ name: 'Document', value: 'document' },
			{ name: 'Image', value: 'image' },
			{ name: 'Location', value: 'location' },
			{ name: 'Text', value: 'text' },
			{ name: 'Video', value: 'video' },
		],
		default: 'text',
		description: 'What to send',
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: 'e.g. Your parcel is on its way',
		description: 'The text of the message',
		displayOptions: { show: { messageType: ['text'] } },
		routing: { send: { type: 'body', property: 'text.content' } },
	},
	{
		displayName: 'Media Source',
		name: 'mediaSource',
		type: 'options',
		options: [
			{
				name: 'Binary Field',
				value: 'binary',
				description: 'A file of the input item, which is uploaded first',
			},
			{ name: 'Uploaded File', value: 'uploadedFile', description: 'A file that was uploaded before' },
			{ name: 'URL', value: 'url', description: 'A file that anyone can open under a URL' },
		],
		default: 'binary',
		description: 'Where the file comes from',
		displayOptions: { show: { messageType: MEDIA_TYPES } },
	},
	{ ...binaryField, displayOptions: { show: { messageType: MEDIA_TYPES, mediaSource: ['binary'] } } },
	{
		...fileUuid,
		displayOptions: { show: { messageType: MEDIA_TYPES, mediaSource: ['uploadedFile'] } },
		routing: { send: { type: 'body', property: 'file.internal_uuid' } },
	},
	{
		displayName: 'File URL',
		name: 'fileUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://example.com/parcel.jpg',
		description: 'The address of the file',
		displayOptions: { show: { messageType: MEDIA_TYPES, mediaSource: ['url'] } },
		routing: { send: { type: 'body', property: 'file.url' } },
	},
	{
		displayName: 'Latitude',
		name: 'latitude',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 52.5200',
		description: 'The latitude in degrees',
		displayOptions: { show: { messageType: ['location'] } },
		routing: { send: { preSend: [coordinate('latitude')] } },
	},
	{
		displayName: 'Longitude',
		name: 'longitude',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 13.4050',
		description: 'The longitude in degrees',
		displayOptions: { show: { messageType: ['location'] } },
		routing: { send: { preSend: [coordinate('longitude')] } },
	},
	{
		displayName: 'Further Location Fields (JSON)',
		name: 'locationFields',
		type: 'json',
		default: '{}',
		description: 'More members of the location, as your tenant names them',
		displayOptions: { show: { messageType: ['location'] } },
		routing: {
			send: {
				preSend: [
					furtherMembers('locationFields', 'Further Location Fields', '{ "name": "Shop" }', 'location'),
				],
			},
		},
	},
	{
		displayName: 'Contact Name',
		name: 'contactName',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Nathan Smith',
		description: 'The full name of the contact',
		displayOptions: { show: { messageType: ['contact'] } },
		routing: { send: { type: 'body', property: 'contact.name.formatted_name' } },
	},
	{
		displayName: 'Further Contact Fields (JSON)',
		name: 'contactFields',
		type: 'json',
		default: '{}',
		description: 'More members of the contact, as your tenant names them',
		displayOptions: { show: { messageType: ['contact'] } },
		routing: {
			send: {
				preSend: [
					furtherMembers(
						'contactFields',
						'Further Contact Fields',
						'{ "phones": [{ "phone": "+49 171 1234567" }] }',
						'contact',
					),
				],
			},
		},
	},
	{
		...messageTypeLocator,
		displayOptions: { show: { messageType: ['custom'] } },
		routing: { send: { type: 'body', property: 'type' } },
	},
	{
		displayName: 'Custom Body (JSON)',
		name: 'customBody',
		type: 'json',
		default: '{}',
		description: 'The members of the request besides type, as a JSON object',
		displayOptions: { show: { messageType: ['custom'] } },
		routing: {
			send: { preSend: [furtherMembers('customBody', 'Custom Body', '{ "interactive": {} }')] },
		},
	},
	simplify,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			allowLoop,
			{
				displayName: 'Caption',
				name: 'caption',
				type: 'string',
				default: '',
				placeholder: 'e.g. Your parcel',
				description: 'The text below the image, video or document',
				displayOptions: { show: { '/messageType': ['document', 'image', 'video'] } },
				routing: { send: { preSend: [captionPreSend] } },
			},
			{
				displayName: 'File Name',
				name: 'filename',
				type: 'string',
				default: '',
				placeholder: 'e.g. invoice.pdf',
				description: 'The name under which the document is shown',
				displayOptions: { show: { '/messageType': ['document'] } },
				routing: { send: { type: 'body', property: 'document.filename' } },
			},
			fromAutomation,
			{
				displayName: 'Reply To Message ID',
				name: 'referenceId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 42',
				description: 'The ID of a message in the same conversation that this one answers',
				routing: {
					send: {
						type: 'body',
						property: 'reference_id',
						preSend: [convertBody('reference_id', 'Reply To Message ID', integerId)],
					},
				},
			},
			skipSent,
			{
				displayName: 'Voice Message',
				name: 'voice',
				type: 'boolean',
				default: false,
				description: 'Whether the audio is shown as a voice message',
				displayOptions: { show: { '/messageType': ['audio'] } },
				routing: { send: { type: 'body', property: 'audio.voice' } },
			},
		],
	},
	loopNotice,
];

export const description = updateDisplayOptions(
	{ show: { resource: ['message'], operation: ['send'] } },
	properties,
);
