import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { pollingProperties } from '../../nodes/CustomerMessaging/polling/settings.ts';
import { choicesOf, sharedDescriptions, withoutEffect } from '../description/triggerParameters.mts';
import { byId } from '../engine/tenant.mts';
import { PolledTenant } from './polledTenant.mts';

const tenant = PolledTenant.inEachTest();

const FILE = 'test/polling/description.test.mts';

/** What starts the workflow in the history below with each choice of Event: names of profiles, titles of notifications. */
const STARTED_BY: Record<string, string[]> = {
	consentChanged: ['Kim'],
	joinedGroup: ['Mira', 'Kim'],
	newCustomer: ['New'],
	newNotification: ['Notice'],
	profileChanged: ['Kim', 'Jonas', 'Mira'],
	tagAdded: ['Jonas', 'Kim'],
	templateChanged: ['a_template'],
};

/** A value for each parameter without choices with which the history below starts something else. */
const GIVEN: Record<string, unknown> = {
	...{ fields: 'email', channel: 'sms', groupIds: [3], tagIds: [7] },
	...{ groupId: byId(4), tagId: byId(8) },
};

const DAY = 86_400;

/** What a trigger asks and what starts its workflow while something of everything happens at a tenant. */
async function outcomeOf(parameters: INodeParameters): Promise<{ items: IDataObject[]; asked: string[] }> {
	tenant.clear();
	tenant.notices.push({ uuid: 'old', title: 'Old', created_at: '2031-05-01T00:00:00Z' });
	tenant.templates.push({ id: 1, name: 'a_template', status: 'PENDING' });
	const [mira, jonas, kim] = ['Mira', 'Jonas', 'Kim'].map((name, index) => {
		const sets = { tags: [{ id: index === 0 ? 7 : 8 }], groups: [{ id: index === 1 ? 3 : 4 }] };
		return tenant.create(1, { name, email: null, ...sets })[0];
	});
	tenant.pass();
	const event =
		'groupId' in parameters ? 'joinedGroup' : 'tagId' in parameters ? 'tagAdded' : 'profileChanged';
	const node = tenant.node(event, { groupId: byId(3), tagId: byId(7), ...parameters });
	await node.poll();
	tenant.requests();
	tenant.pass();
	for (const [profile, tag, group] of [
		[mira, 8, 3],
		[jonas, 7, 4],
		[kim, 7, 3],
	] as const)
		Object.assign(profile, { tags: [{ id: tag }], groups: [{ id: group }] });
	tenant.templates[0].status = 'APPROVED';
	tenant.consent(kim, true);
	tenant.pass(3 * DAY);
	tenant.change(mira, { email: 'a@mail.example' });
	tenant.change(jonas, { custom_1: 'x' });
	tenant.create(1, { name: 'New', tags: [], groups: [] });
	tenant.notices.push({ uuid: 'a-notice', title: 'Notice', created_at: '2031-05-08T00:00:00Z' });
	const items = await node.poll();
	return { items: items.map((item) => ({ ...item, id: undefined })), asked: tenant.requests().sort() };
}

const all = choicesOf(pollingProperties, GIVEN, FILE);

describe('Event', () => {
	const [event] = all.filter(({ name }) => name === 'event');

	it.each(event.values.map(({ value, parameters }) => [String(value), parameters]))(
		'%s starts the workflow for its own changes',
		async (value, parameters) => {
			const { items } = await outcomeOf(parameters);
			const ask = `Add to STARTED_BY in ${FILE} for which changes "Event" ${value} starts the workflow`;
			expect(items.map(({ name, title }) => name ?? title)).toEqual(STARTED_BY[value] ?? ask);
			for (const item of items) expect(item.event).toMatchObject({ name: value });
		},
	);

	it('has no two choices for the same changes', () => {
		const started = event.values.map(({ value }) => JSON.stringify(STARTED_BY[String(value)]));
		expect(new Set(started).size).toBe(event.values.length);
	});
});

it.each(all.filter(({ name }) => name !== 'event').map((one) => [one.label, one] as const))(
	'each value of "%s" does something of its own',
	async (_, choices) => expect(await withoutEffect(choices, outcomeOf, FILE)).toEqual([]),
);

it('no two parameters of a collection, and no two choices of a list, share a description', () => {
	expect(sharedDescriptions(pollingProperties)).toEqual([]);
});

it.each(all.filter(({ label }) => label.startsWith('Filters: ')).map(({ label, name }) => [label, name]))(
	'"%s" that gives nothing fails with its own name',
	async (label, name) => {
		for (const value of ['={{ undefined }}', '={{ null }}', '={{ {} }}']) {
			const node = tenant.node('profileChanged', { filters: { [name]: value } });
			for (let polls = 0; polls < 2; polls++)
				await expect(node.poll()).rejects.toThrow(new RegExp(`^${label.slice('Filters: '.length)} `));
		}
		expect(tenant.requests()).toEqual([]);
	},
);
