import { avatar, byId, fullTimeOf, h } from './dom.js';

const FIELDS = [
	['phone_number', 'Phone', (value) => `+${value}`],
	['email', 'E-mail'],
	['date_of_birth', 'Born'],
	['address', 'Address'],
	['custom_1', 'Custom 1'],
	['custom_2', 'Custom 2'],
	['custom_3', 'Custom 3'],
	['custom_4', 'Custom 4'],
	['custom_5', 'Custom 5'],
];

const pills = (title, texts, kind) => [
	h('h3', {}, title),
	texts.length > 0
		? h(
				`ul.pills.${kind}`,
				{},
				texts.map((text) => h('li', { dir: 'auto' }, text)),
			)
		: h('p.empty', {}, 'None'),
];

function consentOf({ is_opted_in, latest_opt_in_at, latest_opt_out_at }) {
	const since = is_opted_in ? latest_opt_in_at : latest_opt_out_at;
	return h(
		`p.consent.${is_opted_in ? 'yes' : 'no'}`,
		{},
		h('span.sign', { 'aria-hidden': 'true' }, is_opted_in ? '✓' : '–'),
		h(
			'span',
			{},
			is_opted_in ? 'Opted in to marketing' : 'Not opted in to marketing',
			since && h('small', {}, `since ${fullTimeOf(since)}`),
		),
	);
}

/** Shows who the customer is: profile, consent, tags, groups, and who takes care. */
export function showProfile({
	customer,
	profile,
	consent,
	tags,
	groups,
	users,
	agent,
	assigned_to,
	conversation,
}) {
	const rows = FIELDS.filter(([field]) => profile[field] !== null).map(([field, label, show = String]) => [
		label,
		show(profile[field]),
	]);
	const care = [
		['Agent', agent],
		['Assigned to', assigned_to],
		['Attached', users.join(', ')],
		['Bot', conversation.bot_id],
		['Folder', conversation.folder_id],
	].filter(([, value]) => value !== null && value !== '');
	const table = (pairs) =>
		h(
			'dl',
			{},
			pairs.map(([label, value]) =>
				h('div', {}, h('dt', {}, label), h('dd', {}, h('bdi', {}, String(value)))),
			),
		);
	byId('profile-body').replaceChildren(
		h(
			'div.card',
			{},
			avatar(profile.name, '.large'),
			h(
				'div',
				{},
				h('strong', { dir: 'auto' }, profile.name),
				h('p.muted', {}, `Customer ${customer.id} · Profile ${profile.id}`),
			),
		),
		consentOf(consent),
		table(rows),
		...pills('Tags', tags, 'tags'),
		...pills('Groups', groups, 'groups'),
		h('h3', {}, 'Conversation'),
		table([['Number', conversation.id], ...care]),
	);
}
