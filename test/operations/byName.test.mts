import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/tenant.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';

const tenant = ScriptedTenant.inEachTest();

const LISTS: Record<string, IDataObject[]> = {
	agents: [
		{ id: 11, name: 'Shop', bot_id: null },
		{ id: 12, name: 'Support' },
	],
	groups: [
		{ id: 61, name: 'Regulars' },
		{ id: 62, title: 'Wholesale' },
		{ id: 63, name: 'Café' },
	],
	tags: [
		{ id: 41, title: 'VIP' },
		{ id: 42, title: 'vip' },
		{ id: 43, title: 'Newsletter' },
		{ id: 44, title: '2025' },
	],
	users: [
		{ id: 1, name: 'Ada Admin' },
		{ id: 2, name: 'Bo' },
		{ id: 3, name: 'Bo' },
	],
};

const byName = (value: unknown, mode = 'id') =>
	({ __rl: true, mode, value: `={{ ${JSON.stringify(value)} }}` }) as INodeParameters;

const ofOne = (record: string, value: unknown, operation = 'get') => ({
	...{ resource: record, operation },
	[`${record}Id`]: byName(value),
});

/** Has the tenant know its lists, and answer all else with the record or the set that is asked for. */
const knows = (more: Record<string, () => unknown> = {}) =>
	tenant.answer({
		...Object.fromEntries(Object.entries(LISTS).map(([list, data]) => [`GET /${list}`, () => ({ data })])),
		...more,
	});

it.each<[string, unknown, number]>([
	['agent', 'Shop', 11],
	['group', 'Regulars', 61],
	['group', 'wholesale', 62],
	['group', ' Cafe\u0301 ', 63],
	['tag', 'VIP', 41],
	['tag', 'vip', 42],
	['tag', 'NEWSLETTER', 43],
	['user', 'Ada  Admin', 1],
])('the only %s with the name %j is meant', async (record, name, id) => {
	knows({ [`GET /${record}s/${id}`]: () => ({ data: { id } }) });
	const { items, error } = await tenant.run(ofOne(record, name));
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ json: { id } }]);
	expect(tenant.requests).toEqual([`GET /${record}s`, `GET /${record}s/${id}`]);
});

it.each<[string, unknown, string]>([
	['user', 'Bo', 'User "Bo" is ambiguous: several records in your account have this name'],
	['tag', 'Vip', 'Tag "Vip" is ambiguous: several records in your account have this name'],
	['group', 'Nobody', 'Group "Nobody" is neither an ID nor a name in your account'],
	['agent', '../users', 'Agent "../users" is neither an ID nor a name in your account'],
])('a %s %j that is none or several is not written', async (record, name, message) => {
	knows();
	const { error } = await tenant.run(ofOne(record, name, record === 'agent' ? 'get' : 'delete'));
	expect(error?.message).toBe(message);
	expect(error?.description).toMatch(/^(Check the name|Give the ID)/);
	expect(tenant.requests).toEqual([`GET /${record}s`]);
});

it.each([2025, '2025', ' 44 '])('%j is an ID, also where a tag has this title', async (value) => {
	knows({ [`GET /tags/${Number(value)}`]: () => ({ data: { id: Number(value) } }) });
	await tenant.run(ofOne('tag', value));
	expect(tenant.requests).toEqual([`GET /tags/${Number(value)}`]);
});

it('a list is read once for all items of a run', async () => {
	knows(Object.fromEntries([61, 62].map((id) => [`GET /groups/${id}`, () => ({ data: { id } })])));
	const parameters = { resource: 'group', operation: 'get', groupId: byId('={{ $json.name }}') };
	const items = ['Regulars', 'wholesale'].map((name) => ({ json: { name } }));
	const { error } = await tenant.run(parameters, { items });
	expect(error).toBeUndefined();
	expect(tenant.requests.filter((one) => one === 'GET /groups')).toHaveLength(1);
});

it.each<[string, INodeParameters, string, object]>([
	[
		'groups',
		{ resource: 'profile', operation: 'setGroups', profileId: byId(5), groupIds: '={{ "Regulars, 62" }}' },
		'POST /profiles/5/groups',
		{ groups: [{ id: 61 }, { id: 62 }] },
	],
	[
		'users',
		{ resource: 'customer', operation: 'setUsers', customerId: byId(5), userIds: '={{ ["Ada Admin", 3] }}' },
		'POST /customers/5/users',
		{ user_ids: [1, 3] },
	],
])('a set of %s takes names and IDs', async (list, parameters, write, body) => {
	knows({ [write]: () => ({ data: [] }) });
	const { error } = await tenant.run(parameters);
	expect(error).toBeUndefined();
	expect(tenant.arrived).toEqual([
		{ request: `GET /${list}`, body: undefined },
		{ request: write, body },
	]);
	const name = list === 'groups' ? 'groupIds' : 'userIds';
	const { error: refused } = await tenant.run({ ...parameters, [name]: '={{ [1, "Nobody"] }}' });
	expect(refused?.message).toMatch(/Names or IDs "Nobody" is neither an ID nor a name in your account$/);
	expect(tenant.requests.filter((request) => request === write)).toHaveLength(1);
});

it('the filter Group of Profile: Get Many takes a name', async () => {
	knows({ 'GET /groups/61/profiles': () => ({ data: [{ id: 5 }] }) });
	const getAll = { resource: 'profile', operation: 'getAll', filters: { group: byName('Regulars') } };
	expect((await tenant.run(getAll)).items).toMatchObject([{ json: { id: 5 } }]);
	const { error } = await tenant.run({ ...getAll, filters: { group: byName('Nobody') } });
	expect(error?.message).toBe('Group "Nobody" is neither an ID nor a name in your account');
});

it('a template is sent by the agent of the chat app, and assigned, by names', async () => {
	knows({ 'POST /chatapp/send-template': () => ({ data: { id: 1, conversation_id: 2 } }) });
	const { error } = await tenant.run({
		...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567' },
		...{ agentId: byName('shop'), templateName: byId('welcome'), templateLanguage: 'en' },
		options: {
			assignGroupId: byName('Regulars'),
			assignTagId: byName('Newsletter'),
			assignUserId: byName('Ada Admin'),
		},
	});
	expect(error).toBeUndefined();
	expect(tenant.requests).toContain('GET /agents?channel=chatapp');
	expect(tenant.bodies('POST /chatapp/send-template')).toMatchObject([
		{ agent_id: 11, assign_group_id: 61, assign_tag_id: 43, assign_user_id: 1 },
	]);
});

it.each<[INodeParameters, string]>([
	[{ agentId: byName('Nobody') }, 'Sender (Agent) "Nobody" is neither an ID nor a name in your account'],
	[
		{ options: { assignGroupId: byName('Nobody') } },
		'Assign Group "Nobody" is neither an ID nor a name in your account',
	],
	[
		{ options: { assignTagId: byName('Vip') } },
		'Assign Tag "Vip" is ambiguous: several records in your account have this name',
	],
	[
		{ options: { assignUserId: byName('Bo') } },
		'Assign User "Bo" is ambiguous: several records in your account have this name',
	],
])('a template with a name that is none or several is not sent: %j', async (parameters, message) => {
	knows();
	const { error } = await tenant.run({
		...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567' },
		...{ agentId: byId(11), templateName: byId('welcome'), templateLanguage: 'en', ...parameters },
	});
	expect(error?.message).toBe(message);
	expect(tenant.requests.filter((request) => request.startsWith('POST'))).toEqual([]);
});
