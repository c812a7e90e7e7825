import { phoneDigits } from '../../../nodes/CustomerMessaging/values/phoneNumber.ts';
import { ValueProblem } from '../../../nodes/CustomerMessaging/values/conversion.ts';

describe('phoneDigits', () => {
	test.each([
		['+49 171 1234567', '491711234567'],
		['0049 171 1234567', '491711234567'],
		['49-171-123-4567', '491711234567'],
		['+1 (415) 555-0100', '14155550100'],
		['+49 (0) 171 / 1234567', '491711234567'],
		['+49.171.1234567', '491711234567'],
		['+49\u00a0171\u20111234567', '491711234567'],
		[491711234567, '491711234567'],
		['491711234567.0', '491711234567'],
		['491711234567.000', '491711234567'],
		['\u202a+49 171 1234567\u202c', '491711234567'],
		['tel:+491711234567', '491711234567'],
		["'+491711234567", '491711234567'],
		['+33.1.23.45.67.89', '33123456789'],
	])('takes %j', (typed, digits) => {
		expect(phoneDigits(typed)).toBe(digits);
	});

	test.each([
		['0171 1234567', 'has no country code'],
		['+0171 1234567', 'has no country code'],
		['0000171 1234567', 'has no country code'],
		['12345', '5 digits'],
		['1234567890123456', '16 digits'],
		['call me', 'is not a phone number'],
		['+49+171', 'is not a phone number'],
		['+', 'is not a phone number'],
		['491711234567.5', 'is not a phone number'],
		['4917112.34567', 'is not a phone number'],
		['491711234567.50', 'is not a phone number'],
		['491711234567.05', 'is not a phone number'],
		[491711234567.5, 'is not a phone number'],
		[-491711234567, 'is not a phone number'],
		[0, 'is not a phone number'],
		['(0)171 1234567', 'is not a phone number'],
		['+4917112345.0', 'is not a phone number'],
		['+49 171 123456.0', 'is not a phone number'],
		['+49 (171) 1234567 (0)', 'is not a phone number'],
		['+49 30 (0) 123456', 'is not a phone number'],
		[{}, 'is not a phone number'],
		['1'.repeat(100_000), '100000 digits'],
		[`${'1'.repeat(100_000)}x`, 'is not a phone number'],
	])('refuses %j', (typed, problem) => {
		const result = phoneDigits(typed);
		expect(result).toBeInstanceOf(ValueProblem);
		expect((result as ValueProblem).problem).toContain(problem);
	});
});
