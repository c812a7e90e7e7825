import { NodeHelpers } from 'n8n-workflow';

import { runNode, workbench } from '../../engine/engine.mts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { byId } from '../../engine/tenant.mts';

const odd = OddTenant.inEachTest();
beforeEach(() => odd.answer(() => ({ data: { id: 7, uuid: 'x' } })));

async function get(resource: string, operation: string, parameters: object, json: object = {}) {
	return await runNode({
		parameters: { resource, operation, ...parameters },
		items: [{ json: { ...json } }],
		credentials: odd.credentials,
	});
}

const profile = async (profileId: unknown, json?: object) =>
	await get('profile', 'get', { profileId: byId(profileId as string) }, json);

describe('an ID in a path', () => {
	it.each<[string, unknown, string]>([
		['a number', 500001, '/profiles/500001'],
		['text', '500001', '/profiles/500001'],
		['text with spaces around', ' 500001\n', '/profiles/500001'],
		['a single digit', '7', '/profiles/7'],
		['text with leading zeros', '0500001', '/profiles/500001'],
		['zero', '0', '/profiles/0'],
		['more digits than a number keeps', '9007199254740993', '/profiles/9007199254740993'],
	])('goes out as %s', async (_, id, path) => {
		const { error } = await profile('={{ $json.id }}', { id });
		expect(error).toBeUndefined();
		expect(odd.asked).toEqual([`GET /third-party/v1${path}`]);
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['empty text', ''],
		['spaces', '  '],
		['a list', [7]],
		['an object', { id: 7 }],
		['a boolean', true],
	])('is asked for where it is %s', async (_, id) => {
		const { error } = await profile('={{ $json.id }}', { id });
		expect(error?.message).toBe('Profile ID is empty');
		expect(error?.description).toContain('check that the item before has that field');
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(odd.asked).toEqual([]);
	});

	it.each(['7a', 'a7', '7 7', '7.5', '-7', '7/8', '..', 'seven'])('is a whole number, not %s', async (id) => {
		const { error } = await profile('={{ $json.id }}', { id });
		expect(error?.message).toBe('Profile ID is not a whole number');
		expect(error?.description).toBe('Enter the numeric ID of the record, e.g. 42.');
		expect(odd.asked).toEqual([]);
	});

	it('is not taken from a number that has lost digits', async () => {
		const { error } = await profile('={{ 9007199254740993 }}');
		expect(error?.message).toBe('Profile ID is not a whole number');
		expect(odd.asked).toEqual([]);
	});

	it.each([
		['profile', 'get', 'profileId', 'Profile ID'],
		['message', 'sendTemplate', 'agentId', 'Agent ID'],
	])('is named by the editor when it is typed wrongly: %s', async (resource, operation, name, label) => {
		const { node, nodeType } = await workbench({ parameters: { resource, operation, [name]: byId('7,8') } });
		const { description } = nodeType;
		const issues = NodeHelpers.getNodeParametersIssues(description.properties, node, description);
		expect(issues?.parameters?.[name]).toEqual([
			`${label} is not a whole number. Enter the numeric ID of the record, e.g. 42.`,
		]);
	});

	it.each([
		['user', 'get', 'userId', 'User ID'],
		['agent', 'get', 'agentId', 'Agent ID'],
		['media', 'get', 'mediaId', 'Media Item ID'],
		['tag', 'get', 'tagId', 'Tag ID'],
	])('is named in the error as people call it: %s', async (resource, operation, name, label) => {
		const { error } = await get(resource, operation, { [name]: byId('={{ $json.none }}') });
		expect(error?.message).toBe(`${label} is empty`);
	});

	it('is named apart from the other ID of the path', async () => {
		const { error } = await get('profile', 'getActivity', {
			profileId: byId(7),
			activityId: byId('={{ $json.none }}'),
		});
		expect(error?.message).toBe('Activity ID is empty');
	});
});

describe('a text in a path', () => {
	const UUID = '6f1c1c5e-5b0f-4a3e-9f0a-2d8f3a1b7c90';

	it.each([
		['notification', 'markRead', { notificationUuid: byId(UUID) }, `/me/notifications/${UUID}/read`],
		['file', 'getTemporaryUrl', { fileUuid: UUID }, `/files/${UUID}/temporary-url`],
		['file', 'getTemporaryUrl', { fileUuid: 'a b?c#d' }, '/files/a%20b%3Fc%23d/temporary-url'],
		['message', 'send', { conversationId: 'c-42', text: 'Hello' }, '/conversations/c-42/messages'],
	])('goes out encoded: %s %s', async (resource, operation, parameters, path) => {
		const { error } = await get(resource, operation, parameters);
		expect(error).toBeUndefined();
		expect(odd.asked[0].split(' ')[1]).toBe(`/third-party/v1${path}`);
	});

	const steps = ['.', '..', '...', 'a/b', '/', '../me', '..\\me', 'a\\b', 'a\nb', 'a\u0000b'];
	const encoded = ['%2e', '%2e%2E', '.%2e', '%2f', 'a%2Fb', '%5c', '%252e%252e%252fme', '%25252f', '..%5Cme'];

	it.each([...steps, ...encoded])('is never a step in the path: %j', async (id) => {
		const json = { id };
		const fromItem = '={{ $json.id }}';
		const runs = [
			await get('file', 'getTemporaryUrl', { fileUuid: fromItem }, json),
			await get('notification', 'markRead', { notificationUuid: byId(fromItem) }, json),
			await get('message', 'send', { conversationId: fromItem, text: 'Hello' }, json),
		];
		for (const { error } of runs)
			expect(error?.message).toMatch(/^(File UUID|Notification ID|Conversation ID) ".+" is not an ID$/s);
		expect(odd.asked).toEqual([]);
	});

	it.each(['100%', '%zz', '%20', 'a%b', '%252x'])('may hold a percent sign: %s', async (fileUuid) => {
		expect((await get('file', 'getTemporaryUrl', { fileUuid })).error).toBeUndefined();
		expect(odd.asked).toEqual([`GET /third-party/v1/files/${encodeURIComponent(fileUuid)}/temporary-url`]);
	});

	it.each<[string, object, string]>([
		['NaN', { fileUuid: '={{ NaN }}' }, 'File UUID'],
		['a fraction', { fileUuid: '={{ 1.5 }}' }, 'File UUID'],
		['half of an emoji', { fileUuid: 'New \ud83d' }, 'File UUID'],
		['a point in time', { notificationUuid: byId('={{ DateTime.now() }}') }, 'Notification ID'],
	])('is an ID, not %s', async (_what, parameters, label) => {
		const [resource, operation] =
			'fileUuid' in parameters ? ['file', 'getTemporaryUrl'] : ['notification', 'markRead'];
		const { error } = await get(resource, operation, parameters);
		expect(error?.message).toMatch(new RegExp(`^${label} ".+" is not an ID$`));
		expect(odd.asked).toEqual([]);
	});

	it.each(['.a', 'a.', 'a..b'])('may hold dots: %s', async (fileUuid) => {
		expect((await get('file', 'getTemporaryUrl', { fileUuid })).error).toBeUndefined();
		expect(odd.asked).toEqual([`GET /third-party/v1/files/${fileUuid}/temporary-url`]);
	});

	it('is asked for where it is empty', async () => {
		const { error } = await get('message', 'send', { conversationId: ' ', text: 'Hello' });
		expect(error?.message).toBe('Conversation ID is empty');
	});
});
