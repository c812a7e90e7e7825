import { clearRequests, readRequest, readRequests } from './api.js';
import { counted, exact, exactTimeOf, fold, h, patch, readable, relabel, sizeOf } from './dom.js';
import { actionButton, resultPlace } from './forms.js';

/** How many are shown at most. */
const SHOWN = 200;

/** What the paths of the interface begin with. */
const PREFIX = /^\/third-party\/v1/;

const known = new Map();
let since = 0;

const result = resultPlace();
result.place.classList.add('unseen');
const list = h('ul.folds', { 'aria-label': 'Requests, newest first' });
const count = h('p.muted');
const filter = h('input', {
	id: 'request-filter',
	type: 'search',
	placeholder: 'Method, path or status',
	autocomplete: 'off',
	spellcheck: 'false',
	oninput: () => {
		show();
		result.say(count.textContent);
	},
});

function lineOf({ method, url, at, status, duration_ms }) {
	const time = exactTimeOf(at);
	const line = { title: `${method} ${url.replace(PREFIX, '')}`, facts: time };
	if (duration_ms === null) return { ...line, kind: 'wait', label: 'under way' };
	const facts = `${time} · ${Math.round(duration_ms)} ms`;
	if (status === null) return { ...line, facts, kind: 'bad', label: 'no answer' };
	return { ...line, facts, kind: status < 400 ? 'good' : 'bad', label: String(status) };
}

/** The bytes of a body as text; undefined where they are none. A letter that was cut off at the end does not count. */
function textOf(bytes) {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
	} catch {
		return undefined;
	}
}

function bodyOf({ body, body_length, body_sha256 }) {
	if (body_length === 0) return [];
	const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
	const text = textOf(bytes);
	const notes = [
		sizeOf(body_length),
		bytes.length < body_length && `the first ${sizeOf(bytes.length)} are kept`,
		text === undefined && `no text, SHA-256 ${body_sha256}`,
	];
	return [
		h('h3', {}, 'Body'),
		h('p.when', {}, notes.filter(Boolean).join(' · ')),
		text && exact(readable(text)),
	];
}

async function fill(details, id) {
	const inside = details.querySelector('.inside');
	try {
		const request = await readRequest(id);
		const { url } = known.get(id) ?? request;
		const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
		inside.replaceChildren(
			...[
				h('p.when', {}, `${request.method} ${url}`),
				h('h3', {}, 'Headers'),
				exact(headers.join('\n')),
				...bodyOf(request),
			].filter(Boolean),
		);
	} catch ({ message }) {
		inside.replaceChildren(h('p.error', {}, message));
	}
}

const row = (request) =>
	fold(
		lineOf(request),
		{ ontoggle: ({ target }) => target.open && fill(target, request.id) },
		h('div.inside'),
	);

function show(changed = new Set()) {
	const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
	const all = [...known.values()].sort((one, other) => other.id - one.id);
	const found = all.filter(({ method, url, status }) => {
		const text = `${method} ${url} ${status ?? ''}`.toLowerCase();
		return words.every((word) => text.includes(word));
	});
	const shown = found.slice(0, SHOWN);
	patch(
		list,
		shown.map((request) => [`${request.id} ${request.at}`, () => row(request)]),
	);
	for (const item of list.children) {
		const id = Number.parseInt(item.dataset.key, 10);
		if (!changed.has(id)) continue;
		relabel(item, lineOf(known.get(id)));
		const details = item.querySelector('details');
		if (details.open) void fill(details, id);
	}
	const total = counted(all.length, 'request');
	count.textContent =
		all.length === 0
			? 'None yet. Requests to the interface appear here.'
			: [
					found.length < all.length ? `${found.length.toLocaleString()} of ${total}` : total,
					shown.length < found.length && `the newest ${SHOWN} are shown`,
				]
					.filter(Boolean)
					.join(', ');
}

/** The requests to the interface, as they come. */
export const requests = {
	id: 'requests',
	title: 'Requests',
	followsRequests: true,
	contents: [
		h(
			'div.row',
			{},
			h('label.hidden', { for: 'request-filter' }, 'Filter requests'),
			filter,
			actionButton('Clear', result, async () => {
				await clearRequests();
				return 'The log is empty.';
			}),
		),
		result.place,
		count,
		list,
	],
	/** For a sandbox that was started anew: it counts its requests from 1 again. */
	forget() {
		known.clear();
		since = 0;
	},
	async refresh() {
		const { data, oldest, change } = await readRequests(since);
		since = change;
		for (const request of data) known.set(request.id, request);
		for (const id of known.keys()) if (id < oldest) known.delete(id);
		show(new Set(data.map(({ id }) => id)));
	},
};
