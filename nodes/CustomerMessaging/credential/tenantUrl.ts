import { UserError } from 'n8n-workflow';

export const BASE_PATH = '/third-party/v1';

const HINT = 'Enter only the host name of your account, e.g. acme.example.com.';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const SINGLE_LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** Whether plain http is acceptable: for the machine itself, or for a container with a one-word name. */
function mayUseHttp(hostname: string): boolean {
	return LOOPBACK.test(hostname) || SINGLE_LABEL.test(hostname);
}

function fail(problem: string): never {
	throw new UserError(`The Tenant Domain ${problem}`, { description: HINT });
}

/**
 * Turns the tenant domain that a user enters, with an optional port, spaces, scheme and slashes, into the interface's
 * base URL.
 *
 * @throws UserError that names the problem, not the value, because people paste secrets into wrong fields
 */
export function tenantBaseUrl(tenantDomain: string): string {
	const typed = tenantDomain.trim();
	if (typed === '') fail('is empty');
	if (/[\s\\]/.test(typed)) fail('contains a space or a backslash');
	if (typed.includes('?') || typed.includes('#')) fail('contains a query or a fragment');
	if (typed.includes('@')) fail('contains a user name');

	const withScheme = typed.includes('://') ? typed : `https://${typed}`;
	let url: URL;
	try {
		url = new URL(withScheme);
	} catch {
		return fail('is not a valid host name');
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:')
		fail('starts with something other than https://');
	if (!/^\/*$/.test(url.pathname)) fail('contains a path');
	if (url.protocol === 'http:' && !mayUseHttp(url.hostname)) {
		fail('uses plain http, which would send the access token unencrypted');
	}
	return `${url.origin}${BASE_PATH}`;
}

/**
 * Returns the absolute URL of a request.
 *
 * @throws UserError when it is outside the tenant's origin and path, so that the token never goes elsewhere
 */
export function urlWithinTenant(baseUrl: string, url: string): string {
	const absolute = new URL(
		/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `${baseUrl}${url.startsWith('/') ? '' : '/'}${url}`,
	);
	const base = new URL(baseUrl);
	const within = absolute.origin === base.origin && absolute.pathname.startsWith(`${base.pathname}/`);
	if (!within || absolute.username !== '' || absolute.password !== '') {
		throw new UserError(`The access token is only sent to ${baseUrl}, not to ${absolute.origin}`, {
			description: 'Use a URL of the account that the credential is made for.',
		});
	}
	return absolute.href;
}
