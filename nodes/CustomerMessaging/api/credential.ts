import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';

import { boolean } from '../values/choices';
import { rowBy, rowsWith } from '../values/columns';
import { InvalidValue, orInvalid, type Parse } from '../values/parse';
import { ownMember } from '../values/json';
import { integerFrom } from '../values/numbers';
import { type NamedParameter, parameterFor, setting } from '../values/field';
import { countryCode } from '../values/phoneNumber';
import { isBlank, stringOf } from '../values/text';

const BASE_PATH = '/third-party/v1';

/** Hosts for which plain http is acceptable: the machine itself, or a container with a one-word name. */
const LOCAL = /^(127(\.\d{1,3}){3}|\[::1\]|[a-z0-9]([a-z0-9-]*[a-z0-9])?)$/;

/** Characters that n8n leaves in a header. It removes others, and errors would not hide the token that is left. */
const SENDABLE = /^[\x20-\x7e]*$/;

function fail(problem: string, description: string): never {
	throw new UserError(problem, { description });
}

const failDomain = (problem: string) =>
	fail(`The Tenant Domain ${problem}`, 'Enter only the host name of your account, e.g. acme.example.com.');

/**
 * Reads where requests go, and the token that they carry. The domain may have a port, spaces, scheme and slashes; the token spaces
 * and a leading "Bearer". An error names the problem, not the value, because people paste secrets into wrong fields.
 */
