import { CHANNELS, MESSAGE_FROM, MESSAGE_SOURCE, MESSAGE_STATUS, SESSION_EXPIRED } from '../choices.mts';
import { readContents } from '../messages/messageContents.mts';
import { invalid, notFound } from '../refusal.mts';
import type { Conversation } from '../store/conversations.mts';
import type { Customer } from '../store/customers.mts';
import type { Call, Operations } from './operation.mts';
import { sendTemplate } from './sendTemplate.mts';

const HOUR = 60 * 60 * 1000;

function findConversation(call: Call<'createConversationMessage'>): Conversation {
	const id = String(call.params.conversationId);
	const conversation = /^\d{1,15}$/.test(id) ? call.store.conversations.find(Number(id)) : undefined;
	if (!conversation) throw notFound('Conversation');
	return conversation;
}

/** Whether the time in which the customer can be answered is over. */
function isSessionExpired(conversation: Conversation, { channel }: Customer, now: number): boolean {
	const hours = CHANNELS.find((known) => known.channel === channel)?.session_hours ?? 0;
	return now > conversation.session_started_at + hours * HOUR;
}

export const messageOperations: Operations<'sendTemplate' | 'createConversationMessage'> = {
	sendTemplate,

	/** A reply after the end of the session is stored, and carries the reason why it cannot be delivered. */
	createConversationMessage(call) {
		const { store, body, user, tenant } = call;
		const conversation = findConversation(call);
		const customer = call.customer(conversation.customer_id);
		const contents = readContents(store, body);
		if (
			body.reference_id !== undefined &&
			store.conversations.findMessage(body.reference_id)?.conversation_id !== conversation.id
		) {
			throw invalid({ reference_id: ['There is no such message in this conversation.'] });
		}
		const isExpired = isSessionExpired(conversation, customer, store.clock.now());
		const message = store.conversations.addMessage({
			conversation_id: conversation.id,
			from: MESSAGE_FROM.agent,
			source: body.from_automation ? MESSAGE_SOURCE.automation : MESSAGE_SOURCE.api,
			user_id: user.id,
			contents,
			status: isExpired ? MESSAGE_STATUS.failed : MESSAGE_STATUS.created,
			reference_id: body.reference_id,
			error: isExpired ? SESSION_EXPIRED : undefined,
		});
		tenant.events.emit('message', message);
		if (body.from_automation) tenant.deliveries.announce(message, conversation, customer);
		return { data: message };
	},
};
