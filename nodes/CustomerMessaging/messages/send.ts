import type { Body } from '../contract/endpoints';
import { binaryField, isFileKind } from '../files/fileFields';
import { requiredMember, uploadForSending } from '../files/upload';
import { sendMessage, UNDELIVERED_REMEDY } from './sendMessage';
import { outsideHours } from './sendingHours';
import { onceFor } from './sendOnce';
import { type allowLoop, ifUndelivered, type sendingHours, type sendOnce } from './sendingOptions';
import type { Run } from '../core/operation';
import { caption, mediaSource, messageType } from './messageFields';

type AgentMessage = Body<'POST /conversations/{conversationId}/messages'>;

function withCaption(body: Partial<AgentMessage>, words: string): Partial<AgentMessage> {
	const { type } = body;
	if (words === '' || (type !== 'document' && type !== 'image' && type !== 'video')) return body;
	return { ...body, [type]: { ...body[type], caption: words } };
}

/** Sends the message. It first checks and uploads a file from a binary field. */
export const sendConversationMessage: Run<
	| typeof allowLoop
	| typeof binaryField
	| typeof caption
	| typeof ifUndelivered
	| typeof mediaSource
	| typeof messageType
	| typeof sendingHours
	| typeof sendOnce,
	AgentMessage
> = async (item) => {
	const { context, request } = item;
	const words = item.shows(caption) ? item.get(caption) : '';
	// Only a custom message has a type of its own among its members.
	const body = withCaption({ type: item.get(messageType), ...request.body }, words);
	item.request = { ...request, body };
	return await sendMessage(item, {
		// The message must not go out before the choice is known.
		undeliveredRemedy: item.get(ifUndelivered) === 'error' ? UNDELIVERED_REMEDY : undefined,
		once: onceFor(item),
		skipped: () => outsideHours(item),
		async complete(message) {
			const { type } = message;
			const isBinary = item.shows(mediaSource) && item.get(mediaSource) === 'binary';
			if (!isFileKind(type) || !isBinary) return message;
			const file = await uploadForSending(context, item.get(binaryField), { type }, request.labels);
			return { ...message, file: { internal_uuid: requiredMember(context, file, 'internal_uuid') } };
		},
	});
};
