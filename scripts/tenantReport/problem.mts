/** A failure that the person in front of the screen can mend: its message is one sentence or two, with the remedy. */
export class ReportProblem extends Error {}

const NETWORK: Array<[codes: RegExp, problem: string]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, 'is not found: check the domain and your network.'],
	[
		/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/,
		'cannot be reached: check the domain, the port and your network.',
	],
	[/TIMEOUT$|^ETIMEDOUT$/, 'did not answer in time: try again later.'],
	[/^(EPROTO|ERR_SSL_)/, 'does not speak https there: check the domain and the port.'],
	[
		/CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO|^DEPTH_ZERO/,
		'has a certificate that this machine does not trust: name the certificate authority of your network in NODE_EXTRA_CA_CERTS.',
	],
	[/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, 'closed the connection without an answer: try again later.'],
];

/** Says in one sentence why a host did not answer. It repeats nothing of the request. */
export function networkProblem(host: string, error: unknown): string {
	const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
	// A deadline has the name and the number of a DOMException.
	const text = name === 'TimeoutError' ? 'TIMEOUT' : String(cause?.code ?? code ?? '');
	const known = NETWORK.find(([codes]) => codes.test(text))?.[1];
	const told = /^[A-Z0-9_]+$/.test(text) ? ` (${text})` : '';
	return `${host} ${known ?? `did not answer${told}: try again later.`}`;
}
