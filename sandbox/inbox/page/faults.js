import { addFault, readFaults, readOperations, removeFault, removeFaults } from './api.js';
import { counted, h, patch } from './dom.js';
import { actionButton, field, form, resultPlace } from './forms.js';

const KINDS = {
	latency: 'Slow answer',
	'rate-limit': 'Rate limit (429)',
	'server-error': 'Server error',
	response: 'A response of your own',
	'drop-before': 'Connection closed, request not processed',
	'drop-after': 'Connection closed, request processed',
	'drop-mid-answer': 'Connection closed within the answer',
	html: 'HTML in place of JSON',
};

const whole = { type: 'number', step: 1, min: 0 };

/** The fields of some kinds. What a program can say besides is in the reference. */
const OF_THE_KIND = [
	[
		['latency'],
		{ name: 'ms', label: 'Delay in milliseconds', ...whole, max: 2 ** 31 - 1, placeholder: '100' },
	],
	[
		['rate-limit'],
		{ name: 'retryAfter', label: 'Retry-After in seconds', type: 'number', min: 0, placeholder: '1' },
	],
	[['rate-limit'], { name: 'perSecond', label: 'Only beyond, per second', type: 'number', min: 1 }],
	[
		['server-error', 'response', 'html'],
		{ name: 'status', label: 'Status', ...whole, min: 200, max: 599, placeholder: 'default' },
	],
	[['response'], { name: 'body', label: 'Body, JSON or text', placeholder: '{"message":"No."}' }],
];

const result = resultPlace();
const operation = field({ name: 'operationId', label: 'Operation', options: [['', 'Every operation']] });
const ofTheKind = OF_THE_KIND.map(([kinds, parts]) => [kinds, field(parts)]);
const kind = field({ name: 'kind', label: 'Kind', options: Object.entries(KINDS), onchange: showKind });

kind.classList.add('wide');

/** Shows the fields that the chosen kind uses. */
function showKind() {
	const chosen = kind.querySelector('select').value;
	for (const [kinds, element] of ofTheKind) element.hidden = !kinds.includes(chosen);
}

const list = h('ul.things', { 'aria-label': 'Faults' });
const none = h('p.empty', {}, 'None: every request is answered as it should be.');
const all = actionButton('Remove all', result, async () => {
	await removeFaults();
	return 'All faults are removed.';
});

/** Whom a fault meets, and all else that is said about it. */
const about = ({ operationId = 'every operation', ...fault }) => {
	const others = Object.entries(fault).filter(([name]) => !['id', 'kind', 'met', 'times'].includes(name));
	return [operationId, ...others.map((pair) => pair.join(' '))].join(' · ');
};

const howOften = ({ times, met }) => {
	if (times === undefined) return `met ${counted(met, 'request')}`;
	return met < times ? `${times - met} of ${times} left` : 'used up';
};

function item(fault) {
	const name = KINDS[fault.kind];
	const remove = async () => {
		await removeFault(fault.id);
		return `Removed: ${name}.`;
	};
	return h(
		'li',
		{},
		h('div', {}, h('strong', {}, name), h('p.muted', {}, about(fault)), h('p.count')),
		actionButton('Remove', result, remove, { 'aria-label': `Remove: ${name}, ${about(fault)}` }),
	);
}

/** JSON as it is meant, or the text itself. */
function jsonOf(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

async function send(fault) {
	if (fault.body !== undefined) fault.body = jsonOf(fault.body);
	await addFault(fault);
	return `Added: ${KINDS[fault.kind]}.`;
}

async function loadOperations() {
	const select = operation.querySelector('select');
	if (select.options.length > 1) return;
	const { data } = await readOperations();
	select.append(...data.map((id) => h('option', { value: id }, id)));
}

showKind();

/** Disturbances of the interface. */
export const faults = {
	id: 'faults',
	title: 'Faults',
	followsRequests: true,
	contents: [
		form(
			{ name: 'Add a fault', submit: 'Add fault', send, result },
			kind,
			ofTheKind.map(([, element]) => element),
			operation,
			field({ name: 'times', label: 'Times', ...whole, min: 1, placeholder: 'always' }),
		),
		result.place,
		h('div.row', {}, h('h3', {}, 'Faults'), all),
		none,
		list,
	],
	async refresh() {
		await loadOperations();
		const { data } = await readFaults();
		none.hidden = data.length > 0;
		all.hidden = data.length === 0;
		patch(
			list,
			data.map((fault) => [fault.id, () => item(fault)]),
		);
		data.forEach((fault, index) => {
			list.children[index].querySelector('.count').textContent = howOften(fault);
		});
	},
};
