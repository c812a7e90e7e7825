import { isObject } from '../values/json';

/** Whether a body is a page in place of the interface's JSON, such as the page of a login. */
export const isPage = (body: unknown) => typeof body === 'string' && body.trimStart().startsWith('<');

/** A way in which a request fails. Its texts repeat nothing of a request, so they never contain a token. */
export interface FailureKind {
	/** Headline. The service's own message replaces it, if there is one. */
	readonly message: string;
	/** What the user can do. */
	readonly remedy: string;
	/** Whether the service certainly did not carry out the request. */
	readonly isNotDone: boolean;
	/** Whether another attempt would fail in the same way. */
	readonly isFinal: boolean;
}

const failing =
	(isNotDone: boolean, isFinal: boolean) =>
	(message: string, remedy: string): FailureKind => ({ message, remedy, isNotDone, isFinal });

export const refused = failing(true, true);
/** The request did not reach the service, or the service did not process it. */
const unreached = failing(true, false);
/** It is unknown whether the service carried out the request. */
const unclear = failing(false, false);
const unclearAgain = failing(false, true);

const STATUS_FAILURES: Record<number, FailureKind> = {
	400: refused('The service did not understand the request', 'Check the values of this item.'),
	401: refused(
		'The access token was refused',
		'Open the credential and enter a complete, valid access token of this account.',
	),
	403: refused(
		'The user behind the access token may not do this',
		'Use the token of an admin, or attach the user to the customer first (Customer: Add Users).',
	),
	404: refused(
		'The record does not exist',
		'Check the ID and the Tenant Domain. For the phone number of a person, choose By Phone Number. A user who is not an admin also gets this for customers not attached to them.',
	),
	407: refused(
		'The proxy refused its login',
		'Correct the user and the password in Proxy, under Advanced in the credential.',
	),
	408: refused('The service did not get the request in time', 'Try again.'),
	409: refused('The service refused the change', 'Change the value that is in conflict and try again.'),
	413: refused(
		'What was sent is too large',
		'Send less at once. Support: Get Media Size Limits shows the limit of each kind of file.',
	),
	415: refused(
		'This type of file is not allowed',
		'Support: Get Allowed MIME Types shows what each kind of file allows.',
	),
	422: refused('The service refused the values', 'Correct the values named here and try again.'),
	429: unreached(
		'Too many requests at once',
		'Try again later. If it stays, lower Maximum in Flight under Advanced in the credential.',
	),
};

const PIN_LOCKED = refused(
	'The service checks no PIN for now, after too many wrong PINs',
	'Wait before you try again. The operator of the service knows how long the lock lasts.',
);

/** The service refused the request, and its status does not say why. */
const OTHER_STATUS = refused('The service refused the request', 'Check the values of this item.');

const REDIRECT = refused(
	'The service answered with a redirect, which is not followed',
	'Check the Tenant Domain in the credential: the token is only sent to that host.',
);

const TRY_LATER = 'Try again later. If it stays, tell the operator of the service the time of this request.';
const SERVER_ERROR = unclear('The service had an internal problem', TRY_LATER);

const NO_SERVICE =
	'Check the Tenant Domain in the credential. A proxy, a login page or a bot check may be answering in its place.';
const NO_STATUS = unclearAgain('The service answered with a status that HTTP does not have', NO_SERVICE);
const PAGE = unclearAgain('The service answered with a page in place of JSON', NO_SERVICE);
export const UNREADABLE = unclearAgain('The service answered with something other than JSON', NO_SERVICE);
/** The failure for a page in place of a file, or a part of it, or nothing. */
export const NO_FILE = unclearAgain('The service answered with something other than the file', NO_SERVICE);
export const OTHER_SERVICE = refused(
	'The Tenant Domain leads to another service',
	'Enter the host name under which you open your account in the browser.',
);

const NO_API = 'Check the Tenant Domain in the credential. If it is right, tell the operator of the service.';
export const NO_LIST = unclearAgain('The service answered with something other than a list', NO_API);
export const NO_RECORD = unclearAgain('The service answered with something other than a record', NO_API);
export const UNREADABLE_LIST = unclearAgain(
	'The service answered with a list that cannot be read',
	'Its records lack an ID, a name or another member that is needed. Tell the operator of the service.',
);

/** Returns the failure for content that the interface does not allow. @param otherJson that for JSON of another kind */
export function unreadable(body: unknown, otherJson: FailureKind): FailureKind {
	if (isPage(body)) return PAGE;
	return typeof body === 'object' ? otherJson : UNREADABLE;
}

