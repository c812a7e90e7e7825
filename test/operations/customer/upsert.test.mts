import type { INodeParameters } from 'n8n-workflow';

import { TestTenant } from '../../engine/tenant.mts';

const tenant = TestTenant.inEachTest();

const upsert = {
	resource: 'customer',
	operation: 'upsert',
	displayId: '+49 171 1234567',
	name: 'Nathan Smith',
};

const run = async (additionalFields: INodeParameters, options: INodeParameters = {}) =>
	await tenant.run({ ...upsert, additionalFields, options });

const sentProfiles = () =>
	tenant
		.sent()
		.flatMap(({ body }) => (JSON.parse(body) as { customers: Array<{ profile: object }> }).customers)
		.map(({ profile }) => profile);

describe('customer: upsert', () => {
	it.each<[string, string, string]>([
		['titles', 'VIP, Fresh', 'VIP,Fresh'],
		['titles with nothing between them', 'VIP,, Fresh,', 'VIP,Fresh'],
		['a list', '={{ ["VIP", " Fresh "] }}', 'VIP,Fresh'],
		['a list as text', '["VIP", "Fresh"]', 'VIP,Fresh'],
		['records', '={{ [{ id: "crm-9", title: "VIP" }, { title: "Fresh" }] }}', 'VIP,Fresh'],
	])('sends the tags: %s', async (_what, tags, expected) => {
		const { error } = await run({ tags });
		expect(error).toBeUndefined();
		expect(sentProfiles()).toEqual([{ tags: expected }]);
		const { data } = await tenant.ask<{ data: Array<{ id: number }> }>('/profiles?search=491711234567');
		const attached = await tenant.ask<{ data: Array<{ title: string }> }>(`/profiles/${data[0].id}/tags`);
		expect(attached.data.map(({ title }) => title).sort()).toEqual(['Fresh', 'VIP']);
	});

	it.each(['={{ undefined }}', '={{ null }}', '', ' ; '])('leaves out tags that are %s', async (tags) => {
		const { error } = await run({ tags });
		expect(error).toBeUndefined();
		expect(sentProfiles()).toEqual([{}]);
	});

	it.each<[string, string, string]>([
		['an empty title', '={{ [{ title: "  " }] }}', 'contains "{"title":"  "}", which has no title'],
		['a title with a comma', '={{ ["A, B"] }}', 'contains "A, B", whose comma would make it several tags'],
	])('sends nothing when the tags are %s', async (_what, tags, problem) => {
		const { error } = await run({ tags });
		expect(error?.message).toBe(`Tags ${problem}`);
		expect(tenant.sent()).toEqual([]);
	});

	it.each([
		...["o'brien+news@mail.example", 'jo.van_der-berg@a-b.mail.example', 'josé@møller.example'],
		...['JO@MAIL.EXAMPLE', '1@2.example', 'a!#$%&*/=?^_`{|}~@mail.example', 'jo@xn--mller-kva.example'],
	])('sends %s', async (email) => {
		expect((await run({ email })).error).toBeUndefined();
		expect(sentProfiles()).toEqual([{ email }]);
	});

	it.each([' jo@mail.example ', '\ufeffjo\u200b@mail.example'])(
		'sends the email address %j without spaces around it and signs that nobody sees',
		async (email) => {
			expect((await run({ email })).error).toBeUndefined();
			expect(sentProfiles()).toEqual([{ email: 'jo@mail.example' }]);
		},
	);

	it.each([
		...['nope', 'a@mail.example, b@mail.example', 'a@b', '@mail.example', 'a@b..example', 'a@mail.example.'],
		...['.a@mail.example', 'a.@mail.example', 'a..b@mail.example', 'mailto:a@mail.example'],
		'a<b@mail.example',
		...['a@-b.example', 'a@b-.example', 'a@mail.example-', 'Jo <jo@mail.example>', '"a b"@mail.example'],
	])('sends nothing when the email is %s, which the service would leave out', async (email) => {
		const { error } = await run({ email });
		expect(error?.message).toBe(`Email "${email.replace('<', '‹')}" is not an email address`);
		expect(tenant.sent()).toEqual([]);
	});

	it.each(['={{ null }}', '', '  ', '={{ [] }}', '={{ $json.missing }}'])(
		'leaves an email from %j out, or clears it where Empty Cells says so',
		async (email) => {
			expect((await run({ email, tags: email, custom1: 'x' })).error).toBeUndefined();
			await run({ email, tags: email, custom1: 'x' }, { emptyCells: 'clear' });
			expect(sentProfiles()).toEqual([{ custom_1: 'x' }, { custom_1: 'x', email: null, tags: null }]);
		},
	);

	it.each<[string, INodeParameters, string]>([
		['VIP; Newsletter', {}, 'VIP,Newsletter'],
		['VIP | Newsletter', {}, 'VIP,Newsletter'],
		['VIP\nNewsletter\r\n', {}, 'VIP,Newsletter'],
		[' VIP ,Newsletter,', {}, 'VIP,Newsletter'],
		['VIP; gold/Newsletter', { separator: '/' }, 'VIP; gold,Newsletter'],
		['VIP', { separator: '' }, 'VIP'],
		['VIP;Gold', { separator: '={{ $json.missing }}' }, 'VIP,Gold'],
		['VIP; vip; Vip ;Big   Spender', {}, 'VIP,Big Spender'],
		['Cafe\u0301', {}, 'Caf\u00e9'],
		['={{ ["A|B", "C"] }}', {}, 'A|B,C'],
		['={{ ["A/B", "C"] }}', { separator: '/' }, 'A/B,C'],
	])('sends the tags %j with %j as %j', async (tags, options, sent) => {
		expect((await run({ tags }, options)).error).toBeUndefined();
		expect(sentProfiles()).toEqual([{ tags: sent }]);
	});

	it('clears tags with Empty Cells on Clear, and only those that are added and empty', async () => {
		await run({ tags: 'VIP' });
		for (const tags of [undefined, ' ; ', 'Fresh', ''])
			await run(tags === undefined ? {} : { tags }, { emptyCells: 'clear' });
		expect(sentProfiles()).toEqual([{ tags: 'VIP' }, {}, {}, { tags: 'Fresh' }, { tags: null }]);
	});

	it('says what it did', async () => {
		const created = await run({});
		const updated = await run({ email: 'new@mail.example' });
		const counts = (created_count: number, updated_count: number) => ({
			json: { display_id: '491711234567', created_count, updated_count, skipped_count: 0 },
			pairedItem: { item: 0 },
		});
		expect([...created.items, ...updated.items]).toEqual([counts(1, 0), counts(0, 1)]);
	});
});
