import { bearerToken } from '../../nodes/CustomerMessaging/api/credential.ts';
import { redactor } from '../../nodes/CustomerMessaging/api/redact.ts';

describe('a token of a credential', () => {
	it.each([
		['abc', 'abc'],
		['  abc\n', 'abc'],
		['Bearer abc', 'abc'],
		['bearer   abc', 'abc'],
		['abc Bearer def', 'abc Bearer def'],
		['Bearerabc', 'Bearerabc'],
		[7, '7'],
	])('%j goes out as %j, and is hidden in that form', (typed, expected) => {
		const token = bearerToken(typed);
		expect(token).toBe(expected);
		expect(redactor(token)(`Unknown: ${expected}, or Bearer ${expected}`, 100)).toBe(
			'Unknown: ***, or Bearer ***',
		);
	});

	it.each(['Bearer', ' Bearer ', 'bearer\n', '', ' ', undefined, null])('%j is none', (given) => {
		expect(() => bearerToken(given)).toThrow(
			expect.objectContaining({
				message: 'The access token is empty',
				description: 'Open the credential and enter the access token of your account.',
			}),
		);
	});

	it.each(['a\nb', 'a\tb', 'a\u0000b', 'ä', '日本', 'a\u200bb'])('%j cannot be sent', (given) => {
		expect(() => bearerToken(given)).toThrow('The access token contains a character that cannot be sent');
	});
});
