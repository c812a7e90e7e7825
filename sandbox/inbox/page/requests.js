import { clearRequests, readRequest, readRequests } from './api.js';
import { counted, exact, exactTimeOf, fold, h, patch, readable, relabel, sizeOf } from './dom.js';
import { actionButton, resultPlace } from './forms.js';

/** What the paths of the interface begin with. */
const PREFIX = /^\/third-party\/v1/;

const result = resultPlace();
result.place.classList.add('unseen');
const list = h('ul.folds', { 'aria-label': 'Requests, newest first' });
const count = h('p.muted');

function lineOf({ method, path, query, at, status, duration_ms }) {
	const time = exactTimeOf(at);
	const search = new URLSearchParams(
		Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => [name, one])),
	);
	const title = `${method} ${path.replace(PREFIX, '')}${search.size > 0 ? `?${search}` : ''}`;
	if (duration_ms === null) return { title, facts: time, kind: 'wait', label: 'under way' };
	const facts = `${time} · ${Math.round(duration_ms)} ms`;
	if (status === null) return { title, facts, kind: 'bad', label: 'no answer' };
	return { title, facts, kind: status < 400 ? 'good' : 'bad', label: String(status) };
}

function bodyOf({ body, body_length }) {
	if (body_length === 0) return [];
	const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
	const text = new TextDecoder().decode(bytes);
	const cut = bytes.length < body_length && `, the first ${sizeOf(bytes.length)} are kept`;
	return [h('h3', {}, 'Body'), h('p.when', {}, sizeOf(body_length), cut), exact(readable(text))];
}

async function fill(details, id) {
	const inside = details.querySelector('.inside');
	try {
		const request = await readRequest(id);
		const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
		inside.replaceChildren(h('h3', {}, 'Headers'), exact(headers.join('\n')), ...bodyOf(request));
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

/** The newest requests to the interface, as they come. */
export const requests = {
	id: 'requests',
	title: 'Requests',
	followsRequests: true,
	contents: [
		h(
			'div.row',
			{},
			count,
			actionButton('Clear', result, async () => {
				await clearRequests();
				return 'The log is empty.';
			}),
		),
		result.place,
		list,
	],
	async refresh() {
		const { data, total } = await readRequests();
		patch(
			list,
			data.map((request) => [`${request.id} ${request.at}`, () => row(request)]),
		);
		data.forEach((request, index) => relabel(list.children[index], lineOf(request)));
		const shown = data.length < total ? `, the newest ${data.length} are shown` : '';
		count.textContent =
			total === 0
				? 'None yet. Requests to the interface appear here.'
				: `${counted(total, 'request')}${shown}`;
	},
};
