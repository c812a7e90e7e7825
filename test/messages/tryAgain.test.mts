import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { arrive } from '../engine/arrival.mts';
import { ScriptedTenant } from '../engine/scriptedTenant.mts';
import { byId } from '../engine/tenant.mts';

const tenant = ScriptedTenant.inEachTest();

const SEND = 'POST /conversations/7/messages';
const TEMPLATE = 'POST /chatapp/send-template';

const text = (options: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'send', conversationId: '7', messageType: 'text', text: 'Hello' },
	options,
});
const template = (options: INodeParameters = {}): INodeParameters => ({
	...{ resource: 'message', operation: 'sendTemplate', phoneNumber: '+49 171 1234567', agentId: byId(11) },
	...{ templateName: byId('offer'), templateLanguage: 'en_US', options },
});

/** The service does not deliver the message, with this error. */
function fail(latest_error: unknown): void {
	const answer = () => ({ data: { id: 1, conversation_id: 7, status: 'failed', latest_error } });
	tenant.answer({ [SEND]: answer, [TEMPLATE]: answer });
}

/** What a row says of trying again; nothing where it lacks the columns. */
function adviceIn(json: IDataObject): unknown[] {
	return ['error_code', 'try_again'].flatMap((column) => (Object.hasOwn(json, column) ? [json[column]] : []));
}

const says = (original_message: string): IDataObject => ({
	...{ id: 131_049, message_id: 131_026, type: 'failed', user_friendly_message: 'Not delivered' },
	...{ original_message, created_at: '2026-01-01T00:00:00Z' },
});

const KNOWN: Array<[code: number, tryAgain: string]> = [
	...[131_021, 131_026, 131_050, 131_051].map((code): [number, string] => [code, 'never']),
	...[132_000, 132_001, 132_005, 132_007].map((code): [number, string] => [code, 'never']),
	...[132_012, 132_016, 132_068].map((code): [number, string] => [code, 'never']),
	[131_047, 'with a template'],
];

describe.each([
	['Send', text, SEND],
	['Send Template', template, TEMPLATE],
])('a message of %s that is not delivered', (_operation, parameters, endpoint) => {
	it.each(KNOWN)('with the code %d of the chat app says whether to try again: %s', async (code, tryAgain) => {
		fail(says(`(#${code}) The chat app refused it`));
		const { items } = await tenant.run(parameters());
		expect(items[0].json).toMatchObject({ result: 'undelivered', error_code: code, try_again: tryAgain });
		expect(Object.keys(items[0].json).slice(0, 7)).toEqual([
			...['result', 'reason', 'name', 'phone_number', 'error_code', 'try_again', 'id'],
		]);
		expect(tenant.requests).toEqual([endpoint]);
	});

	it('for the limit of a person says before when not to try again: a day', async () => {
		fail(says('131049: not delivered to keep the ecosystem healthy'));
		const day = 24 * 60 * 60 * 1000;
		const before = Date.now();
		const { items } = await tenant.run(parameters());
		const { error_code, try_again } = items[0].json;
		expect(error_code).toBe(131_049);
		const [, time = ''] = /^not before (\d{4}-.*Z)$/.exec(String(try_again)) ?? [];
		expect(Date.parse(time)).toBeGreaterThanOrEqual(before + day);
		expect(Date.parse(time)).toBeLessThanOrEqual(Date.now() + day);
	});

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'says so too where that fails its item with %s',
		async (onError) => {
			fail(says('(#131047) Re-engagement message'));
			const run = await tenant.run(parameters({ ifUndelivered: 'error' }), { onError });
			const [{ json }] = onError === 'continueErrorOutput' ? run.errorItems : run.items;
			expect(json).toMatchObject({ result: 'failed', error_code: 131_047, try_again: 'with a template' });
		},
	);
});

describe('the code of a failed message', () => {
	it.each<[unknown, number]>([
		['Error 131026', 131_026],
		[{ code: 131_026 }, 131_026],
		[{ error_code: '131026' }, 131_026],
		[{ type: '131026' }, 131_026],
		[{ user_friendly_message: 'Not reachable (131026).' }, 131_026],
		[{ message: '131026: Message undeliverable' }, 131_026],
		[{ original_message: '{"error":{"code":131026,"type":"OAuthException"}}' }, 131_026],
		[{ original_message: 'Request 999999 failed with 131026' }, 131_026],
	])('is found in %j', async (error, code) => {
		fail(error);
		const { items } = await tenant.run(text());
		expect(adviceIn(items[0].json)).toEqual([code, 'never']);
	});

	it.each<[unknown]>([
		[says('The chat app refused it')],
		[says('(#131000) Something went wrong')],
		[says('(#132999) A template code that nobody knows')],
		['+131026'],
		['4917131026'],
		['1310261'],
		['ORDER-131026'],
		['131026-7'],
		['131026.5'],
		['a131026b'],
		[{ code: { value: 131_026 } }],
		[[131_026]],
		[null],
	])('is not claimed for %j', async (error) => {
		fail(error);
		const { items } = await tenant.run(text());
		expect(items[0].json.result).toBe('undelivered');
		expect(adviceIn(items[0].json)).toEqual([]);
	});

	it('is not claimed for a message that is sent', async () => {
		tenant.answer({ [SEND]: () => ({ data: { id: 1, status: 'sent', code: 131_026, text: '131026' } }) });
		const { items } = await tenant.run(text());
		expect(items[0].json.result).toBe('sent');
		expect(adviceIn(items[0].json)).toEqual([]);
	});

	it('is also in what the trigger tells of a failed message, and only there', async () => {
		const told = async (message: IDataObject): Promise<IDataObject> => {
			const payload = { event: 'new-agent-message', message };
			const { items } = await arrive({ parameters: { output: 'simplified' }, payload });
			return (items as IDataObject[])[0];
		};
		const failed = await told({ id: 'try-again-1', status: 'failed', latest_error: says('(#131047) Late') });
		expect(adviceIn(failed)).toEqual([131_047, 'with a template']);
		expect(adviceIn(await told({ id: 'try-again-2', status: 'failed' }))).toEqual([]);
		expect(adviceIn(await told({ id: 'try-again-3', status: 'sent' }))).toEqual([]);
	});
});
