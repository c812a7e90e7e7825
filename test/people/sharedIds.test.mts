import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { oneOf } from '../engine/chance.mts';
import { type Answers, ScriptedTenant, sentMessages } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

/** Every kind of record has the same IDs, and nobody has one ID twice. */
const IDS = [1, 2, 3, 4, 5];
const PEOPLE = IDS.map((profile, index) => ({
	...{ profile, customer: IDS[(index + 1) % 5], conversation: IDS[(index + 2) % 5] },
	...{ name: `Person ${profile}`, digits: `49171000000${profile}` },
}));
type Person = (typeof PEOPLE)[number];

const profileOf = ({ profile: id, customer, digits, name }: Person) => ({
	...{ id, customer_id: customer, phone_number: digits, name },
});

/** A list in pages of two, whatever was asked for. */
const inPages =
	(all: IDataObject[]) =>
	({ request }: { request: string }) => {
		const query = new URLSearchParams(request.split('?')[1]);
		const page = Number(query.get('page') ?? 1);
		const wanted = all.filter(({ phone_number: digits, name }) => {
			const search = query.get('search');
			return search === null || search === '' || digits === search || name === search;
		});
		return {
			data: wanted.slice(2 * page - 2, 2 * page),
			meta: { current_page: page, last_page: Math.max(1, Math.ceil(wanted.length / 2)) },
		};
	};

const attachedTo = ({ profile }: Person) => IDS.filter((id) => id !== profile);
const agrees = ({ profile }: Person) => profile % 2 === 1;
const nothing = () => ({ data: [] });

/** What the tenant answers about one person. */
function answersAbout(person: Person): Answers {
	const { profile, customer, name, digits } = person;
	const of = `/profiles/${profile}`;
	const attached = inPages(attachedTo(person).map((id) => ({ id, title: `Tag ${id}` })));
	return {
		...{ [`GET ${of}`]: () => ({ data: profileOf(person) }), [`PATCH ${of}`]: nothing },
		...{ [`GET ${of}/tags`]: attached, [`POST ${of}/tags`]: nothing },
		...{ [`GET ${of}/groups`]: attached, [`POST ${of}/groups`]: nothing },
		...{ [`GET ${of}/activities`]: inPages([{ id: profile, type: 'note' }]) },
		[`GET ${of}/marketing-opt-in`]: () => ({ data: { is_opted_in: agrees(person) } }),
		[`POST ${of}/marketing-opt-in`]: nothing,
		[`GET /customers/${customer}`]: () => ({ data: { id: customer, name, display_id: digits } }),
		...{ [`GET /customers/${customer}/users`]: attached, [`POST /customers/${customer}/users`]: nothing },
		[`DELETE /customers/${customer}`]: nothing,
	};
}

beforeEach(() =>
	tenant.answer({
		'GET /profiles': inPages(PEOPLE.map(profileOf)),
		'GET /customers': inPages(
			PEOPLE.map(({ customer, name, digits }) => ({ id: customer, name, display_id: digits })),
		),
		'GET /tags': inPages(IDS.map((id) => ({ id, title: `Tag ${id}` }))),
		...Object.assign({}, ...PEOPLE.map(answersAbout)),
		[SEND]: sentMessages(),
	}),
);

/** A person by phone number, in each parameter that takes one. */
function by({ digits }: Person): INodeParameters {
	const value = { __rl: true, mode: 'phone', value: `+${digits}` } as const;
	return { profileId: value, customerId: value, recipient: 'phoneNumber', phoneNumber: `+${digits}` };
}

const SEND = 'POST /chatapp/send-template';
const TEMPLATE = { agentId: byId(1), templateName: byId('welcome'), templateLanguage: 'en_US' };

/** What is done to somebody by phone number, and what is written: P stands for the profile's ID, C for the customer's. */
const DONE: Array<[resource: string, operation: string, more: INodeParameters, write: string]> = [
	['profile', 'addTags', { tagIds: [9] }, 'POST /profiles/P/tags'],
	['profile', 'setTags', { tags: 'Tag 5' }, 'POST /profiles/P/tags'],
	['profile', 'addGroups', { groupIds: [9] }, 'POST /profiles/P/groups'],
	['profile', 'setConsent', { optIn: true }, 'POST /profiles/P/marketing-opt-in'],
	['profile', 'update', { updateFields: { name: 'New' } }, 'PATCH /profiles/P'],
	['profile', 'getActivities', {}, ''],
	['profile', 'export', {}, ''],
	['customer', 'addUsers', { userIds: [9] }, 'POST /customers/C/users'],
	['customer', 'delete', {}, 'DELETE /customers/C'],
	['message', 'sendTemplate', { ...TEMPLATE, options: { withoutConsent: 'skip' } }, SEND],
];

/** Requests about a record that is not this person's. */
const ofOthers = ({ profile, customer }: Person) =>
	tenant.requests.filter((request) => {
		const [, kind, id] = /\/(profiles|customers)\/(\d+)/.exec(request) ?? [];
		return kind !== undefined && Number(id) !== (kind === 'profiles' ? profile : customer);
	});

describe('where records of all kinds share IDs, and pages are short', () => {
	it.each(DONE)('%s: %s by phone number is about nobody else', async (resource, operation, more, write) => {
		const person = oneOf(PEOPLE);
		const { items, error } = await tenant.run({ resource, operation, ...more, ...by(person) });
		expect({ person, error: error?.message }).toEqual({ person, error: undefined });
		expect(items).not.toEqual([]);
		const isSkipped = operation === 'sendTemplate' && !agrees(person);
		const expected = write.replace('/P', `/${person.profile}`).replace('/C', `/${person.customer}`);
		expect({ person, writes: tenant.requests.filter((one) => !one.startsWith('GET ')) }).toEqual({
			...{ person, writes: expected === '' || isSkipped ? [] : [expected] },
		});
		expect({ person, others: ofOthers(person) }).toEqual({ person, others: [] });
		// What is attached already stays, also what is on another page.
		const kept = operation.startsWith('add') ? attachedTo(person) : [];
		const sent = tenant.arrived.flatMap(({ body }) => JSON.stringify(body ?? '').match(/\d+/g) ?? []);
		expect(sent.map(Number)).toEqual(expect.arrayContaining(kept));
	});
});
