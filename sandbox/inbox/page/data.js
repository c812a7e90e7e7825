import {
	addCustomers,
	loadSnapshot,
	readSnapshots,
	removeSnapshot,
	resetTenant,
	saveSnapshot,
} from './api.js';
import { counted, fullTimeOf, h, patch, sizeOf } from './dom.js';
import { actionButton, field, form, isConfirmed, resultPlace } from './forms.js';

const [seeded, kept, started] = [resultPlace(), resultPlace(), resultPlace()];

const list = h('ul.things', { 'aria-label': 'Snapshots' });
const none = h('p.empty', {}, 'None yet.');
/** How many customers the sandbox takes at once. */
const count = { type: 'number', step: 1, min: 0, max: 100_000 };
const name = field({ name: 'name', label: 'Name', required: true });

function item({ name: title, created_at, size }) {
	const load = async () => {
		const question = `Load “${title}”? What the tenant holds now is lost unless you saved it.`;
		if (!(await isConfirmed(question, 'Load'))) return undefined;
		await loadSnapshot(title);
		return `Loaded: ${title}.`;
	};
	const remove = async () => {
		if (!(await isConfirmed(`Delete the snapshot “${title}”?`, 'Delete'))) return undefined;
		const { nextElementSibling: next, previousElementSibling: previous } = element;
		await removeSnapshot(title);
		((next ?? previous)?.querySelector('button') ?? name.querySelector('input')).focus();
		return `Deleted: ${title}.`;
	};
	const element = h(
		'li',
		{},
		h('div', {}, h('strong', {}, title), h('p.muted', {}, `${fullTimeOf(created_at)} · ${sizeOf(size)}`)),
		actionButton('Load', kept, load, { 'aria-label': `Load ${title}` }),
		actionButton('Delete', kept, remove, { 'aria-label': `Delete ${title}` }),
	);
	return element;
}

async function seed(counts) {
	const { profiles, duration_ms } = await addCustomers(counts);
	return `${counted(profiles, 'customer')} added in ${duration_ms} ms.`;
}

async function save({ name: title }, target) {
	const isThere = [...list.querySelectorAll('strong')].some(({ textContent }) => textContent === title);
	if (isThere && !(await isConfirmed(`Replace the snapshot “${title}”?`, 'Replace'))) return '';
	await saveSnapshot(title);
	target.reset();
	return `Saved: ${title}.`;
}

async function reset() {
	const question =
		'Reset? All customers, messages, files, webhooks, faults and recorded requests of this tenant are deleted.';
	if (!(await isConfirmed(question, 'Reset'))) return undefined;
	await resetTenant();
	return 'The tenant holds the demo data again.';
}

/** What the tenant holds: more of it, as it was, and as it began. */
export const data = {
	id: 'data',
	title: 'Data',
	contents: [
		h('h3', {}, 'Customers'),
		form(
			{ name: 'Add customers', submit: 'Add customers', send: seed, result: seeded },
			field({ name: 'profiles', label: 'How many', ...count, min: 1, required: true, value: '100' }),
			field({ name: 'conversations', label: 'With a conversation', ...count, placeholder: '0' }),
		),
		seeded.place,
		h('h3', {}, 'Snapshots'),
		form({ name: 'Save a snapshot', submit: 'Save', send: save, result: kept }, name),
		kept.place,
		none,
		list,
		h('h3', {}, 'Demo data'),
		actionButton('Back to the demo data…', started, reset),
		started.place,
	],
	async refresh() {
		const { data: snapshots } = await readSnapshots();
		none.hidden = snapshots.length > 0;
		patch(
			list,
			snapshots.map((snapshot) => [`${snapshot.name} ${snapshot.created_at}`, () => item(snapshot)]),
		);
	},
};
