import { type INodeParameters, type INodePropertyCollection, NodeHelpers } from 'n8n-workflow';

import { advanced as parameter, advancedOf } from '../../nodes/CustomerMessaging/api/credential.ts';
import { agentTool } from '../engine/agentTool.mts';
import { loadedPackage, runNode } from '../engine/engine.mts';
import { OddTenant } from '../engine/oddTenant.mts';
import { byId, TestTenant } from '../engine/tenant.mts';

const DEFAULTS = {
	countryCode: '',
	maximumInFlight: 40,
	maximumTries: 10,
	pageDelay: 0,
	tryForSeconds: 120,
	connection: { timeout: 300_000 },
};

const of = (settings: object) => advancedOf({ settings });

const { values: fields } = parameter.options?.[0] as INodePropertyCollection;

/** What is told of the only field that is given. */
const told = (given: object, problem: string) =>
	`In the credential, Advanced (${fields.find(({ name }) => name in given)?.displayName}) ${problem}`;

describe('Advanced in a credential', () => {
	it.each<unknown>([
		undefined,
		null,
		'',
		'{}',
		{},
		{ settings: {} },
		{ settings: { timeout: '', proxy: ' ' } },
	])('%j means the defaults', (given) => {
		expect(advancedOf(given)).toEqual(DEFAULTS);
	});

	it.each([
		{ maximumInFlight: 20 },
		{ pageDelay: 250, maximumTries: 1 },
		{ maximumInFlight: 200, maximumTries: 50, pageDelay: 60_000, tryForSeconds: 3600 },
	])('the limits %j change what they name', (given) => {
		expect(of(given)).toEqual({ ...DEFAULTS, ...given });
	});

	it('takes numbers and yes or no from an expression too, which gives text', () => {
		expect(of({ tryForSeconds: '30', allowUnauthorizedCerts: 'true' })).toEqual({
			...DEFAULTS,
			tryForSeconds: 30,
			connection: { timeout: 300_000, skipSslCertificateValidation: true },
		});
	});

	it.each([
		[{ timeout: 700 }, { timeout: 700 }],
		[{ timeout: 86_400_000 }, { timeout: 86_400_000 }],
		[{ allowUnauthorizedCerts: false, proxy: '' }, {}],
		[{ allowUnauthorizedCerts: true }, { skipSslCertificateValidation: true }],
		[
			{ proxy: ' http://jo:a%40b@proxy.example:3128/ ' },
			{
				proxy: {
					...{ host: 'proxy.example', port: 3128, protocol: 'http' },
					auth: { username: 'jo', password: 'a@b' },
				},
			},
		],
		[{ proxy: 'https://proxy.example' }, { proxy: { host: 'proxy.example', port: 443, protocol: 'https' } }],
		[{ proxy: 'HTTP://[::1]' }, { proxy: { host: '[::1]', port: 80, protocol: 'http' } }],
	])('the requests are connected by %j', (given, connection) => {
		expect(of(given).connection).toEqual({ timeout: 300_000, ...connection });
	});

	it.each([
		[{ maximumInFlight: 2.5 }, '"2.5" is not a whole number'],
		[{ maximumInFlight: 0 }, '0 is less than 1'],
		[{ maximumInFlight: 201 }, '201 is more than 200'],
		[{ maximumTries: 'many' }, '"many" is not a number'],
		[{ tryForSeconds: -1 }, '-1 is less than 1'],
		[{ pageDelay: 60_001 }, '60001 is more than 60000'],
		[{ timeout: 0 }, '0 is less than 1'],
		[{ timeout: 86_400_001 }, '86400001 is more than 86400000'],
		[{ allowUnauthorizedCerts: 'maybe' }, '"maybe" is neither true nor false'],
	])('%j is refused with a sentence', (given, problem) => {
		expect(() => of(given)).toThrow(
			expect.objectContaining({
				message: told(given, problem),
				description: expect.stringMatching(/\.$/),
			}),
		);
	});

	it.each([
		'nowhere',
		'proxy-password:3128',
		'http://',
		'http://jo:proxy-password@',
		'http://jo:proxy-password%zz@127.0.0.1:3128',
		'http://jo:proxy-password@127.0.0.1:port',
		'socks5://jo:proxy-password@127.0.0.1:1080',
		{ host: 'proxy-password' },
	])('the proxy %j is refused with a sentence that does not repeat it', (proxy) => {
		expect(() => of({ proxy })).toThrow(
			expect.objectContaining({
				message: 'In the credential, Advanced (Proxy) is not the address of an HTTP proxy',
				description: 'Enter it with its scheme and port, e.g. http://127.0.0.1:3128.',
			}),
		);
	});

	it('is read in the form that n8n’s own form for credentials gives it, with its own defaults', async () => {
		const { properties } = (await loadedPackage()).getCredential('customerMessagingApi').type;
		const asStored = (advanced: object) =>
			NodeHelpers.getNodeParameters(properties, { advanced } as never, true, false, null, null)?.advanced;
		expect(asStored({})).toEqual({});
		expect(asStored({ settings: {} })).toEqual({
			settings: {
				...{ maximumInFlight: 40, maximumTries: 10, pageDelay: 0, tryForSeconds: 120 },
				...{ timeout: 300_000, proxy: '', countryCode: '', allowUnauthorizedCerts: false },
			},
		});
		expect(advancedOf(asStored({ settings: { pageDelay: 5 } }))).toEqual({ ...DEFAULTS, pageDelay: 5 });
	});
});

