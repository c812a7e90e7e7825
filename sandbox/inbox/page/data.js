import { addCustomers, resetTenant } from './api.js';
import { counted, h } from './dom.js';
import { actionButton, field, form, resultPlace } from './forms.js';

const [seeded, started] = [resultPlace(), resultPlace()];

/** How many customers the sandbox takes at once. */
const count = { type: 'number', step: 1, min: 0, max: 100_000 };

async function seed(counts) {
	const { profiles, duration_ms } = await addCustomers(counts);
	return `${counted(profiles, 'customer')} added in ${duration_ms} ms.`;
}

async function reset() {
	const question =
		'Reset? All customers, messages, files, webhooks, faults and recorded requests are deleted.';
	if (!window.confirm(question)) return undefined;
	await resetTenant();
	return 'The tenant holds the demo data again.';
}

/** What the tenant holds: more of it, and as it began. */
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
		h('h3', {}, 'Demo data'),
		actionButton('Back to the demo data…', started, reset),
		started.place,
	],
	async refresh() {},
};
