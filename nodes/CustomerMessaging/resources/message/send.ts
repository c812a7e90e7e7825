import type { Body } from '../../contract/endpoints';
import { binaryField, isFileKind } from '../../files/fileFields';
import { requiredMember, uploadForSending } from '../../files/upload';
import { skippedMessage } from '../../messaging/delivery/messageRow';
import { sendMessage } from '../../messaging/delivery/sendMessage';
import { whenUndelivered } from '../../messaging/delivery/undelivered';
import { outsideHours } from '../../messaging/guards/sendingHours';
import { onceClaim } from '../../messaging/once/sendOnce';
import type { SettingIn } from '../../runner/field';
import { flow } from '../../runner/operation';
import { caption, mediaSource, type messageFields, messageType } from './messageFields';

type AgentMessage = Body<'POST /conversations/{conversationId}/messages'>;

function withCaption(body: Partial<AgentMessage>, words: string): Partial<AgentMessage> {
	const { type } = body;
	if (words === '' || (type !== 'document' && type !== 'image' && type !== 'video')) return body;
	return { ...body, [type]: { ...body[type], caption: words } };
}

/** Sends the message. It first checks and uploads a file from a binary field. */
export const sendConversationMessage = flow<SettingIn<typeof messageFields>, AgentMessage>(async (item) => {
	const { context, request, read, shows } = item;
	const words = shows(caption) ? read(caption) : '';
	// Only a custom message has a type of its own among its members.
	const body = { type: read(messageType), ...request.body };
	const declared = { ...request, body: withCaption(body, words) };
	return await sendMessage(
		{ ...item, request: declared },
		{
			claim: await onceClaim(item),
			skipped: async () => await Promise.resolve(outsideHours(item)),
			skippedRow: (json) => skippedMessage(request.path.conversationId, declared.body, json),
			answered: whenUndelivered(item),
			async complete(message) {
				const { type } = message;
				if (!isFileKind(type) || !shows(mediaSource) || read(mediaSource) !== 'binary') return message;
				const file = await uploadForSending(context, read(binaryField), { type }, request.labels);
				return { ...message, file: { internal_uuid: requiredMember(context, file, 'internal_uuid') } };
			},
		},
	);
});
