import { UserError } from 'n8n-workflow';

/**
 * Returns the token of a credential as it is sent: without surrounding spaces and without a leading "Bearer", which
 * people often copy with it.
 *
 * @throws UserError when the token is empty
 */
export function bearerToken(accessToken: unknown): string {
	const token = String(accessToken ?? '')
		.trim()
		.replace(/^Bearer\s+/i, '');
	if (token !== '') return token;
	throw new UserError('The access token is empty', {
		description: 'Open the credential and enter the access token of your tenant.',
	});
}
