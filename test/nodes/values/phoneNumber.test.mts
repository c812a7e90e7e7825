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
		[{}, 'is not a phone number'],
	])('refuses %j', (typed, problem) => {
		const result = phoneDigits(typed);
		expect(result).toBeInstanceOf(ValueProblem);
		expect((result as ValueProblem).problem).toContain(problem);
	});
});
