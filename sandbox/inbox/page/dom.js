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

const moment = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: '2-digit', minute: '2-digit' });

export const weekdayTimeOf = (iso) => moment.format(new Date(iso));
export const timeOf = (iso) => time.format(new Date(iso));
export const dayOf = (iso) => day.format(new Date(iso));
export const fullTimeOf = (iso) => full.format(new Date(iso));

/** The time of today's things, the day of older ones. */
export const briefTimeOf = (iso, now) =>
	dayOf(iso) === dayOf(now) ? timeOf(iso) : short.format(new Date(iso));

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
