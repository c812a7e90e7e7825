/**
 * Builds an element. Texts become text nodes, so that nothing that was sent can become markup.
 * @param {string} tag name of the element, with optional classes: `p.muted.small`
 * @param {Record<string, unknown>} [attributes] `on…` functions are listeners; null, undefined and false are left out
 * @param {...unknown} children nodes, texts, or lists of them; null, undefined and false are left out
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
	const [name, ...classes] = tag.split('.');
	const element = document.createElement(name);
	if (classes.length > 0) element.className = classes.join(' ');
	for (const [attribute, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false) continue;
		if (typeof value === 'function') element.addEventListener(attribute.slice(2), value);
		else element.setAttribute(attribute, value === true ? '' : String(value));
	}
	element.append(
		...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
	);
	return element;
}

/**
 * Changes the page. If that takes away what has the focus, the focus goes to another element, so that the keyboard does not
 * start again at the top of the page.
 * @param {() => HTMLElement} next gives that element, which becomes focusable if it is not
 */
export function keepingFocus(change, next) {
	const before = document.activeElement;
	change();
	if (before?.checkVisibility() ?? true) return;
	const target = next();
	if (target.tabIndex < 0) target.tabIndex = -1;
	target.focus();
}

/**
 * Makes these the children of a list, each known by its key. Those that are there already stay untouched: they keep the
 * focus, videos play on, screen readers hear only what is new. From one that goes, the focus moves to the one in its place.
 * @param {Array<[key: string | number, make: () => HTMLElement]>} entries
 */
export function patch(list, entries) {
	const focused = [...list.children].findIndex((child) => child.contains(document.activeElement));
	const neighbour = () => list.children[Math.min(focused, list.children.length - 1)];
	keepingFocus(
		() => replace(list, entries),
		() => neighbour()?.querySelector('summary, button, a') ?? list,
	);
}

function replace(list, entries) {
	const known = new Map([...list.children].map((child) => [child.dataset.key, child]));
	const nodes = entries.map(([key, make]) => {
		const node = known.get(String(key)) ?? make();
		node.dataset.key = key;
		return node;
	});
	const kept = new Set(nodes);
	for (const child of [...list.children]) if (!kept.has(child)) child.remove();
	nodes.forEach((node, index) => {
		if (list.children[index] !== node) list.insertBefore(node, list.children[index] ?? null);
	});
}

/** Listens for keys that move the focus through some links or buttons: two arrows, Home and End. */
export const movesFocus = (selector, back, forth) => (event) => {
	const targets = [...event.currentTarget.querySelectorAll(selector)];
	const at = targets.indexOf(document.activeElement);
	const to = { [forth]: at + 1, [back]: at - 1, Home: 0, End: targets.length - 1 }[event.key];
	if (to === undefined || at < 0) return;
	event.preventDefault();
	targets[Math.min(Math.max(to, 0), targets.length - 1)].focus();
};

/** Writes the line of a `fold` anew: the kind and label of its outcome, what it is about, and facts in small. */
export function relabel(item, { kind, label, title, facts }) {
	const [result, address, small] = item.querySelectorAll('.result, .address, summary .muted');
	result.className = `result ${kind}`;
	result.textContent = label;
	address.textContent = title;
	small.textContent = facts;
}

/** An entry of a list: a line, see `relabel`, that opens. */
export function fold(line, attributes, ...children) {
	const target = h('span.target', {}, h('span.address'), h('span.muted'));
	const item = h('li', {}, h('details', attributes, h('summary', {}, h('span.result'), target), ...children));
	relabel(item, line);
	return item;
}

/** JSON with indents; anything else as it is. */
export function readable(text) {
	try {
		return JSON.stringify(JSON.parse(text), undefined, 2);
	} catch {
		return text;
	}
}

/** A text as it was sent. It may be longer than its frame, which the keyboard can scroll too. */
export const exact = (text) => h('pre', { tabindex: '0' }, text);

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, {
	weekday: 'short',
	day: 'numeric',
	month: 'short',
	year: 'numeric',
});
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const exactTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const moment = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

export const weekdayTimeOf = (iso) => moment.format(new Date(iso));
export const exactTimeOf = (iso) => exactTime.format(new Date(iso));
export const exactlyOf = (time) => exactly.format(new Date(time));
export const timeOf = (iso) => time.format(new Date(iso));
export const dayOf = (iso) => day.format(new Date(iso));
export const fullTimeOf = (iso) => full.format(new Date(iso));

/** The time of today's things, the day of older ones. */
export const briefTimeOf = (iso, now) =>
	dayOf(iso) === dayOf(now) ? timeOf(iso) : short.format(new Date(iso));

export const counted = (count, one, many = `${one}s`) =>
	`${count.toLocaleString()} ${count === 1 ? one : many}`;

/** How far a clock is moved, as people say it. */
export function moved(milliseconds) {
	const minutes = Math.round(Math.abs(milliseconds) / 60_000);
	const hours = Math.round(minutes / 60);
	const text =
		minutes < 120
			? counted(minutes, 'minute')
			: hours < 48
				? counted(hours, 'hour')
				: counted(Math.round(hours / 24), 'day');
	return `${text} ${milliseconds > 0 ? 'ahead' : 'behind'}`;
}

/** A size in bytes as people read it. */
export function sizeOf(bytes) {
	if (bytes < 1024) return `${bytes} B`;
	const units = ['kB', 'MB', 'GB'];
	let value = bytes / 1024;
	let unit = 0;
	while (value >= 1024 && unit < units.length - 1) {
		value /= 1024;
		unit++;
	}
	return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}

/** Whether an address may be opened or shown: http, https and nothing else. */
export const isWebAddress = (text) => /^https?:\/\//i.test(text ?? '');

/** The first letters of up to two words. */
export const initialsOf = (name) =>
	name
		.split(/\s+/)
		.filter(Boolean)
		.slice(0, 2)
		.map((word) => [...word][0].toUpperCase())
		.join('');

/** One of six colours, always the same for the same text. */
export const toneOf = (text) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 6, 0);

/** A round picture of a person: the initials on a colour of their own. */
export const avatar = (name, size = '') =>
	h(`span.avatar.tone${toneOf(name)}${size}`, { 'aria-hidden': 'true' }, initialsOf(name));

const ICONS = {
	open: 'M7 4H4v12h12v-3M11 4h5v5M16 4l-7 7',
	reply: 'M8 5 3.5 9.5 8 14M4 9.5h7a5 5 0 0 1 5 5V16',
	copy: 'M7.5 7.5V4H16v8.5h-3.5M4 7.5h8.5V16H4z',
	phone:
		'M6.5 3.5 8.6 8 6.8 9.4a9 9 0 0 0 3.8 3.8l1.4-1.8 4.5 2.1c0 2-1.4 3-3 3A10.5 10.5 0 0 1 3.5 6.5c0-1.6 1-3 3-3z',
	list: 'M4 5.5h12M4 10h12M4 14.5h8',
	dot: 'M10 8.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 1 0 0-3z',
};

/** A line drawing that only decorates. */
export function icon(name) {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	svg.setAttribute('viewBox', '0 0 20 20');
	svg.setAttribute('class', 'icon');
	svg.setAttribute('aria-hidden', 'true');
	const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
	path.setAttribute('d', ICONS[name] ?? ICONS.dot);
	svg.append(path);
	return svg;
}
