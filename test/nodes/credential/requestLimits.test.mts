import { requestLimitsOf } from '../../../nodes/CustomerMessaging/credential/requestLimits.ts';
import { OddTenant } from '../../engine/oddTenant.mts';
import { runNode } from '../../engine/engine.mts';

const DEFAULTS = { maximumInFlight: 40, maximumTries: 10, pageDelay: 0, tryForSeconds: 120 };

describe('the request limits of a credential', () => {
	it.each<unknown>([undefined, null, '', '  ', '{}', {}])('%j means the defaults', (given) => {
		expect(requestLimitsOf(given)).toEqual(DEFAULTS);
	});

	it.each<[unknown, Partial<typeof DEFAULTS>]>([
		['{ "maximumInFlight": 20 }', { maximumInFlight: 20 }],
		[
			{ pageDelay: 250, maximumTries: 1 },
			{ pageDelay: 250, maximumTries: 1 },
		],
		[{ tryForSeconds: '30' }, { tryForSeconds: 30 }],
		[
			{ maximumInFlight: 200, maximumTries: 50, pageDelay: 60_000, tryForSeconds: 3600 },
			{
				maximumInFlight: 200,
				maximumTries: 50,
				pageDelay: 60_000,
				tryForSeconds: 3600,
			},
		],
	])('%j changes what it names', (given, expected) => {
		expect(requestLimitsOf(given)).toEqual({ ...DEFAULTS, ...expected });
	});

	it.each<[unknown, string]>([
		[{ maximumInFlight: 2.5 }, 'cannot be used: maximumInFlight "2.5" is not a whole number'],
		[{ maximumInFlight: 0 }, 'cannot be used: maximumInFlight 0 is less than 1'],
		[{ maximumInFlight: 201 }, 'cannot be used: maximumInFlight 201 is more than 200'],
		[{ maximumTries: 'many' }, 'cannot be used: maximumTries "many" is not a number'],
		[{ tryForSeconds: -1 }, 'cannot be used: tryForSeconds -1 is less than 1'],
		[{ pageDelay: 60_001 }, 'cannot be used: pageDelay 60001 is more than 60000'],
		[{ maximumInflight: 5 }, 'have no "maximumInflight"'],
		['[1]', 'is not a JSON object'],
		['{ maximumTries: 1 }', 'is not valid JSON'],
	])('%j is refused with a sentence', (given, problem) => {
		expect(() => requestLimitsOf(given)).toThrow(`Request Limits ${problem}`);
	});
});

describe('a credential with a limit that cannot be used', () => {
	const odd = OddTenant.inEachTest();

	it('fails the item, and nothing is sent', async () => {
		let sent = 0;
		odd.answer(() => {
			sent++;
			return { data: {} };
		});
		const { error } = await runNode({
			credentials: odd.credentials,
			parameters: { resource: 'account', operation: 'get', requestLimits: { maximumInFlight: 2.5 } },
		});
		expect(error?.message).toBe('Request Limits cannot be used: maximumInFlight "2.5" is not a whole number');
		expect(error?.description).toContain('The limits are in the credential.');
		expect(sent).toBe(0);
	});
});
