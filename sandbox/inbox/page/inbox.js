import { listen, readConversation, readConversations, readTenant, writeAsCustomer } from './api.js';
import { showDeliveries } from './deliveries.js';
import { showProfile } from './details.js';
import { byId, counted, h, keepingFocus, moved, weekdayTimeOf } from './dom.js';
import { markSeen, moveByKeys, showList } from './list.js';
import { showMessages, watchScrolling } from './messages.js';
import { oneAtATime } from './oneAtATime.js';
import { onToolEvent } from './tools.js';

const state = {
	selectedId: 0,
	shownId: 0,
	writesTo: 0,
	search: '',
	loaded: 0,
	now: new Date().toISOString(),
};

const say = (text, kind) => {
	byId('live').textContent = text;
	byId('live').dataset.kind = kind;
};
const complain = (error) => say(error.message, 'bad');

const refreshFacts = oneAtATime(async () => {
	const { holds, webhooks, faults, now, ahead_ms } = await readTenant();
	state.now = now;
	byId('facts').replaceChildren(
		h('li', {}, counted(holds.customers, 'customer')),
		h('li', {}, counted(holds.messages, 'message')),
		h('li', {}, counted(webhooks, 'webhook')),
		faults > 0 ? h('li.warn', {}, counted(faults, 'fault')) : '',
		Math.abs(ahead_ms) > 60_000 ? h('li.warn', {}, `Clock ${moved(ahead_ms)}`) : '',
	);
}, complain);

const refreshList = oneAtATime(async () => {
	const pages = [];
	let total;
	do {
		const page = await readConversations(state.search, pages.length);
		pages.push(...page.conversations);
		({ total } = page);
	} while (pages.length < Math.min(state.loaded, total));
	state.loaded = pages.length;
	if (state.selectedId === 0 && pages.length > 0 && state.search === '') {
		history.replaceState(null, '', `#${pages[0].id}`);
		select();
	}
	showList(pages, state.selectedId, state.now);
	keepingFocus(
		() => (byId('more').hidden = pages.length >= total),
		() => byId('conversations').querySelector('li:last-child a'),
	);
}, complain);

/** Has the reader write to this conversation. What was begun for another one is not sent to it. */
function writeTo(id) {
	if (id === state.writesTo) return;
	state.writesTo = id;
	byId('text').value = '';
	sayUnsent('');
}

/** Says at the field why a message was not sent. */
function sayUnsent(text) {
	byId('unsent').textContent = text;
	byId('text').setAttribute('aria-invalid', String(text !== ''));
}

/** For a conversation that is there no more, after a reset: the latest one takes its place. */
function forgetConversation() {
	state.selectedId = 0;
	state.shownId = 0;
	writeTo(0);
	byId('title').textContent = 'No conversation chosen';
	byId('subtitle').textContent = '';
	keepingFocus(
		() => {
			for (const id of ['session', 'write']) byId(id).hidden = true;
			for (const id of ['messages', 'profile-body', 'deliveries-body']) byId(id).replaceChildren();
		},
		() => byId('conversation'),
	);
	void refreshList();
}

const refreshConversation = oneAtATime(async () => {
	const id = state.selectedId;
	if (id === 0) return;
	const shown = await readConversation(id).catch((error) => {
		if (error.status !== 404) throw error;
	});
	if (id !== state.selectedId) return;
	if (!shown) return forgetConversation();
	const { customer, agent, conversation, messages, deliveries } = shown;
	byId('title').textContent = customer.name;
	byId('subtitle').textContent = `As ${customer.name} sees it${agent ? `, from ${agent}` : ''}`;
	const session = byId('session');
	session.hidden = false;
	session.dataset.kind = conversation.session.open ? 'good' : 'bad';
	session.textContent = conversation.session.open
		? `Session open until ${weekdayTimeOf(conversation.session.ends_at)}`
		: 'Session expired';
	byId('write').hidden = false;
	byId('text').placeholder = `Write as ${customer.name}`;
	markSeen(id, messages.at(-1)?.id ?? 0);
	showMessages(messages, { customer: customer.name, tenant: agent ?? 'Tenant' }, state.shownId !== id);
	state.shownId = id;
	showProfile(shown);
	showDeliveries(deliveries, complain);
}, complain);

/** Shows one of the list, the conversation and its customer, where the screen has no place for all of them. */
function showPane(id) {
	document.body.dataset.pane = id;
	if (matchMedia('(max-width: 700px)').matches) byId(id).focus();
}

/** Shows the conversation that the address names. */
function select() {
	state.selectedId = Number(location.hash.slice(1)) || 0;
	writeTo(state.selectedId);
	for (const link of byId('conversations').querySelectorAll('a')) {
		if (Number(link.dataset.id) === state.selectedId) link.setAttribute('aria-current', 'page');
		else link.removeAttribute('aria-current');
	}
	void refreshConversation();
}

function refreshAll() {
	void refreshFacts();
	void refreshList();
	void refreshConversation();
}

function onEvent(name) {
	onToolEvent(name);
	if (name === 'request') return;
	if (name === 'reset') state.shownId = 0;
	if (name === 'delivery') void refreshConversation();
	else refreshAll();
}

byId('search').addEventListener('input', ({ target }) => {
	state.search = target.value.trim();
	state.loaded = 0;
	void refreshList();
});
byId('more').addEventListener('click', () => {
	state.loaded += 1;
	void refreshList();
});
byId('conversations').addEventListener('keydown', moveByKeys);
byId('conversations').addEventListener('click', ({ target }) => {
	// The one that is chosen already changes no address.
	if (target.closest('[aria-current]')) showPane('conversation');
});
for (const pane of ['list', 'conversation', 'details'])
	byId(`to-${pane}`).addEventListener('click', () => showPane(pane));
byId('text').addEventListener('input', () => sayUnsent(''));
byId('write').addEventListener('submit', (event) => {
	event.preventDefault();
	const field = byId('text');
	const text = field.value.trim();
	if (text === '') return;
	const to = state.writesTo;
	field.value = '';
	sayUnsent('');
	writeAsCustomer(to, text).catch((error) => {
		if (to !== state.writesTo) return;
		field.value ||= text;
		sayUnsent(`Not sent: ${error.message}`);
	});
});
window.addEventListener('hashchange', () => {
	if (!/^#\d+$/.test(location.hash)) return;
	select();
	showPane('conversation');
});
watchScrolling();
state.selectedId = Number(location.hash.slice(1)) || 0;
document.body.dataset.pane = state.selectedId === 0 ? 'list' : 'conversation';
writeTo(state.selectedId);
listen(onEvent, (isLive) => say(isLive ? 'Live' : 'Reconnecting…', isLive ? 'good' : 'wait'), complain);
