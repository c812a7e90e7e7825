import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { runNode, workbench } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId } from '../engine/tenant.mts';
import { WAY_ON } from '../engine/wayOn.mts';

const odd = OddTenant.inEachTest();
let bodies: unknown[] = [];
beforeEach(() => {
	bodies = [];
	odd.answer(({ body }) => {
		bodies.push(body);
		return { data: { id: 7 } };
	});
});

const run = async (parameters: object, items: IDataObject[] = [{}], onError?: OnError) =>
	await runNode({
		parameters: { ...parameters, advanced: { maximumTries: 1 } },
		items: items.map((json) => ({ json })),
		onError,
		credentials: odd.credentials,
	});

/** The paths of the requests, below those of all tenants. */
const paths = () => odd.asked.map((line) => line.replace(' /third-party/v1', ' '));

describe('an item that fails', () => {
	const create = { resource: 'tag', operation: 'create', title: '={{ $json.title }}' };
	const titles = ['One', 'Two', 'Three'].map((title) => ({ title }));

	/** Refuses the second of three tags. */
	function refuseTwo(status = 409) {
		odd.answer(async ({ body }, reply) => {
			const { title } = body as { title: string };
			return title === 'Two'
				? await reply.code(status).send({ message: 'The title is taken.' })
				: { id: 1, title };
		});
	}

	it('comes out with its error, linked, and the others as they are, with Continue', async () => {
		refuseTwo();
		const { items, error } = await run(create, titles, 'continueRegularOutput');
		expect(error).toBeUndefined();
		const description =
			'The service refused the change (HTTP 409).\nChange the value that is in conflict and try again.';
		expect(items).toEqual([
			{ json: { id: 1, title: 'One' }, pairedItem: { item: 0 } },
			{ json: { error: 'The title is taken.', details: { description } }, pairedItem: { item: 1 } },
			{ json: { id: 1, title: 'Three' }, pairedItem: { item: 2 } },
		]);
	});

	it('says so where it may be done', async () => {
		refuseTwo(500);
		const { items } = await run(create, titles, 'continueRegularOutput');
		expect(items.map(({ json }) => (json.details as IDataObject | undefined)?.outcome)).toEqual([
			undefined,
			'unknown',
			undefined,
		]);
	});

	it('leaves by the error output with its own fields and the error', async () => {
		refuseTwo();
		const { items, errorItems } = await run(create, titles, 'continueErrorOutput');
		expect(items.map(({ json }) => json.title)).toEqual(['One', 'Three']);
		expect(errorItems).toMatchObject([
			{ json: { title: 'Two', error: 'The title is taken.' }, pairedItem: { item: 1 } },
		]);
	});

	it('stops the run otherwise, and the error names it', async () => {
		refuseTwo();
		expect((await run(create, titles)).error).toMatchObject({
			message: 'The title is taken.',
			context: { itemIndex: 1 },
		});
	});

	it('because of a value sends nothing', async () => {
		const pin = { updateFields: { pin: '={{ $json.title }}' } };
		const { items } = await run(
			{ resource: 'user', operation: 'update', userId: byId(1), ...pin },
			titles,
			'continueRegularOutput',
		);
		const json = {
			error: 'PIN does not have exactly six digits',
			details: { description: 'Enter six digits, e.g. 012345.' },
		};
		expect(items).toEqual([0, 1, 2].map((item) => ({ json, pairedItem: { item } })));
		expect(odd.asked).toEqual([]);
	});
});

describe('an item that stops the run before a send', () => {
	const update = { resource: 'user', operation: 'update', userId: byId(1) };

	it.each<[string, object, message: string, description: string]>([
		[
			'once, behind the way out',
			{ ...update, updateFields: { pin: '12' } },
			'PIN does not have exactly six digits',
			`Enter six digits, e.g. 012345.${WAY_ON}`,
		],
		[
			'in the message, where it stands there',
			{ ...update, updateFields: { name: '' } },
			expect.stringMatching(/^Update Fields.* have no value; nothing was sent$/) as string,
			'Add the fields to send. A field with an empty text is left out. To go on without such items, set On Error to Continue.',
		],
	])('says that nothing was sent, and how to go on: %s', async (_where, parameters, message, description) => {
		const { error } = await run(parameters);
		expect({ message: error?.message, description: error?.description }).toEqual({ message, description });
		expect(odd.asked).toEqual([]);
	});

	it('says neither where the service refused it', async () => {
		odd.answer(async (_request, reply) => await reply.code(409).send({ message: 'Taken.' }));
		const { error } = await run({ resource: 'tag', operation: 'create', title: 'VIP' });
		expect(error?.description).not.toMatch(/nothing was sent|On Error/i);
		expect(paths()).toEqual(['POST /tags']);
	});
});

