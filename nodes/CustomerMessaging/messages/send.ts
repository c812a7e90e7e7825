import type { Body } from '../contract/endpoints';
import { binaryField, isFileKind } from '../files/fileFields';
import { requiredMember, uploadForSending } from '../files/upload';
import type { Item } from '../core/item';
import type { Run } from '../core/operation';
import { ifUndelivered, UNDELIVERED_REMEDY } from './ifUndelivered';
import { caption, mediaSource, messageType } from './messageFields';
import { sendMessage } from './sendMessage';
import { messageGuards, type MessageOption } from './sendingOptions';

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
	const remedy = item.get(ifUndelivered) === 'error' ? UNDELIVERED_REMEDY : undefined;
	return (await sendMessage(item, messageGuards, completeMessage, remedy)).items;
};