describe('a credential with a field that cannot be used', () => {
	const odd = OddTenant.inEachTest();

	it.each([
		[{ maximumInFlight: 2.5 }, '"2.5" is not a whole number'],
		[{ countryCode: 'DE' }, '"DE" is not a country code'],
		[{ proxy: 'nowhere' }, 'is not the address of an HTTP proxy'],
	])('such as %j fails the item, and nothing is sent', async (advanced, problem) => {
		const { error } = await runNode({
			credentials: odd.credentials,
			parameters: { resource: 'account', operation: 'get', advanced },
		});
		expect(error?.message).toBe(told(advanced, problem));
		expect(odd.asked).toEqual([]);
	});
});

describe('a phone number without a country code', () => {
	const tenant = TestTenant.inEachTest();
	const german = { settings: { countryCode: '49' } };
	const number = '0171 5550008';

	it.each<[string, INodeParameters]>([
		['Create', { resource: 'customer', operation: 'create', displayId: number, name: 'Jo' }],
		[
			'Bulk Import',
			{
				...{ resource: 'customer', operation: 'bulkImport' },
				columns: { mappingMode: 'defineBelow', value: { displayId: number, name: 'Jo' } },
			},
		],
		[
			'Send Template',
			{
				...{ resource: 'message', operation: 'sendTemplate', recipient: 'phoneNumber', phoneNumber: number },
				...{ agentId: byId(1), templateName: byId('welcome'), templateLanguage: 'en' },
				...{ variablesMode: 'json', componentsJson: '[]' },
			},
		],
		[
			'Send and Wait for Response',
			{
				...{ resource: 'message', operation: 'sendAndWait', message: 'May we?', sendAs: 'template' },
				...{ recipient: 'phoneNumber', phoneNumber: number, agentId: byId(1), linkVariable: 1 },
				// Of a template that is not listed, nobody knows where its button leads.
				...{ templateName: byId('unlisted'), templateLanguage: 'en' },
			},
		],
		[
			'a search by phone number',
			{
				...{ resource: 'profile', operation: 'get' },
				profileId: { __rl: true, mode: 'phone', value: number },
			},
		],
	])('gets that of the credential in %s', async (_, parameters) => {
		await runNode({
			credentials: { ...tenant.credentials, advanced: german },
			parameters,
		});
		const sent = tenant.sent().map(({ query, body }) => `${JSON.stringify(query)} ${body}`);
		expect(sent).toContainEqual(expect.stringContaining('491715550008'));
	});

	it('gets that of the credential where an AI agent gives it', async () => {
		const call = await agentTool({
			credentials: { ...tenant.credentials, advanced: german },
			parameters: {
				...{ resource: 'customer', operation: 'create', name: 'Jo' },
				displayId: "={{ $fromAI('number', 'The number', 'string') }}",
			},
		});
		await call({ number }).catch(() => undefined);
		expect(tenant.sent().map(({ body }) => body)).toContainEqual(expect.stringContaining('491715550008'));
	});
});
