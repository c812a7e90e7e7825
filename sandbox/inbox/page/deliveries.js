import { redeliver } from './api.js';
import { byId, exact, fold, fullTimeOf, h, keepingFocus, patch, readable } from './dom.js';

function outcome({ status, error, finished_at }) {
	if (finished_at === null) return ['wait', 'under way'];
	if (error !== null) return ['bad', 'no answer'];
	return [status >= 200 && status < 300 ? 'good' : 'bad', String(status)];
}

async function deliverAgain({ id, url }, onError) {
	try {
		await redeliver(id);
		byId('redelivered').textContent = `Sent to ${url} again.`;
	} catch (error) {
		onError(error);
	}
}

function delivery(entry, isOpen, onError) {
	const [kind, label] = outcome(entry);
	const took = entry.duration_ms === null ? '' : ` · ${entry.duration_ms} ms`;
	const again = entry.attempt > 1 ? ` · try ${entry.attempt}` : '';
	return fold(
		{
			kind,
			label,
			title: entry.url.replace(/^https?:\/\//, ''),
			facts: `Message ${entry.message_id}${took}${again}`,
		},
		{ open: isOpen, 'data-id': entry.id },
		h('p.when', {}, fullTimeOf(entry.created_at)),
		entry.error && h('p.error', {}, entry.error),
		entry.answer !== null && [h('h3', {}, 'Answer'), exact(entry.answer || '(empty)')],
		h('h3', {}, 'Sent'),
		exact(readable(entry.body)),
		h('button.quiet', { type: 'button', onclick: () => deliverAgain(entry, onError) }, 'Deliver again'),
	);
}

/** Shows the deliveries about a conversation with the answers of their receivers; what was opened stays open. */
export function showDeliveries(deliveries, onError) {
	const body = byId('deliveries-body');
	const open = new Set([...body.querySelectorAll('details[open]')].map(({ dataset }) => Number(dataset.id)));
	if (deliveries.length === 0) {
		const none = h('p.empty', {}, 'None. Messages with from_automation are told to registered webhooks.');
		keepingFocus(
			() => body.replaceChildren(none),
			() => byId('deliveries-title'),
		);
		return;
	}
	if (!body.querySelector('ul')) body.replaceChildren(h('ul.folds'));
	patch(
		body.querySelector('ul'),
		deliveries.map((entry) => [
			`${entry.id} ${entry.finished_at}`,
			() => delivery(entry, open.has(entry.id), onError),
		]),
	);
}