describe('a body', () => {
	it('is without what was added and left empty, and with what clears a field', async () => {
		const updateFields = {
			name: 'Jo',
			email: '',
			externalId: '={{ null }}',
			externalGroup: '={{ undefined ?? "" }}',
		};
		const update = { resource: 'user', operation: 'update', userId: byId(1), updateFields };
		await run(update);
		await run({ ...update, options: { emptyCells: 'clear' } });
		expect(bodies).toEqual([{ name: 'Jo' }, { name: 'Jo', external_group: null, external_id: null }]);
	});

	it('is as it was given below the first level', async () => {
		const fieldsJson = '{ "name": "A", "deep": { "empty": "", "none": null } }';
		await run({ resource: 'group', operation: 'create', options: { fieldsJson } });
		expect(bodies).toEqual([{ name: 'A', deep: { empty: '', none: null } }]);
	});
});

describe('an ID in a path', () => {
	const profile = { resource: 'profile', operation: 'get', profileId: byId('={{ $json.id }}') };

	it.each<[unknown, string]>([
		[102, '102'],
		[' 0102\n', '102'],
		['0', '0'],
	])('that is the number %j goes out as %s', async (id, path) => {
		const { error } = await run(profile, [{ id } as IDataObject]);
		expect(error).toBeUndefined();
		expect(paths()).toEqual([`GET /profiles/${path}`]);
	});

	it.each<[unknown, string]>([
		[undefined, 'Profile is empty'],
		['', 'Profile is empty'],
		[[7], 'Profile "[7]" is not a whole number'],
		['7a', 'Profile "7a" is not a whole number'],
		['7/8', 'Profile "7/8" is not a whole number'],
		['..', 'Profile ".." is not a whole number'],
		['9007199254740993', 'Profile has too many digits for a number'],
	])('that is %j is refused by the name of its field: %s', async (id, message) => {
		const { error } = await run(profile, [{ id } as IDataObject]);
		expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
		expect(odd.asked).toEqual([]);
	});

	it.each<[string, object, string]>([
		['userId', { resource: 'user', operation: 'get' }, 'User'],
		['mediaId', { resource: 'media', operation: 'get' }, 'Media Item'],
		['activityId', { resource: 'profile', operation: 'getActivity', profileId: byId(7) }, 'Activity'],
	])('is named as people call it: %s', async (name, parameters, label) => {
		const { error } = await run({ ...parameters, [name]: byId('={{ $json.none }}') });
		expect(error?.message).toBe(`${label} is empty`);
		expect(error?.description).toContain('check that the input item has that field');
	});

	it.each([
		['profile', 'get', 'profileId', 'id', 'Profile "7x8" is not a whole number'],
		['profile', 'get', 'profileId', 'phone', 'Profile "7x8" is not a phone number'],
		['media', 'getTags', 'mediaId', 'id', 'Media Item "7x8" is not a whole number'],
	])(
		'that is typed wrongly is refused by the node, not by n8n: %s',
		async (resource, operation, name, mode, message) => {
			const parameters = { resource, operation, [name]: { __rl: true, mode, value: '7x8' } };
			const { node, nodeType } = await workbench({ parameters });
			const { description } = nodeType;
			const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
			expect(issues?.parameters?.[name]).toBeUndefined();
			const { error } = await run(parameters);
			expect(error).toMatchObject({ message, context: { itemIndex: 0 } });
			expect(odd.asked).toEqual([]);
		},
	);

	it('has no pattern that n8n would have to match against its clock', async () => {
		const { nodeType } = await workbench({ parameters: profile, hasAllParameters: true });
		const modes = nodeType.description.properties.flatMap((property) => property.modes ?? []);
		expect(modes.length).toBeGreaterThan(30);
		expect(modes.filter(({ validation, extractValue }) => validation ?? extractValue)).toEqual([]);
	});

	const UUID = '6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90';
	const texts = (id: unknown): INodeParameters[] => [
		{ resource: 'file', operation: 'getTemporaryUrl', fileUuid: id as string },
		{ resource: 'notification', operation: 'markRead', notificationUuid: byId(id as string) },
		{ resource: 'message', operation: 'send', conversationId: id as string, text: 'Hello' },
	];

	it.each([UUID, 'c-42'])('that is the text %j goes out as it is', async (id) => {
		for (const parameters of texts('={{ $json.id }}')) await run(parameters, [{ id }]);
		expect(paths()).toEqual([
			`GET /files/${id}/temporary-url`,
			`POST /me/notifications/${id}/read`,
			`POST /conversations/${id}/messages`,
		]);
	});

	it.each([
		...['a b?c#d', '100%', '%zz', '%20', '.a', 'a.', 'a..b'],
		'.',
		'..',
		'a/b',
		'../me',
		'..\\me',
		'a\nb',
		'a\u0000b',
		'%2e%2E',
		'a%2Fb',
		'%5c',
		'%252e%252e%252fme',
		1.5,
	])('is never a step in the path: %j', async (id) => {
		for (const parameters of texts('={{ $json.id }}')) {
			const { error } = await run(parameters, [{ id }]);
			expect(error?.message).toMatch(/^(File UUID|Notification|Conversation) ".+" is not an ID$/s);
		}
		expect(odd.asked).toEqual([]);
	});

	it('is asked for where a text is empty', async () => {
		for (const parameters of texts(' '))
			expect((await run(parameters)).error?.message).toMatch(
				/^(File UUID|Notification|Conversation) is empty$/,
			);
	});
});

