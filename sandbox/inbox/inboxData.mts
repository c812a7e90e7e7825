import { readableText } from '../messages/readableText.mts';
import { notFound } from '../refusal.mts';
import { type Message, sessionEnd } from '../resources/message.mts';
import type { Store } from '../store/store.mts';

/** One line that says what a message is about. */
const preview = (message: Message | undefined): unknown =>
	message && (readableText(message).split('\n')[0] || message.contents.at(0)?.type);

/** Conversations for the list of the inbox, the latest first. */
export function listConversations(store: Store, search: string, offset: number, limit: number) {
	const { records, total } = store.conversations.search(search, { offset, limit });
	return {
		total,
		conversations: records.map((conversation) => {
			const last = store.conversations.lastMessage(conversation.id);
			const customer = store.customers.find(conversation.customer_id);
			return {
				id: conversation.id,
				name: customer?.name ?? '',
				display_id: customer?.display_id ?? '',
				preview: preview(last) ?? '',
				from_customer: last?.from === 'customer',
				failed: last?.latest_error !== undefined,
				at: last?.sent_at ?? conversation.updated_at,
				last_message_id: last?.id ?? 0,
			};
		}),
	};
}

/** Everything the inbox shows about one conversation. @throws 404 */
export function showConversation(store: Store, id: number) {
	const conversation = store.conversations.find(id);
	const customer = conversation && store.customers.find(conversation.customer_id);
	const profile = customer && store.profiles.ofCustomer(customer.id);
	if (!conversation || !customer || !profile) throw notFound('Conversation');
	const endsAt = sessionEnd(conversation, customer);
	const user = conversation.user_id === null ? undefined : store.users.find(conversation.user_id);
	return {
		conversation: {
			id,
			bot_id: conversation.bot_id,
			folder_id: conversation.folder_id,
			session: { open: store.clock.now() <= endsAt, ends_at: store.clock.iso(endsAt) },
		},
		agent: conversation.agent_id === null ? null : (store.agents.find(conversation.agent_id)?.name ?? null),
		assigned_to: user?.name ?? null,
		customer,
		profile,
		consent: store.profiles.consent(profile.id),
		tags: store.tags.of('profile', profile.id).map(({ title }) => title),
		groups: store.groups.ofProfile(profile.id).map(({ name }) => name),
		users: store.customers.attachedUserIds(customer.id).map((userId) => store.users.find(userId)?.name ?? ''),
		messages: store.conversations.messages(id),
		deliveries: store.webhooks.deliveriesOf(id),
	};
}
