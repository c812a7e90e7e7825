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
	truncate: 'Half of the JSON',
	html: 'HTML in place of JSON',
	redirect: 'Redirect',
};

const REPLACES = ['rate-limit', 'server-error', 'response', 'html', 'redirect'];

/** Numbers that the sandbox takes, so that the browser can say in its own words what is wrong. */
const whole = { type: 'number', step: 1, min: 0 };

const OF_THE_KIND = [
	{
		name: 'ms',
		label: 'Delay in milliseconds',
		...whole,
		max: 2 ** 31 - 1,
		placeholder: '100',
		kinds: ['latency'],
	},
	{
		name: 'retryAfter',
		label: 'Retry-After in seconds',
		type: 'number',
		min: 0,
		placeholder: '1',
		kinds: ['rate-limit'],
	},
	{ name: 'perSecond', label: 'Only beyond, per second', type: 'number', min: 1, kinds: ['rate-limit'] },
	{ name: 'isDate', label: 'Retry-After as a date', type: 'checkbox', kinds: ['rate-limit'] },
	{ name: 'quotaHeaders', label: 'X-RateLimit headers', type: 'checkbox', kinds: ['rate-limit'] },
	{
		name: 'status',
		label: 'Status',
		...whole,
		min: 200,
		max: 599,
		placeholder: 'default',
		kinds: REPLACES.slice(1),
	},
	{ name: 'headers', label: 'Headers as JSON', placeholder: '{"retry-after":"5"}', kinds: ['response'] },
	{ name: 'body', label: 'Body, JSON or text', placeholder: '{"message":"No."}', kinds: ['response'] },
	{ name: 'location', label: 'Location', placeholder: 'this sandbox', kinds: ['redirect'] },
	{ name: 'processed', label: 'Process the request nevertheless', type: 'checkbox', kinds: REPLACES },
];
const FOR_ALL = [
	{
		name: 'method',
		label: 'Method',
		options: [['', 'Any'], ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((name) => [name, name])],
	},
	{
		name: 'path',
		label: 'Path',
		placeholder: '/customers/*',
		pattern: '(/(?!third-party/)|[*]).*',
		title: 'It begins with / or *, below /third-party/v1.',
	},
	{ name: 'skip', label: 'Let pass first', ...whole, placeholder: '0' },
	{ name: 'probability', label: 'Probability, 0 to 1', type: 'number', min: 0, max: 1, placeholder: '1' },
	{ name: 'seed', label: 'Seed of the probability', ...whole, placeholder: '1' },
];

/** How the members of a fault are said in the list. */
const SAID = {
	ms: (ms) => `${ms} ms`,
	retryAfter: (after) =>
		`Retry-After ${after.date ? `a date in ${after.seconds}` : (after.seconds ?? after)} s`,
	perSecond: (rate) => `beyond ${rate} per second`,
	quotaHeaders: () => 'X-RateLimit headers',
	status: (status) => `status ${status}`,
	location: (address) => `to ${address}`,
	processed: () => 'processed',
	skip: (count) => `after ${count}`,
	probability: (part) => `probability ${part}`,
};

const result = resultPlace();
const operation = field({ name: 'operationId', label: 'Operation', options: [['', 'Every operation']] });
const ofTheKind = OF_THE_KIND.map(({ kinds, ...parts }) => [kinds, field(parts)]);
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
	heading.focus();
	return 'All faults are removed.';
});
const heading = h('h3', { tabindex: '-1' }, 'Faults');

const whom = ({ operationId, method, path }) =>
	[operationId, method, path].filter(Boolean).join(' ') || 'every operation';

const howOften = ({ times, met }) => {
	if (times === undefined) return `met ${counted(met, 'request')}`;
	return met < times ? `${times - met} of ${times} left` : 'used up';
};

const detailsOf = (fault) =>
	Object.entries(SAID)
		.filter(([name]) => fault[name] !== undefined)
		.map(([name, said]) => said(fault[name]));

function item(fault) {
	const name = KINDS[fault.kind] ?? fault.kind;
	const remove = async () => {
		const { nextElementSibling: next, previousElementSibling: previous } = element;
		await removeFault(fault.id);
		((next ?? previous)?.querySelector('button') ?? heading).focus();
		return `Removed: ${name}.`;
	};
	const element = h(
		'li',
		{},
		h(
			'div',
			{},
			h('strong', {}, name),
			h('p.muted', {}, [whom(fault), ...detailsOf(fault)].join(' · ')),
			h('p.count'),
		),
		actionButton('Remove', result, remove, { 'aria-label': `Remove: ${name}, ${whom(fault)}` }),
	);
	return element;
}

async function loadOperations() {
	const select = operation.querySelector('select');
	if (select.options.length > 1) return;
	const { data } = await readOperations();
	for (const [resource, ids] of Object.entries(data)) {
		select.append(
			h(
				'optgroup',
				{ label: resource },
				ids.map((id) => h('option', { value: id }, id)),
			),
		);
	}
}

/** JSON as it is meant, or the text itself. */
function jsonOf(text) {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

async function send({ isDate, ...fault }) {
	for (const name of ['headers', 'body']) if (fault[name] !== undefined) fault[name] = jsonOf(fault[name]);
	if (isDate) fault.retryAfter = { date: true, seconds: fault.retryAfter ?? 1 };
	await addFault(fault);
	return `Added: ${KINDS[fault.kind]}.`;
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
			h('details.wide', {}, h('summary', {}, 'More conditions'), h('div.form', {}, FOR_ALL.map(field))),
		),
		result.place,
		h('div.row', {}, heading, all),
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
