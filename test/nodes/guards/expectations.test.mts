import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { phoneDigits } from '../../../nodes/CustomerMessaging/values/phoneNumber.ts';
import { ValueProblem } from '../../../nodes/CustomerMessaging/values/conversion.ts';
import type { NodeRunOptions } from '../../engine/engine.mts';
import { byId } from '../../engine/tenant.mts';
import { expectOnlyOpenFailures } from '../../openFailures/openFailures.mts';
import { connected, nodeOf, passing } from './otherNodes.mts';
import { type Answers, inOrder, refusal, ScriptedTenant, sentMessages } from './scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const TEXT = 'POST /conversations/7/messages';
const TEMPLATE = 'POST /chatapp/send-template';
const DELETE = 'POST /customers/bulk-delete';
const TRIGGER = 'n8n-nodes-customer-messaging.customerMessagingTrigger';

const text = { resource: 'message', operation: 'send', conversationId: '7', text: 'Hello' };
const template = {
	resource: 'message',
	operation: 'sendTemplate',
	recipient: 'customer',
	customerId: byId(101),
	agentId: byId(11),
	templateName: byId('welcome'),
	templateLanguage: 'en_US',
};
const skipping = { ...template, options: { withoutConsent: 'skip' } };
const bulkDelete = { resource: 'customer', operation: 'bulkDelete', customerIds: '={{ $json.ids }}' };
const setTags = { resource: 'profile', operation: 'setTags', profileId: byId(5) };
const users = { resource: 'customer', customerId: byId(5), userIds: [3] };

const retrying: NodeRunOptions['settings'] = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };

/** What a run with these answers sends and gives. */
async function outcome(parameters: INodeParameters, answers: Answers, options: Partial<NodeRunOptions> = {}) {
	tenant.arrived.splice(0);
	tenant.answer(answers);
	const { items, error } = await tenant.run(parameters, options);
	const posted = tenant.arrived.filter(({ request }) => request.startsWith('POST'));
	return { items, error, posted, bodies: posted.map(({ body }) => body as IDataObject) };
}

const data = (value: unknown) => () => ({ data: value });

/** Whether a failure is told in words that are not those of JavaScript. */
const isTold = (message: string | undefined) =>
	message !== undefined && !/undefined|null|is not a function|not iterable/.test(message);

const isRefused = (value: unknown) => phoneDigits(value) instanceof ValueProblem;

/** Answers of a tenant that knows a customer and finds some profiles, all of whom have opted in. */
function consenting(customer: IDataObject, pages: IDataObject[][]): Answers {
	return {
		'GET /customers/101': data(customer),
		'GET /profiles': ({ request }) => {
			const page = Number(/[?&]page=(\d+)/.exec(request)?.[1] ?? 1);
			return { data: pages[page - 1], meta: { current_page: page, last_page: pages.length } };
		},
		...Object.fromEntries(
			pages
				.flat()
				.map(({ id }) => [`GET /profiles/${String(id)}/marketing-opt-in`, data({ is_opted_in: true })]),
		),
		[TEMPLATE]: sentMessages(),
	};
}

