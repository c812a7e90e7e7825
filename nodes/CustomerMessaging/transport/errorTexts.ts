/** What happened and what to do, by HTTP status. The texts never repeat request headers, so no token can be in them. */
export interface ErrorText {
	/** Headline; the service's own message, where it has one, takes its place for client errors. */
	message: string;
	/** The way out. */
	remedy: string;
}

export const STATUS_TEXTS: Record<number, ErrorText> = {
	400: { message: 'The service did not understand the request', remedy: 'Check the values of this item.' },
	401: {
		message: 'The access token was refused',
		remedy: 'Open the credential and enter a complete, valid access token of this tenant.',
	},
	403: {
		message: 'The user behind the access token may not do this',
		remedy: 'Use the token of an admin, or attach the user to the customer first (Customer: Set Users).',
	},
	404: {
		message: 'The record does not exist',
		remedy:
			'Check the ID and the tenant domain. A user who is not an admin also gets this for customers not attached to them.',
	},
	409: {
		message: 'The service refused the change',
		remedy: 'Change the value that is in conflict and try again.',
	},
	413: {
		message: 'The file is too large',
		remedy: 'Reduce the file. Support: Get Media Size Limits shows the limit of each kind of file.',
	},
	415: {
		message: 'This type of file is not allowed',
		remedy: 'Support: Get Allowed MIME Types shows what each kind of file allows.',
	},
	422: { message: 'The service refused the values', remedy: 'Correct the values named here and try again.' },
	429: {
		message: 'Too many requests at once',
		remedy: 'Wait a moment and try again.',
	},
};

export const SERVER_ERROR: ErrorText = {
	message: 'The service had an internal problem',
	remedy: 'Try again later. If it stays, tell the operator of the tenant the time of this request.',
};

export const REDIRECT: ErrorText = {
	message: 'The service answered with a redirect, which is not followed',
	remedy: 'Check the tenant domain in the credential: the token is only sent to that host.',
};

export const UNREADABLE: ErrorText = {
	message: 'The service answered with something other than JSON',
	remedy: 'Check the tenant domain in the credential. A proxy or a login page may be answering in its place.',
};

export const OTHER_STATUS: ErrorText = {
	message: 'The service refused the request',
	remedy: 'Check the values of this item.',
};

/** By error code of Node.js, for requests that got no answer. */
export const NETWORK_TEXTS: Record<string, ErrorText> = {
	ENOTFOUND: {
		message: 'The tenant domain is unknown',
		remedy: 'Check the spelling of the tenant domain in the credential.',
	},
	EAI_AGAIN: {
		message: 'The tenant domain could not be looked up',
		remedy: "Check the network and the name server of n8n's machine.",
	},
	ECONNREFUSED: {
		message: 'Nothing answers at the tenant domain',
		remedy: 'Check the tenant domain and its port in the credential.',
	},
	EHOSTUNREACH: { message: 'The tenant cannot be reached', remedy: "Check the network of n8n's machine." },
	ENETUNREACH: { message: 'The tenant cannot be reached', remedy: "Check the network of n8n's machine." },
};

export const TLS_ERROR: ErrorText = {
	message: "The tenant's certificate is not trusted",
	remedy:
		'Check the tenant domain. For a private authority, give its certificate to n8n with NODE_EXTRA_CA_CERTS.',
};

export const NO_ANSWER: ErrorText = {
	message: 'The service did not answer',
	remedy: 'Check the network and try again.',
};

/** For writes that may have reached the service although no answer came back. */
export const UNCLEAR_WRITE =
	'The request may have been carried out: check in the tenant before you send it again.';
