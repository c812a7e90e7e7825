import { redeliver } from './api.js';
import { byId, fullTimeOf, h } from './dom.js';

function outcome({ status, error, finished_at }) {
	if (finished_at === null) return ['wait', 'under way'];
	if (error !== null) return ['bad', 'no answer'];
	return [status >= 200 && status < 300 ? 'good' : 'bad', String(status)];
}

/** JSON with indents; anything else as it is. */
function readable(text) {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

function delivery(entry, isOpen, onError) {
	const [kind, label] = outcome(entry);
	const took = entry.duration_ms === null ? '' : ` · ${entry.duration_ms} ms`;
	const again = entry.attempt > 1 ? ` · try ${entry.attempt}` : '';
	return h(
		'li',
		{},
		h(
			'details',
			{ open: isOpen, 'data-id': entry.id },
			h(
				'summary',
				{},
				h(`span.result.${kind}`, {}, label),
				h(
					'span.target',
					{},
					h('span.address', {}, entry.url.replace(/^https?:\/\//, '')),
					h('span.muted', {}, `Message ${entry.message_id}${took}${again}`),
				),
			),
			h('p.when', {}, fullTimeOf(entry.created_at)),
			entry.error && h('p.error', {}, entry.error),
			entry.answer !== null && [
				h('h4', {}, 'Answer'),
				h('pre', { tabindex: '0' }, entry.answer || '(empty)'),
			],
			h('h4', {}, 'Sent'),
			h('pre', { tabindex: '0' }, readable(entry.body)),
			h(
				'button.quiet',
				{ type: 'button', onclick: () => redeliver(entry.id).catch(onError) },
				'Deliver again',
			),
		),
	);
}

/** Shows the deliveries about a conversation with the answers of their receivers; what was opened stays open. */
export function showDeliveries(deliveries, onError) {
	const body = byId('deliveries-body');
	const open = new Set([...body.querySelectorAll('details[open]')].map(({ dataset }) => Number(dataset.id)));
	body.replaceChildren(
		deliveries.length > 0
			? h(
					'ul.deliveries',
					{},
					deliveries.map((entry) => delivery(entry, open.has(entry.id), onError)),
				)
			: h('p.empty', {}, 'None. Messages with from_automation are told to registered webhooks.'),
	);
}