export function accessOf({ tenantDomain, accessToken }: ICredentialDataDecryptedObject) {
	const domain = stringOf(tenantDomain).trim();
	if (domain === '') failDomain('is empty');
	if (domain.includes('@')) failDomain('contains a user name');
	const withScheme = domain.includes('://') ? domain : `https://${domain}`;
	// A URL leaves out tabs and line ends: what stands on both sides of one would be another host.
	if (/\s/.test(domain) || !URL.canParse(withScheme)) failDomain('is not a valid host name');
	const url = new URL(withScheme);
	if (!/^https?:$/.test(url.protocol)) failDomain('starts with something other than https://');
	if (!/^\/*$/.test(url.pathname + url.search + url.hash)) failDomain('contains a path');
	if (url.protocol === 'http:' && !LOCAL.test(url.hostname))
		failDomain('uses plain http, which would send the access token unencrypted');
	const token = stringOf(accessToken)
		.trim()
		.replace(/^Bearer(\s+|$)/i, '');
	if (token === '')
		fail('The access token is empty', 'Open the credential and enter the access token of your account.');
	if (!SENDABLE.test(token))
		fail(
			'The access token contains a character that cannot be sent',
			'Open the credential and copy the token again, without line breaks or other additions.',
		);
	return { baseUrl: `${url.origin}${BASE_PATH}`, token };
}

/** Returns the absolute URL of a request. Throws when it is outside the tenant's origin and path: the token never goes elsewhere. */
export function urlWithinTenant(baseUrl: string, url: string): string {
	const absolute = new URL(/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `${baseUrl}/${url.replace(/^\//, '')}`);
	const base = new URL(baseUrl);
	const isInside = absolute.origin === base.origin && absolute.pathname.startsWith(`${base.pathname}/`);
	if (!isInside || absolute.username !== '' || absolute.password !== '') {
		throw new UserError(`The access token is only sent to ${baseUrl}, not to ${absolute.origin}`, {
			description: 'Use a URL of the account that the credential is made for.',
		});
	}
	return absolute.href;
}

type Proxy = NonNullable<IHttpRequestOptions['proxy']>;

export interface Connection {
	/** Maximum milliseconds until a response has come to its end. A file may take longer. */
	timeout: number;
	proxy?: Proxy;
	skipSslCertificateValidation?: true;
}

/**
 * Parses the address of a proxy. The error does not repeat it, because it can contain a password. n8n would write an
 * address with another scheme to its log, and would send the request without a proxy.
 */
const proxyAddress: Parse<Proxy> = (value) => {
	try {
		const { hostname, port, protocol, username, password } = new URL(stringOf(value).trim());
		if (protocol === 'http:' || protocol === 'https:')
			return {
				host: hostname,
				port: Number(port || (protocol === 'https:' ? 443 : 80)),
				protocol: protocol.slice(0, -1),
				...(username && {
					auth: { username: decodeURIComponent(username), password: decodeURIComponent(password) },
				}),
			};
	} catch {
		// No URL, or a broken % in the user or password.
	}
	throw new InvalidValue(
		'is not the address of an HTTP proxy',
		'Enter it with its scheme and port, e.g. http://127.0.0.1:3128.',
	);
};

const wholeNumber = <const Name extends string>(
	minValue: number,
	maxValue: number,
	parameter: NamedParameter<Name> & { default: number },
) =>
	setting(parameter.name, integerFrom(minValue, maxValue), {
		...parameter,
		type: 'number',
		typeOptions: { minValue, maxValue },
	});

const columns = [
	setting('countryCode', countryCode, {
		displayName: 'Country Code for Numbers Without One',
		placeholder: 'e.g. 49',
		description:
			'The country code of phone numbers such as 0171 1234567. Without one, such numbers are refused. Numbers with + or 00 keep their own.',
	}),
	setting('allowUnauthorizedCerts', boolean, {
		displayName: 'Ignore SSL Issues (Insecure)',
		type: 'boolean',
		default: false,
		description: 'Whether to connect even if SSL certificate validation is not possible',
	}),
	wholeNumber(1, 200, {
		name: 'maximumInFlight',
		default: 40,
		description: 'How many requests to the service to send at once',
	}),
	wholeNumber(1, 50, {
		name: 'maximumTries',
		default: 10,
		description: 'How many times to send a request at most',
	}),
	wholeNumber(0, 60_000, {
		displayName: 'Page Delay (Ms)',
		name: 'pageDelay',
		default: 0,
		description: 'How many milliseconds to wait between the pages of a list',
	}),
	setting('proxy', (value) => (value === '' ? undefined : proxyAddress(value)), {
		placeholder: 'e.g. http://127.0.0.1:3128',
		description: 'The HTTP proxy to use, with user and password in the address if it needs them',
	}),
	wholeNumber(1, 86_400_000, {
		displayName: 'Timeout (Ms)',
		name: 'timeout',
		default: 300_000,
		description:
			'How many milliseconds one try of a request may take. Files may take an hour, and the editor waits 30 seconds at most.',
	}),
	wholeNumber(1, 3600, {
		displayName: 'Try For (Seconds)',
		name: 'tryForSeconds',
		default: 120,
		description: 'How many seconds to keep trying a request, with all its waits',
	}),
] as const;

/** What is set for all requests to a tenant. n8n's form for credentials does not display the fields of a plain collection. */
export const advanced: INodeProperties = parameterFor('advanced', {
	type: 'fixedCollection',
	placeholder: 'Add Settings',
	description: 'Settings for which the defaults do not suit your account',
	options: rowsWith('Settings', 'settings', columns),
});

const DEFAULTS = rowBy(columns, {});

/**
 * Reads the collection *Advanced* of a credential. Missing fields get their defaults.
 *
 * @throws UserError that names the field, if its value is unusable
 */
export function advancedOf(given: unknown) {
	const filledIn = Object.entries(ownMember(given, 'settings') ?? {}).filter(([, value]) => !isBlank(value));
	const row = filledIn.length > 0 ? orInvalid(() => rowBy(columns, Object.fromEntries(filledIn))) : DEFAULTS;
	if (row instanceof InvalidValue)
		throw new UserError(`In the credential, Advanced ${row.message}`, { description: row.hint });
	const { allowUnauthorizedCerts, proxy, timeout, ...limits } = row;
	const connection: Connection = {
		timeout,
		...(proxy && { proxy }),
		...(allowUnauthorizedCerts && { skipSslCertificateValidation: true }),
	};
	return { ...limits, connection };
}
