import { editorOf, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();

const searches = [
	'searchActivities',
	'searchAgents',
	'searchChatAppAgents',
	'searchCustomers',
	'searchGroups',
	'searchMedia',
	'searchMessageTypes',
	'searchNotifications',
	'searchProfiles',
	'searchTags',
	'searchTemplates',
	'searchUsers',
];

const evil = (url: string): Array<[string, unknown]> => [
	['method', JSON.stringify({ method: 'DELETE', url: '/users/1' })],
	[
		'object',
		{
			method: 'DELETE',
			url: '/users/1',
			proxy: { host: '127.0.0.1', port: 1 },
			skipSslCertificateValidation: true,
		},
	],
	[
		'nested',
		JSON.stringify({
			options: { method: 'DELETE' },
			url: `${url}/third-party/v1/users?page=2`,
			method: 'DELETE',
		}),
	],
	['absolute', 'http://127.0.0.1:9/third-party/v1/users'],
	['absolute json', JSON.stringify({ url: 'http://127.0.0.1:9/third-party/v1/users' })],
	['userinfo', `${url.replace('http://', 'http://evil@')}/third-party/v1/users?page=2`],
	['userinfo2', `${url}@127.0.0.1:9/third-party/v1/users?page=2`],
	['scheme-relative', '//127.0.0.1:9/third-party/v1/users'],
	['backslash', '\\\\127.0.0.1:9\\third-party/v1/users'],
	['other path', `${url}/third-party/v1/settings/general`],
	['outside', `${url}/admin/secret`],
	['dots', `${url}/third-party/v1/users/../../../admin`],
	['enc dots', `${url}/third-party/v1/users/%2e%2e/%2e%2e/%2e%2e/admin`],
	['array', JSON.stringify([{ method: 'DELETE' }])],
	['array raw', [1, 2]],
	['number', 17],
	['proto', '{"__proto__":{"method":"DELETE"},"constructor":1}'],
	['base64', Buffer.from(JSON.stringify({ method: 'DELETE', url: '/users/1' })).toString('base64')],
	['javascript', 'javascript:alert(1)'],
	['file', 'file:///etc/passwd'],
	['long', 'x'.repeat(3_000_000)],
	['crlf', '?page=2\r\nX-Evil: 1'],
	['query', '?page=2&method=DELETE&_method=DELETE'],
];

describe.each(searches)('%s', (search) => {
	it('asks nothing but reads within the tenant, whatever the browser gives as token', async () => {
		const bad: string[] = [];
		const headersSeen: string[] = [];
		tenant.answer((request) => {
			if (request.method !== 'GET') bad.push(`${request.method} ${request.url}`);
			if (!request.url.startsWith('/third-party/v1/')) bad.push(request.url);
			if (request.headers['x-evil']) headersSeen.push('evil');
			return { data: [{ id: 1, name: 'a', title: 'a', uuid: 'u' }], links: { next: null } };
		});
		const { methods, context } = await editorOf({
			credentials: tenant.credentials,
			parameters: {
				resource: 'profile',
				operation: 'getActivity',
				profileId: { __rl: true, mode: 'id', value: '5' },
			},
		});
		for (const [, token] of evil(tenant.url)) {
			tenant.asked.splice(0);
			await methods.listSearch?.[search].call(context, undefined, token as string).catch(() => undefined);
		}
		expect(bad).toEqual([]);
		expect(headersSeen).toEqual([]);
	});
});

const PATH_IDS = [
	'a/b',
	'/',
	'..',
	'.',
	'%2e%2e',
	'%2E.',
	'.%2e',
	'%2f',
	'%2F..%2F',
	'a\\b',
	'%5c',
	'%255c',
	'%252f',
	'%25252f..',
	'a%00',
	'a\u0000',
	'a\nb',
	'\u2215',
	'\uff0f',
	'\u2044',
	'\uff0e\uff0e',
	'\u2024\u2024',
	'..;',
	'a?b=1',
	'a#b',
	'%3f',
	'%23',
	'%c0%af',
	'%uff0f',
	'%u002f',
	'&#47;',
	'a b',
	'a\tb',
	'..\t',
	'.\n.',
	'\t..',
	' .. ',
	'%',
	'%zz',
	'1/../2',
	'1;a=b',
	'\ud800',
	'a@b',
	':',
	'a%40',
	'..%00',
	'%09..',
	'\u00ad..',
	'.\u200b.',
	'\ufeff..',
];

const TARGETS: Array<[string, (value: string) => Record<string, unknown>]> = [
	['file: download', (value) => ({ resource: 'file', operation: 'download', fileUuid: value })],
	['file: getTemporaryUrl', (value) => ({ resource: 'file', operation: 'getTemporaryUrl', fileUuid: value })],
	[
		'notification: markRead id',
		(value) => ({
			resource: 'notification',
			operation: 'markRead',
			notificationUuid: { __rl: true, mode: 'id', value },
		}),
	],
	[
		'notification: markRead list',
		(value) => ({
			resource: 'notification',
			operation: 'markRead',
			notificationUuid: { __rl: true, mode: 'list', value },
		}),
	],
	[
		'message: send',
		(value) => ({
			resource: 'message',
			operation: 'send',
			conversationId: value,
			messageType: 'text',
			text: 'x',
		}),
	],
	[
		'user: delete list',
		(value) => ({ resource: 'user', operation: 'delete', userId: { __rl: true, mode: 'list', value } }),
	],
	[
		'user: delete odd mode',
		(value) => ({ resource: 'user', operation: 'delete', userId: { __rl: true, mode: 'url', value } }),
	],
	[
		'profile: getActivity',
		(value) => ({
			resource: 'profile',
			operation: 'getActivity',
			profileId: { __rl: true, mode: 'list', value: 1 },
			activityId: { __rl: true, mode: 'list', value },
		}),
	],
	['settings: get', (value) => ({ resource: 'settings', operation: 'get', category: value })],
];

describe.each(TARGETS)('A path segment of %s', (_name, parameters) => {
	it.each(PATH_IDS)('%j stays one segment', async (value) => {
		tenant.answer(() => ({ data: { id: 1 } }));
		await runNode({
			credentials: tenant.credentials,
			parameters: parameters(value) as never,
			items: [{ json: { v: value } }],
		});
		for (const asked of tenant.asked) {
			const rest = asked.replace(/^\w+ \/third-party\/v1\//, '').split('?')[0];
			let decoded = rest;
			for (let i = 0; i < 4; i++) {
				try {
					decoded = decodeURIComponent(decoded);
				} catch {
					break;
				}
			}
			expect(decoded.split('/').length).toBeLessThanOrEqual(rest.split('/').length);
			expect(decoded).not.toMatch(/\\|(^|\/)\.\.?(\/|$)/);
			expect(asked.split('?').length).toBe(1);
		}
	});
	it('by expression', async () => {
		tenant.answer(() => ({ data: { id: 1 } }));
		await runNode({
			credentials: tenant.credentials,
			parameters: parameters('={{ $json.v }}') as never,
			items: [
				{ json: { v: '../users/1' } },
				{ json: { v: ['..', 'x'] as never } },
				{ json: { v: { toString: '..' } as never } },
				{ json: { v: '..%2Fusers' } },
			],
			onError: 'continueRegularOutput',
		});
		expect(tenant.asked.filter((a) => a.includes('..') || a.includes('2F') || a.includes('users/1'))).toEqual(
			[],
		);
	});
});
