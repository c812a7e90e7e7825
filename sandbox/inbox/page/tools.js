import { clock } from './clock.js';
import { data } from './data.js';
import { byId, h, movesFocus } from './dom.js';
import { faults } from './faults.js';
import { oneAtATime } from './oneAtATime.js';
import { requests } from './requests.js';

const panel = byId('tools');
const opener = byId('tools-button');
const tablist = h('div.tabs', { role: 'tablist', 'aria-label': 'Tools' });

/** A tool with its tab, its panel, and a place for what the sandbox refuses to tell. */
function tabOf(tool) {
	const problem = h('p.error', { role: 'alert', hidden: true });
	const complain = ({ message }) => {
		problem.textContent = message;
		problem.hidden = false;
	};
	const refresh = oneAtATime(async () => {
		await tool.refresh();
		problem.hidden = true;
	}, complain);
	const tab = h(
		'button',
		{
			type: 'button',
			role: 'tab',
			id: `tab-${tool.id}`,
			'aria-controls': tool.id,
			onclick: () => choose(tool.id),
			onfocus: () => choose(tool.id),
		},
		tool.title,
	);
	const place = h(
		'div.tool',
		{ role: 'tabpanel', id: tool.id, 'aria-labelledby': tab.id },
		problem,
		tool.contents,
	);
	return { ...tool, refresh, tab, place };
}

const tabs = [requests, faults, clock, data].map(tabOf);
let chosen;

function choose(id) {
	if (chosen?.id === id) return;
	for (const one of tabs) {
		const isChosen = one.id === id;
		if (isChosen) chosen = one;
		one.tab.setAttribute('aria-selected', String(isChosen));
		one.tab.tabIndex = isChosen ? 0 : -1;
		one.place.hidden = !isChosen;
	}
	if (!panel.hidden) void chosen.refresh();
}

function toggle(isOpen) {
	panel.hidden = !isOpen;
	document.body.classList.toggle('with-tools', isOpen);
	opener.setAttribute('aria-expanded', String(isOpen));
	if (isOpen) void chosen.refresh();
}

function closeByEscape(event) {
	if (event.key !== 'Escape' || panel.hidden || event.defaultPrevented) return;
	toggle(false);
	opener.focus();
}

/** Lets the open tool follow what happens. */
export function onToolEvent(name) {
	const isFollowed =
		name === 'request' ? chosen.followsRequests : ['hello', 'control', 'reset'].includes(name);
	if (isFollowed && !panel.hidden) void chosen.refresh();
}

tablist.append(...tabs.map(({ tab }) => tab));
tablist.addEventListener('keydown', movesFocus('[role=tab]', 'ArrowLeft', 'ArrowRight'));
panel.append(tablist, ...tabs.map(({ place }) => place));
choose('requests');
opener.addEventListener('click', () => toggle(panel.hidden));
opener.addEventListener('keydown', closeByEscape);
panel.addEventListener('keydown', closeByEscape);