describe('an operation', () => {
	it.each([
		['that does not exist', { resource: 'customer', operation: 'archive' }, 'Operation'],
		['that an expression chooses', { resource: 'customer', operation: "={{ 'bulkDelete' }}" }, 'Operation'],
		['of a resource that does not exist', { resource: 'invoice', operation: 'getAll' }, 'Resource'],
		[
			'of a resource that an expression chooses',
			{ resource: "={{ 'tag' }}", operation: 'getAll' },
			'Resource',
		],
	])('%s is refused, and nothing is sent', async (_what, parameters, named) => {
		const { error } = await run(parameters);
		expect(error?.message).toBe(`${named} does not exist, or cannot be chosen by an expression`);
		expect(odd.asked).toEqual([]);
	});
});

describe('two items that write', () => {
	/** Most requests that were under way at once, although each takes a while. */
	async function mostAtOnce(parameters: object): Promise<number> {
		let open = 0;
		let most = 0;
		odd.answer(async () => {
			most = Math.max(most, ++open);
			for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
			open--;
			return { data: { id: 7 } };
		});
		const { error } = await run(parameters, [{ id: 4 }, { id: 5 }]);
		expect(error).toBeUndefined();
		expect(odd.asked).toHaveLength(2);
		return most;
	}
	const message = { resource: 'message', operation: 'send', text: 'Hello' };
	const template = {
		...{ resource: 'message', operation: 'sendTemplate', agentId: byId('11') },
		...{ templateName: byId('welcome'), templateLanguage: 'en_US' },
	};
	const tag = { resource: 'tag', operation: 'update', title: 'VIP' };

	it.each([
		['to one conversation', { ...message, conversationId: '4' }, 1],
		['to two conversations', { ...message, conversationId: '={{ $json.id }}' }, 2],
		['to one number', { ...template, recipient: 'phoneNumber', phoneNumber: '491711234567' }, 1],
		[
			'to two numbers',
			{ ...template, recipient: 'phoneNumber', phoneNumber: '=49171123456{{ $json.id }}' },
			2,
		],
		['to one customer', { ...template, recipient: 'customer', customerId: byId('4') }, 1],
		['to one record', { ...tag, tagId: byId('4') }, 1],
		['to two records', { ...tag, tagId: byId('={{ $json.id }}') }, 2],
		['new records', { resource: 'tag', operation: 'create', title: 'VIP' }, 2],
	])('%s have so many requests under way', async (_what, parameters, expected) => {
		expect(await mostAtOnce(parameters)).toBe(expected);
	});
});
