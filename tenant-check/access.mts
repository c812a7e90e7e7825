import { accessOf } from '../nodes/CustomerMessaging/api/credential.ts';
import { CheckProblem } from './problem.mts';

/** The environment variable that holds the token. */
export const TOKEN_VARIABLE = 'TENANT_TOKEN';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a URL leads to this machine itself. */
export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname);

/** What the credential of the node takes, told as it tells it. */
function asInCredential<T>(read: () => T): T {
	try {
		return read();
	} catch (error) {
		const { message, description = '' } = error as Error & { description?: string };
		throw new CheckProblem(`${message}. ${description}`.trim());
	}
}

/**
 * Reads what the check needs to get in.
 *
 * @throws CheckProblem when the token is missing, or stands among the arguments, where others see it; or the domain is
 * invalid, or would get the token unencrypted
 */
export function readAccess(args: string[], env: NodeJS.ProcessEnv): { baseUrl: string; token: string } {
	const given = env[TOKEN_VARIABLE] ?? '';
	const secret = given.replace(/^\s*(Bearer\s+)?|\s+$/gi, '').toLowerCase();
	const [option, domain, ...others] = args.flatMap((arg) => arg.split(/(?<=^--domain)=/));
	const holdsToken = secret !== '' && args.some((arg) => arg.toLowerCase().includes(secret));
	// What else stands there may be a token, and is not repeated.
	if (holdsToken || others.length > 0 || (option !== undefined && option !== '--domain'))
		throw new CheckProblem(
			`The only argument is --domain acme.example.com. If another one was the access token, others can have seen it: replace it, and set ${TOKEN_VARIABLE}.`,
		);
	if (domain === undefined) throw new CheckProblem('Name the account: --domain acme.example.com.');
	if (secret === '') throw new CheckProblem(`Set ${TOKEN_VARIABLE} to the access token of the account.`);
	const { baseUrl, token } = asInCredential(() => accessOf({ tenantDomain: domain, accessToken: given }));
	if (baseUrl.startsWith('http:') && !isLoopback(baseUrl))
		throw new CheckProblem('http would send the access token unencrypted: use https, or no scheme.');
	return { baseUrl, token };
}