/** What a person would expect of what decides whom to message and what to delete, by a name that stays. */
const EXPECTATIONS: Record<string, () => boolean | Promise<boolean>> = {
	'phone number: (0) in front is no country code': () => isRefused('(0)171 1234567'),
	'phone number: a negative number is none': () => isRefused(-491711234567),
	'phone number: a fraction is none': () => isRefused(49171123456.7),
	'phone number: one that a spreadsheet wrote as a fraction does not become another': () =>
		['491711234567', undefined].includes(
			[phoneDigits('491711234567.0')].find((digits) => typeof digits === 'string'),
		),

	'consent: a customer without a number does not have that of another one without': async () => {
		const answers = consenting({ id: 101, display_id: null }, [
			[{ id: 8, customer_id: 102, phone_number: null }],
		]);
		return (await outcome(skipping, answers)).posted.length === 0;
	},
	'consent: a person on the second page of the search counts': async () => {
		const answers = consenting({ id: 101, display_id: '491711234567' }, [
			[{ id: 8, phone_number: '4917112345670' }],
			[{ id: 9, phone_number: '491711234567' }],
		]);
		return (await outcome(skipping, answers)).posted.length === 1;
	},
	'consent: a customer that holds nothing is told as such': async () => {
		const { error } = await outcome(skipping, { 'GET /customers/101': data(null) });
		return isTold(error?.message);
	},
	'consent: a consent that holds nothing is told as such': async () => {
		const answers = consenting({ id: 101, display_id: '491711234567' }, [
			[{ id: 8, phone_number: '491711234567' }],
		]);
		const { error, items } = await outcome(skipping, {
			...answers,
			'GET /profiles/8/marketing-opt-in': data(null),
		});
		return items[0]?.json.skipped === true || isTold(error?.message);
	},

	'retry: a text that says when it is sent is not sent twice': async () => {
		const parameters = { ...text, text: '={{ $json.name + " " + Math.random() }}' };
		const sent = sentMessages();
		const { bodies } = await outcome(
			parameters,
			{ [TEXT]: inOrder(sent, refusal(422), sent) },
			{ items: [{ json: { name: 'a' } }, { json: { name: 'b' } }], settings: retrying },
		);
		return bodies.filter((body) => (body.text as { content: string }).content.startsWith('a')).length === 1;
	},
	'retry: who withdraws consent after the message was sent comes out as sent': async () => {
		const sent = sentMessages();
		const { items } = await outcome(
			skipping,
			{
				...consenting({ id: 101, display_id: '491711234567' }, [[{ id: 8, phone_number: '491711234567' }]]),
				'GET /profiles/8/marketing-opt-in': inOrder(
					data({ is_opted_in: true }),
					data({ is_opted_in: true }),
					data({ is_opted_in: false }),
				),
				[TEMPLATE]: inOrder(sent, refusal(422), sent),
			},
			{ items: [{ json: {} }, { json: {} }], settings: retrying },
		);
		return items[0]?.json.skipped === undefined && items[0]?.json.id === 1;
	},

	'loop: a trigger whose name holds braces is told as one too': async () => {
		const answers = { [TEXT]: sentMessages() };
		for (const name of ['New {{message}}', 'Answer }} now']) {
			const { error } = await outcome({ ...text, options: { fromAutomation: true } }, answers, {
				surroundings: {
					nodes: [nodeOf(name, TRIGGER)],
					types: { [TRIGGER]: passing() },
					connections: connected(['Source', name], [name, 'Node']),
				},
			});
			if (!error?.message.includes('would start its own workflow again')) return false;
		}
		return true;
	},

	'bulk delete: an item with many IDs is named once when they fail': async () => {
		const { error } = await outcome(
			bulkDelete,
			{ [DELETE]: refusal(422, 'No such customer') },
			{ items: [{ json: { ids: [4, 5, 6] } }] },
		);
		return error?.description?.startsWith('Items 0: ') === true;
	},
	'bulk delete: what is not confirmed is an error also with Continue': async () => {
		const ids = Array.from({ length: 1001 }, (_, index) => index + 1);
		const { items } = await outcome(
			bulkDelete,
			{ [DELETE]: data([]) },
			{ items: [{ json: { ids } }], onError: 'continueRegularOutput' },
		);
		return items.every(({ json }) => typeof json.error === 'string') && items.length > 0;
	},
	'bulk delete: what is no ID is an error of its item also with Continue': async () => {
		const { items } = await outcome(
			bulkDelete,
			{ [DELETE]: data([]) },
			{ items: [{ json: { ids: 4 } }, { json: { ids: 'Jo' } }], onError: 'continueRegularOutput' },
		);
		return items.some(({ json, pairedItem }) => {
			const [link] = [pairedItem].flat();
			return typeof json.error === 'string' && typeof link === 'object' && link.item === 1;
		});
	},

	'IDs: one with too many digits for a number is not turned into another': async () => {
		const id = '9007199254740993';
		const removed = await outcome(bulkDelete, { [DELETE]: data([]) }, { items: [{ json: { ids: id } }] });
		const sent = await outcome({ ...template, customerId: byId(id) }, { [TEMPLATE]: sentMessages() });
		return [...removed.bodies, ...sent.bodies].length === 0;
	},

	'tags: an ID that is no number is refused, and nothing is detached': async () => {
		for (const tags of [
			'[{ id: "VIP" }]',
			'[{ id: 4.5 }]',
			'[{ id: true }]',
			'[{ id: "VIP", title: "VIP" }]',
		]) {
			const { posted } = await outcome(
				{ ...setTags, tags: `={{ ${tags} }}` },
				{ 'POST /profiles/5/tags': data([]), 'GET /tags': data([]) },
			);
			if (posted.length > 0) return false;
		}
		return true;
	},
	'tags: when those of the tenant cannot be read, none is created': async () => {
		const { posted } = await outcome(
			{ ...setTags, tags: 'VIP' },
			{ 'GET /tags': data(null), 'POST /profiles/5/tags': data([]) },
		);
		return posted.length === 0;
	},
	'tags: when those that are attached cannot be read, the error says so': async () => {
		const { posted, error } = await outcome(
			{ ...setTags, operation: 'addTags', tagIds: [1] },
			{ 'GET /profiles/5/tags': data(null), 'POST /profiles/5/tags': data([]) },
		);
		return posted.length === 0 && isTold(error?.message);
	},

	'users: when those that are attached cannot be read, none is detached': async () => {
		for (const operation of ['addUsers', 'removeUsers']) {
			const { posted } = await outcome(
				{ ...users, operation },
				{ 'GET /customers/5/users': data({ users: [{ id: 1 }] }), 'POST /customers/5/users': data([]) },
			);
			if (posted.length > 0) return false;
		}
		return true;
	},

	'contact: further parts of the name do not take the place of the name': async () => {
		const { bodies } = await outcome(
			{
				...text,
				messageType: 'contact',
				contactName: 'Jo Smith',
				contactFields: '{ "name": { "first_name": "Jo" } }',
			},
			{ [TEXT]: sentMessages() },
		);
		const { name } = bodies[0].contact as { name: IDataObject };
		return name.formatted_name === 'Jo Smith' && name.first_name === 'Jo';
	},
};

it('nobody is messaged and nothing is deleted by mistake, except for what is known to fail', async () => {
	const found = new Map<string, string>();
	for (const [name, holds] of Object.entries(EXPECTATIONS)) {
		if (!(await holds())) found.set(name, 'it does not hold');
	}
	expectOnlyOpenFailures('guards', found);
});
