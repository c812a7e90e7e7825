import { UserError } from 'n8n-workflow';

/**
 * The token of a credential as it goes out, without spaces around it and without the word people copy along with it.
 *
 * @throws UserError when there is none
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
