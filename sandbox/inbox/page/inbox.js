import { listen, readConversation, readConversations, readTenant, writeAsCustomer } from './api.js';
import { showDeliveries } from './deliveries.js';
import { showProfile } from './details.js';
import { byId, h, weekdayTimeOf } from './dom.js';
import { markSeen, moveByKeys, showList } from './list.js';
import { showMessages, watchScrolling } from './messages.js';

const state = { selectedId: 0, shownId: 0, search: '', loaded: 0, now: new Date().toISOString() };

const say = (text, kind) => {
	byId('live').textContent = text;
	byId('live').dataset.kind = kind;
};
const complain = (error) => say(error.message, 'bad');

/** Runs a job; calls while it runs make it run once more afterwards, not at the same time. */
function oneAtATime(job) {
	let isRunning = false;
	let isWanted = false;
	return async () => {
		isWanted = true;
		if (isRunning) return;
		isRunning = true;
		while (isWanted) {
			isWanted = false;
			await job().catch(complain);
		}
		isRunning = false;
	};
}

const counted = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** How far the sandbox's clock is moved, as people say it. */
function moved(milliseconds) {
	const hours = Math.round(milliseconds / 3_600_000);
	const text =
		Math.abs(hours) >= 48
			? counted(Math.round(Math.abs(hours) / 24), 'day')
			: counted(Math.abs(hours), 'hour');
	return `Clock ${text} ${hours > 0 ? 'ahead' : 'behind'}`;
}

const refreshFacts = oneAtATime(async () => {
	const { holds, webhooks, faults, now, ahead_ms } = await readTenant();
	state.now = now;
	byId('facts').replaceChildren(
		h('li', {}, counted(holds.customers, 'customer')),
		h('li', {}, counted(holds.messages, 'message')),
		h('li', {}, counted(webhooks, 'webhook')),
		faults > 0 ? h('li.warn', {}, counted(faults, 'fault')) : '',
		Math.abs(ahead_ms) > 1_800_000 ? h('li.warn', {}, moved(ahead_ms)) : '',
	);
});

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
	byId('more').hidden = pages.length >= total;
});

const refreshConversation = oneAtATime(async () => {
	const id = state.selectedId;
	if (id === 0) return;
	const shown = await readConversation(id);
	if (id !== state.selectedId) return;
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
});

/** Shows the conversation that the address names. */
function select() {
	state.selectedId = Number(location.hash.slice(1)) || 0;
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
byId('write').addEventListener('submit', (event) => {
	event.preventDefault();
	const field = byId('text');
	const text = field.value.trim();
	if (text === '') return;
	field.value = '';
	writeAsCustomer(state.selectedId, text).catch((error) => {
		field.value = text;
		complain(error);
	});
});
window.addEventListener('hashchange', () => {
	if (/^#\d+$/.test(location.hash)) select();
});
watchScrolling();
state.selectedId = Number(location.hash.slice(1)) || 0;
listen(onEvent, (isLive) => say(isLive ? 'Live' : 'Reconnecting…', isLive ? 'good' : 'wait'), complain);
