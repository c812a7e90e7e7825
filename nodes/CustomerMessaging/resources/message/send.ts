import type { Body } from '../../contract/endpoints';
import { binaryField } from '../../files/fileFields';
import { requiredMember, uploadForSending } from '../../files/upload';
import { sendMessage } from '../../messaging/delivery/sendMessage';
import { ifUndelivered, whenUndelivered } from '../../messaging/delivery/undelivered';
import { allowLoop } from '../../messaging/guards/loopGuard';
import { isMediaType } from '../../messaging/delivery/knownMessageTypes';
import { onceKeyOf, sendOnce } from '../../messaging/once/sendOnce';
import { flow } from '../../runner/operation';
import { caption, mediaSource, messageType } from './messageFields';

const settings = [
	allowLoop,
	sendOnce,
	ifUndelivered,
	messageType,
	mediaSource,
	binaryField,
	caption,
] as const;

type AgentMessage = Body<'POST /conversations/{conversationId}/messages'>;

/** Adds the caption to the file of the message. */
function withCaption(body: Partial<AgentMessage>, words: string): Partial<AgentMessage> {
	const { type } = body;
	if (words === '' || (type !== 'document' && type !== 'image' && type !== 'video')) return body;
	return { ...body, [type]: { ...body[type], caption: words } };
}

/** Sends the message. It first checks and uploads a file from a binary field. */
export const sendConversationMessage = flow<(typeof settings)[number], AgentMessage>(
	settings,
	async (item) => {
		const { context, request, read, shows } = item;
		const words = shows(caption) ? read(caption) : '';
		// Only a custom message has a type of its own among its members.
		const body = { type: read(messageType), ...request.body };
		const declared = { ...request, body: withCaption(body, words) };
		return await sendMessage(
			{ ...item, request: declared },
			{
				onceKey: await onceKeyOf(item),
				answered: whenUndelivered(item),
				async complete(message) {
					const { type } = message;
					if (!isMediaType(type) || !shows(mediaSource) || read(mediaSource) !== 'binary') return message;
					const file = await uploadForSending(context, read(binaryField), { type }, request.labels);
					return { ...message, file: { internal_uuid: requiredMember(context, file, 'internal_uuid') } };
				},
			},
		);
	},
);
