import { fileAddress } from './api.js';
import { byId, dayOf, h, icon, isWebAddress, patch, sizeOf, timeOf } from './dom.js';
import { styledParts } from './styles.js';

const inNewTab = { target: '_blank', rel: 'noopener noreferrer' };

/** Makes a link of each web address in a text. What ends a sentence does not belong to the address. */
function withLinks(text) {
	const nodes = [];
	let done = 0;
	for (const { 0: found, index } of text.matchAll(/https?:\/\/[^\s<>"]+/gi)) {
		let end = index + found.length;
		const ends = found.includes('(') ? /[.,;:!?'*_~]/ : /[.,;:!?'*_~)]/;
		while (ends.test(text[end - 1])) end--;
		const href = text.slice(index, end);
		if (!URL.canParse(href)) continue;
		nodes.push(text.slice(done, index), h('a', { href, ...inNewTab }, href));
		done = end;
	}
	return [...nodes, text.slice(done)];
}

/** Makes nodes of the parts of a text. */
const nodesOf = (parts) =>
	parts.map((part) => (typeof part === 'string' ? withLinks(part) : h(part.tag, {}, nodesOf(part.parts))));

const textOf = (text) => h('p.text', { dir: 'auto' }, nodesOf(styledParts(text)));

/** Where a file's content is: uploaded here, or at an address. */
const sourceOf = ({ internal_uuid, id, url, link }) => {
	if (internal_uuid ?? id) return fileAddress(internal_uuid ?? id);
	const address = url ?? link;
	return isWebAddress(address) ? address : undefined;
};

/** What stands in for a picture that cannot be shown. */
const missing = (kind, source) =>
	h('p.missing', {}, `${kind} cannot be shown here: ${source ?? 'no address'}`);

function picture(file, alt) {
	const source = sourceOf(file);
	if (!source) return missing('The image');
	const image = h('img', { src: source, alt, loading: 'lazy' });
	image.addEventListener('error', () => image.replaceWith(missing('The image', file.url ?? file.link)));
	return image;
}

function documentCard(file, name) {
	const source = sourceOf(file);
	const kind = (name.split('.').at(-1) ?? '').slice(0, 4).toUpperCase();
	const facts = [file.mime_type, file.size !== undefined && sizeOf(file.size)].filter(Boolean).join(' · ');
	return h(
		'a.document',
		{ href: source, ...inNewTab },
		h('span.sheet', { 'aria-hidden': 'true' }, kind || 'FILE'),
		h('span', {}, h('strong', { dir: 'auto' }, name), h('span.muted', {}, facts || 'Document')),
	);
}

function media(kind, file, details) {
	const source = sourceOf(file);
	const name = details.filename ?? file.name ?? file.filename ?? 'Document';
	switch (kind) {
		case 'image':
			return picture(file, details.caption || file.name || 'Image');
		case 'video':
			return source ? h('video', { src: source, controls: true, preload: 'metadata' }) : missing('The video');
		case 'audio':
			return h(
				'div.audio',
				{},
				h('span.muted', {}, details.voice ? 'Voice message' : 'Audio'),
				source && h('audio', { src: source, controls: true, preload: 'none' }),
			);
		default:
			return documentCard(file, name);
	}
}

function place({ latitude, longitude, name, address }) {
	return h(
		'div.place',
		{},
		h('span.pin', { 'aria-hidden': 'true' }),
		h(
			'div',
			{},
			h('strong', { dir: 'auto' }, name ?? 'Location'),
			address && h('p', {}, address),
			h('p.muted', {}, `${latitude}, ${longitude}`),
		),
	);
}

function person({ name, phones }) {
	const numbers = Array.isArray(phones) ? phones.map(({ phone }) => phone).filter(Boolean) : [];
	return h(
		'div.person',
		{},
		h('span.head', { 'aria-hidden': 'true' }),
		h(
			'div',
			{},
			h('strong', { dir: 'auto' }, name?.formatted_name ?? 'Contact'),
			numbers.length > 0 && h('p.muted', {}, numbers.join(', ')),
		),
	);
}

const BUTTON_ICONS = {
	url: 'open',
	quick_reply: 'reply',
	copy_code: 'copy',
	phone_number: 'phone',
	flow: 'list',
};

function button({ type, text, url, code, phone_number }) {
	const extra = code ?? phone_number;
	const label = [icon(BUTTON_ICONS[type]), text, extra && h('code', {}, extra)];
	return h(
		'li',
		{},
		isWebAddress(url) ? h('a', { href: url, title: url, ...inNewTab }, label) : h('span', {}, label),
	);
}

function template({ name, header, body, footer, buttons = [] }) {
	const isMedia = header && ['image', 'video', 'document'].includes(header.type);
	return [
		isMedia && h('div.media', {}, media(header.type, header, { filename: header.filename })),
		header?.type === 'text' && h('p.heading', { dir: 'auto' }, header.text),
		header?.type === 'location' && place(header.location ?? {}),
		body ? textOf(body.text) : h('p.text', {}, name),
		footer && h('p.footer', { dir: 'auto' }, footer.text),
		buttons.length > 0 && h('ul.buttons', { 'aria-label': 'Buttons' }, buttons.map(button)),
	];
}

function content(part) {
	switch (part.type) {
		case 'text':
			return textOf(part.text?.content ?? '');
		case 'template':
			return template(part.template ?? {});
		case 'location':
			return place(part.location ?? {});
		case 'contact':
			return person(part.contact ?? {});
		default: {
			const details = part[part.type] ?? {};
			return [
				h('div.media', {}, media(part.type, part.file ?? {}, details)),
				details.caption && textOf(details.caption),
			];
		}
	}
}

/** One line of the message that another one answers. */
function quote(message) {
	const first = message?.contents?.[0];
	const text = first?.text?.content ?? first?.template?.body?.text ?? first?.type ?? 'A message';
	return h('blockquote', { dir: 'auto' }, text);
}

function bubble(message, byMessageId, names) {
	const isCustomer = message.from === 'customer';
	const sent = message.contents.find(({ type }) => type === 'template')?.template;
	const origin = sent && `Template ${sent.name} · ${sent.language}`;
	const answered = message.reference && byMessageId.get(message.reference.id);
	const item = h(
		`li.message${isCustomer ? '.mine' : ''}`,
		{ 'data-id': message.id },
		h('span.hidden', {}, `${isCustomer ? names.customer : names.tenant}:`),
		h(
			'div.bubble',
			{},
			message.reference && quote(answered),
			message.contents.map(content),
			h(
				'p.meta',
				{},
				origin && h('span.origin', {}, origin),
				message.source === 'automation' && h('span.badge', {}, 'automation'),
				h('time', { datetime: message.sent_at }, timeOf(message.sent_at)),
				!isCustomer && h('span.status'),
			),
		),
	);
	tellStatus(item, message);
	return item;
}

/** Writes what became of a message into its bubble, where it has changed. */
function tellStatus(item, { status, latest_error }) {
	const place = item.querySelector('.status');
	if (place && place.textContent !== status) {
		place.textContent = status;
		place.classList.toggle('failed', status === 'failed');
	}
	const told = item.querySelector(':scope > .error');
	const text = latest_error && `Not delivered: ${latest_error.user_friendly_message}`;
	if (told?.textContent === text) return;
	told?.remove();
	if (text) item.append(h('p.error', { title: latest_error.original_message }, text));
}

let followsEnd = true;
/** Pixels from the top, when it was last looked at. */
let before = 0;

/**
 * Notes whether the reader is at the end, which new messages then keep. Only a scroll upwards leaves the end, its first
 * pixels too: a picture that loads, or a window that changes its size, moves the end away from a reader who stayed.
 */
function noteReader(log) {
	const fromEnd = log.scrollHeight - log.scrollTop - log.clientHeight;
	if (log.scrollTop < before && fromEnd > 1) followsEnd = false;
	else if (fromEnd < 60) followsEnd = true;
	before = log.scrollTop;
}

/** Scroll events come late: a reader who has just begun to scroll up is not taken back to the end. */
function keepAtEnd() {
	const log = byId('log');
	noteReader(log);
	if (!followsEnd) return;
	log.scrollTop = log.scrollHeight;
	before = log.scrollTop;
}

export function watchScrolling() {
	const log = byId('log');
	log.addEventListener('scroll', () => noteReader(log));
	const sizes = new ResizeObserver(keepAtEnd);
	sizes.observe(log);
	sizes.observe(byId('messages'));
}

let reading;

/** Lets screen readers be silent about what was there already: they look at the page a moment after it has changed. */
function readAloudLater() {
	const log = byId('log');
	log.setAttribute('aria-busy', 'true');
	clearTimeout(reading);
	reading = setTimeout(() => log.setAttribute('aria-busy', 'false'), 500);
}

/**
 * Shows the messages.
 * @param {boolean} isOther whether another conversation was shown before
 */
export function showMessages(messages, names, isOther) {
	const list = byId('messages');
	if (isOther) {
		readAloudLater();
		list.replaceChildren();
		followsEnd = true;
		before = 0;
	}
	const byMessageId = new Map(messages.map((message) => [message.id, message]));
	let date;
	const entries = [];
	for (const message of messages) {
		if (dayOf(message.sent_at) !== date) {
			date = dayOf(message.sent_at);
			const label = date;
			entries.push([`day ${label}`, () => h('li.day', {}, h('span', {}, label))]);
		}
		entries.push([message.id, () => bubble(message, byMessageId, names)]);
	}
	patch(list, entries);
	const items = new Map([...list.children].map((item) => [item.dataset.id, item]));
	for (const message of messages) tellStatus(items.get(String(message.id)), message);
	keepAtEnd();
}
