import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { accessOf } from '../../nodes/CustomerMessaging/api/credential.ts';
import { redactor } from '../../nodes/CustomerMessaging/api/redact.ts';

const tokenOf = (accessToken: unknown) =>
	accessOf({ tenantDomain: 'acme.example', accessToken } as ICredentialDataDecryptedObject).token;

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
		const token = tokenOf(typed);
		expect(token).toBe(expected);
		expect(redactor(token)(`Unknown: ${expected}, or Bearer ${expected}`, 100)).toBe(
			'Unknown: ***, or Bearer ***',
		);
	});

	it.each(['Bearer', ' Bearer ', 'bearer\n', '', ' ', undefined, null])('%j is none', (given) => {
		expect(() => tokenOf(given)).toThrow(
			expect.objectContaining({
				message: 'The access token is empty',
				description: 'Open the credential and enter the access token of your account.',
			}),
		);
	});

	it.each(['a\nb', 'a\tb', 'a\u0000b', 'ä', '日本', 'a\u200bb'])('%j cannot be sent', (given) => {
		expect(() => tokenOf(given)).toThrow('The access token contains a character that cannot be sent');
	});
});
