import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';

const tenant = OddTenant.inEachTest();

const VALUES = [
	...['a/b', '/', '..', '.', '%2e%2e', '%2E.', '.%2e', '%2f', '%2F..%2F', 'a\\b', '%5c', '%255c', '%252f'],
	...['%25252f..', 'a%00', 'a\u0000', 'a\nb', '\u2215', '\uff0f', '\u2044', '\uff0e\uff0e', '\u2024\u2024'],
	...['..;', 'a?b=1', 'a#b', '%3f', '%23', '%c0%af', '%uff0f', '%u002f', '&#47;', 'a b', 'a\tb', '..\t'],
	...['.\n.', '\t..', ' .. ', '%', '%zz', '1/../2', '1;a=b', '\ud800', 'a@b', ':', 'a%40', '..%00', '%09..'],
	...['\u00ad..', '.\u200b.', '\ufeff..', '../users/1', '..%2Fusers'],
];

const EXPRESSION = '={{ $json.value }}';
const locator = (mode: string) => ({ __rl: true, mode, value: EXPRESSION });

it.each<INodeParameters>([
	{ resource: 'file', operation: 'download', fileUuid: EXPRESSION },
	{ resource: 'file', operation: 'getTemporaryUrl', fileUuid: EXPRESSION },
	{ resource: 'notification', operation: 'markRead', notificationUuid: locator('id') },
	{ resource: 'notification', operation: 'markRead', notificationUuid: locator('list') },
	{ resource: 'message', operation: 'send', conversationId: EXPRESSION, text: 'x' },
	{ resource: 'user', operation: 'delete', userId: locator('list') },
	{ resource: 'user', operation: 'delete', userId: locator('url') },
	{ resource: 'profile', operation: 'getActivity', profileId: locator('list'), activityId: locator('list') },
	{ resource: 'settings', operation: 'get', category: EXPRESSION },
])('whatever its value is, a part of a path stays one segment: %j', async (parameters) => {
	tenant.answer(() => ({ data: { id: 1 } }));
	const odd = [['..', 'x'], { toString: '..' }, null, true];
	const { items } = await runNode({
		credentials: tenant.credentials,
		parameters: { ...parameters, advanced: { maximumTries: 1 } },
		items: [...VALUES, ...odd].map((value) => ({ json: { value } as never })),
		onError: 'continueRegularOutput',
	});
	expect(items).toHaveLength(VALUES.length + odd.length);
	for (const asked of tenant.asked) {
		const rest = asked.replace(/^\w+ \/third-party\/v1\//, '');
		let decoded = rest;
		for (let round = 0; round < 4 && !/%(?![\da-f]{2})/i.test(decoded); round++) {
			decoded = Buffer.from(
				decoded.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
				'latin1',
			).toString('latin1');
		}
		expect(decoded.split('/').length).toBeLessThanOrEqual(rest.split('/').length);
		expect(decoded).not.toMatch(/\\|(^|\/)\.\.?(\/|$)/);
		expect(rest).not.toContain('?');
	}
});