/** Returns the failure for a status. Who answers with a page in place of JSON says nothing about a user or a record. */
export function statusFailure(status: number, body?: unknown): FailureKind {
	if (status < 200) return NO_STATUS;
	if (status >= 300 && status < 400) return REDIRECT;
	const failure = status >= 500 ? SERVER_ERROR : (STATUS_FAILURES[status] ?? OTHER_STATUS);
	const { message, remedy } = failure.isFinal ? PAGE : { ...failure, message: PAGE.message };
	return isPage(body) && status !== 407 ? { ...failure, message, remedy } : failure;
}

/** Whether it is the check of a PIN, which the service locks after wrong ones ("States"). That is no limit of other requests. */
export const hasOwnLimit = (method: string, path: string) =>
	/^POST \/user\/[^/]+\/verify-pin$/.test(`${method} ${path}`);

/** Returns the failure that a response tells of, by its status or in its body; undefined for a success. */
export function failureOf(
	method: string,
	path: string,
	status: number,
	body?: unknown,
): FailureKind | undefined {
	if (status === 429 && hasOwnLimit(method, path)) return PIN_LOCKED;
	// By HTTP, a write that leads somewhere else with 303 was carried out; many services say so with 302.
	if (method !== 'GET' && (status === 302 || status === 303)) return { ...REDIRECT, isNotDone: false };
	if (status < 200 || status > 299) return statusFailure(status, body);
	if (typeof body === 'string') return isPage(body) ? PAGE : undefined;
	return isObject(body) && body.success === false ? OTHER_STATUS : undefined;
}

/** Failures before anything was sent, by the system's error code, as Node.js gives it. */
const UNREACHED_FAILURES: Record<string, FailureKind> = {
	ENOTFOUND: unreached(
		'The Tenant Domain is unknown',
		'Check the spelling of the Tenant Domain in the credential.',
	),
	EAI_AGAIN: unreached(
		'The Tenant Domain could not be looked up',
		"Check the network and the name server of n8n's machine.",
	),
	ECONNREFUSED: unreached(
		'Nothing answers at the Tenant Domain',
		'Check the Tenant Domain and its port in the credential.',
	),
};

const UNREACHED = unreached('The service cannot be reached', "Check the network of n8n's machine.");
const PROXY_UNREACHED = unreached(
	'The proxy cannot be reached',
	'Check Proxy, under Advanced in the credential, and that the proxy is running.',
);
/** It can break behind the request too, which a service may have read by then. */
const BROKEN_TLS = unclear(
	'The connection to the service could not be encrypted',
	'Check the Tenant Domain and its port in the credential. A service on this machine may need http:// in front, as in http://localhost:3000.',
);
const BROKEN_FAILURES: Record<string, FailureKind> = {
	EPROTO: BROKEN_TLS,
	E2BIG: unclearAgain(
		'The response of the service is larger than 32 MB',
		'Ask for less at once: set a Limit or a filter.',
	),
	EHALTED: unclear('The response of the service came to a halt', TRY_LATER),
	EFBIG: unclearAgain('The file is larger than 2 GB', 'Get it from the service in another way.'),
};
const UNTRUSTED_CERTIFICATE = refused(
	"The service's certificate is not trusted",
	'Check the Tenant Domain. For a private authority, give its certificate to n8n with NODE_EXTRA_CA_CERTS.',
);
const NO_RESPONSE = unclear('The service did not answer', 'Check the network and try again.');
const STOPPED = unclearAgain('The execution was stopped during the request', 'Run it again if you want to.');

/**
 * Returns the failure for a request without a response, by the system's error code and call. Only if the address was not found,
 * nothing connected, or the certificate was refused, nothing was sent: all other codes can come after the request too.
 */
export function networkFailure(code = '', syscall?: string, hasProxy = false): FailureKind {
	if (syscall === 'connect' || syscall === 'getaddrinfo')
		return hasProxy ? PROXY_UNREACHED : (UNREACHED_FAILURES[code] ?? UNREACHED);
	if (/^(CERT_|ERR_TLS_CERT_|UNABLE_TO_)|SELF_SIGNED/.test(code)) return UNTRUSTED_CERTIFICATE;
	if (code.startsWith('ERR_SSL_')) return BROKEN_TLS;
	if (code.includes('ERR_CANCELED')) return STOPPED;
	return BROKEN_FAILURES[code] ?? NO_RESPONSE;
}

/** The remedy for writes that the service may have carried out without a response. */
export const UNCLEAR_WRITE =
	'The request may have been carried out: check in your account before you send it again.';
