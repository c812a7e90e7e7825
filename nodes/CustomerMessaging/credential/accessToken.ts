import { UserError } from 'n8n-workflow';
import { stringOf } from '../values/text';

/** Characters that a header can hold in every version of n8n. n8n removes others without a word. */
const SENDABLE = /^[\x20-\x7e]*$/;

/**
 * Returns the token as it is sent: without spaces around it and a leading "Bearer", which people often copy with it.
 *
 * @throws UserError when the token is empty or cannot be sent
 */
export function bearerToken(accessToken: unknown): string {
	const token = stringOf(accessToken)
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
	if (token === '') {
		throw new UserError('The access token is empty', {
			description: 'Open the credential and enter the access token of your account.',
		});
	}
	if (!SENDABLE.test(token)) {
		throw new UserError('The access token contains a character that cannot be sent', {
			description: 'Open the credential and copy the token again, without line breaks and other additions.',
		});
	}
	return token;
}
