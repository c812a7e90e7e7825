import { avatar, briefTimeOf, byId, h, keepingFocus, movesFocus } from './dom.js';

/** Messages that have been looked at, by conversation. */
const seen = new Map();

/** Notes that a conversation has been looked at up to this message. */
export const markSeen = (id, messageId) => seen.set(id, Math.max(seen.get(id) ?? 0, messageId));

function item(conversation, selectedId, now) {
	const { id, name, at, preview, failed, from_customer, last_message_id } = conversation;
	if (!seen.has(id)) seen.set(id, last_message_id);
	const isNew = seen.get(id) < last_message_id && id !== selectedId;
	const state = [isNew && 'new', failed && 'failed'].filter(Boolean).join(', ');
	return h(
		'li',
		{},
		h(
			'a.entry',
			{
				href: `#${id}`,
				'data-id': id,
				'aria-current': id === selectedId && 'page',
				class: isNew ? 'entry new' : 'entry',
			},
			avatar(name),
			h(
				'span.what',
				{},
				h(
					'span.who',
					{},
					h('strong', { dir: 'auto' }, name),
					h('time', { datetime: at }, briefTimeOf(at, now)),
				),
				h('span.preview', {}, !from_customer && h('span', {}, 'Tenant: '), h('bdi', {}, preview || '…')),
			),
			state && h('span.hidden', {}, `(${state})`),
			failed
				? h('span.mark.failed', { 'aria-hidden': 'true' }, '!')
				: isNew && h('span.mark', { 'aria-hidden': 'true' }),
		),
	);
}

/** Shows the list; the focus stays on the entry that had it, or else goes to the one that is chosen. */
export function showList(conversations, selectedId, now) {
	const list = byId('conversations');
	const focused = list.contains(document.activeElement) ? document.activeElement.dataset.id : undefined;
	const entries =
		conversations.length > 0
			? conversations.map((conversation) => item(conversation, selectedId, now))
			: [h('li.empty', {}, 'No conversations. Send a template to start one.')];
	keepingFocus(
		() => list.replaceChildren(...entries),
		() => list.querySelector(`[data-id="${focused}"]`) ?? list.querySelector('[aria-current], a') ?? list,
	);
}

/** Arrow keys, Home and End move through the list. */
export const moveByKeys = movesFocus('a', 'ArrowUp', 'ArrowDown');
