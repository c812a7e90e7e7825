import type { Body } from '../../contract/endpoints';
import { binaryField, isFileKind } from '../../files/fileFields';
import { requiredMember, uploadForSending } from '../../files/upload';
import { skippedMessage } from '../../messaging/delivery/messageRow';
import { noted } from '../../messaging/delivery/noteInExecution';
import { sendMessage } from '../../messaging/delivery/sendMessage';
import { whenUndelivered } from '../../messaging/delivery/undelivered';
import { outsideHours } from '../../messaging/guards/sendingHours';
import { contactClaim } from '../../messaging/once/contactLimit';
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
	const { conversationId } = request.path;
	const claims = [
		await onceClaim(item),
		await contactClaim(item, async () => await Promise.resolve(`conversation ${conversationId}`)),
	];
	const send = async () =>
		await sendMessage(
			{ ...item, request: declared },
			{
				claims: claims.filter((claim) => claim !== undefined),
				// The interface does not tell whose conversation it is.
				skipped: async () => await outsideHours(item, async () => await Promise.resolve(undefined)),
				skippedRow: (json) => skippedMessage(conversationId, declared.body, json),
				answered: whenUndelivered(item),
				async complete(message) {
					const { type } = message;
					if (!isFileKind(type) || !shows(mediaSource) || read(mediaSource) !== 'binary') return message;
					const file = await uploadForSending(context, read(binaryField), { type }, request.labels);
					return { ...message, file: { internal_uuid: requiredMember(context, file, 'internal_uuid') } };
				},
			},
		);
	return await noted(item, { conversation_id: conversationId }, send);
});
